package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"antipode/cmd/antipode/commandline"
	"antipode/cmd/antipode/interruption"
	"antipode/cmd/antipode/terminal"
	"antipode/experiments"
	"antipode/experiments/parameter"

	"github.com/urfave/cli/v2"
)

// The constants exitDone and so on are the exit codes of the program, in addition to those of package
// interruption.
const (
	exitDone   = 0
	exitFailed = 1
	exitUsage  = 2   // bad usage or bad value: the command did nothing
	exitUnread = 141 // the reader of standard output closed it: the code by which a shell reports SIGPIPE
)

// usageError is an error in the command line. The text of a usageError is one line that names the flag, the
// value and what is allowed.
type usageError struct{ text string }

func (e usageError) Error() string { return e.text }

func usagef(format string, arguments ...any) error {
	return usageError{fmt.Sprintf(format, arguments...)}
}

// execute runs the program and returns its exit code. The first argument is the name of the program.
func execute(ctx context.Context, arguments []string, stdout, stderr io.Writer) int {
	out := &terminal.Output{Writer: stdout}
	app := newApp(out, stderr)
	ctx, err := interruption.UntilParent(ctx)
	switch {
	case err != nil:
		err = usageError{err.Error()}
	case len(arguments) > 1 && arguments[1] == completeWord:
		complete(app, arguments[2:], out)
	default:
		if arguments, err = commandline.WithFile(arguments); err != nil {
			err = usageError{err.Error()}
		} else if err = elsewhere(app, arguments); err == nil {
			err = repeated(app, arguments)
		}
		if err == nil {
			err = commandline.Run(ctx, app, flagsFirst(app, arguments), printHelp)
		}
	}
	if err == nil {
		err = out.Err()
	}
	switch {
	case err == nil:
		return exitDone
	case out.Unread(err):
		return exitUnread
	case interruption.EndedBy(ctx, err):
		err = interruption.Error{Remains: interruption.NothingWritten}
	}
	interrupted := errors.As(err, new(interruption.Error))
	terminal.Say(stderr, err.Error())
	switch {
	case interrupted:
		return interruption.Code(ctx)
	case errors.As(err, new(usageError)):
		return exitUsage
	}
	return exitFailed
}

func newApp(stdout, stderr io.Writer) *cli.App {
	app := &cli.App{
		Name:  "antipode",
		Usage: "simulate and compute how tokens of deep random Transformers cluster",
		UsageText: `antipode COMMAND [flags]

antipode phase                        the phase transition of two tokens; writes phase.arrow and phase.png
antipode overlap --dim 8 --beta 3     the same probability, from theory only`,
		Version:      version(),
		Writer:       stdout,
		ErrWriter:    stderr,
		Flags:        []cli.Flag{cli.HelpFlag, cli.VersionFlag},
		OnUsageError: onUsageError,
		Action:       printHelp, // prints help or, if no command has the given name, an error
	}
	add := func(category string, commands ...*cli.Command) {
		for _, command := range commands {
			command.Category = category
			app.Commands = append(app.Commands, command)
		}
	}
	for _, group := range experiments.Groups() {
		for _, e := range group.Experiments {
			add(group.Subject, experimentCommand(e, stdout, stderr))
		}
	}
	add("Tables and figures", inspectCommand(stdout), plotCommand(stdout), rerunCommand(stdout, stderr),
		mergeCommand(stdout, stderr), runCrateCommand(stdout))
	add("The program", exploreCommand(stdout, stderr), serveCommand(stdout), describeCommand(stdout),
		helpCommand(), manCommand(stdout), completionCommand(stdout))
	for _, command := range app.Commands {
		command.OnUsageError = onUsageError
		command.HelpName = app.Name + " " + command.Name
		command.Flags = append(command.Flags, cli.HelpFlag)
	}
	return app
}

// interruptible returns an action that ends when the context ends, even if the given action ignores the
// context.
func interruptible(action cli.ActionFunc) cli.ActionFunc {
	return func(c *cli.Context) error {
		_, err := interruption.UntilEnd(c.Context, func() error { return action(c) })
		return err
	}
}

func unknownCommand(c *cli.Context, given string) error {
	names := []string{"--help", "--version"}
	for _, command := range c.App.Commands {
		names = append(names, command.Name)
	}
	question := parameter.DidYouMean(given, names, parameter.Typed)
	return usagef("no command is called %.40q%s; antipode --help lists them", given, question)
}

// noArguments returns an error if the command line has arguments that are neither flags nor values of flags.
func noArguments(c *cli.Context) error {
	if c.Args().Present() {
		return usagef("%s: takes no argument %.40q; values are given as --flag value", c.Command.Name,
			c.Args().First())
	}
	return nil
}

// oneFile returns the only argument of the command, the name of a file, or an error if there is not exactly
// one argument.
func oneFile(c *cli.Context) (string, error) {
	if c.NArg() != 1 {
		return "", usagef("%s: needs one FILE, not %d", c.Command.Name, c.NArg())
	}
	if c.Args().First() == "" {
		return "", usagef("%s: the name of FILE is empty", c.Command.Name)
	}
	return c.Args().First(), nil
}
