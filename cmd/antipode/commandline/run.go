package commandline

import (
	"context"
	"flag"
	"fmt"
	"io"

	"github.com/urfave/cli/v2"
)

// Run runs the command that a command line names. The first of the words is the name of the program. The
// first later word that is not a flag is the name of the command, and the words after it are its flags and
// arguments. Run has the effect of app.RunContext for commands that have an action and OnUsageError but no
// subcommands, and whose flags all have a Value or a Destination. In addition, the flag --help calls the
// function help in the context of the command, so that help prints the help of this command.
//
// App.RunContext is not called because it can print help by templates. Templates call methods by name, so
// that the linker would keep every exported method of every package, which are a sixth of the size of the
// program.
func Run(ctx context.Context, app *cli.App, words []string, help cli.ActionFunc) error {
	program := &cli.Command{Name: app.Name, HelpName: app.Name, Flags: app.Flags,
		OnUsageError: app.OnUsageError}
	c, err := parsed(&cli.Context{App: app, Context: ctx}, program, words)
	switch {
	case err != nil:
		return err
	case isOn(c, cli.HelpFlag):
		return help(c)
	case isOn(c, cli.VersionFlag):
		_, err := fmt.Fprintf(app.Writer, "%s version %s\n", app.Name, app.Version)
		return err
	}
	command := app.Command(c.Args().First())
	if command == nil {
		return app.Action(c)
	}
	switch c, err = parsed(c, command, c.Args().Slice()); {
	case err != nil:
		return err
	case isOn(c, cli.HelpFlag):
		return help(c)
	}
	return command.Action(c)
}

// parsed returns the context of a command after its flags have been parsed. The first of the words is the
// name of the command.
func parsed(parent *cli.Context, command *cli.Command, words []string) (*cli.Context, error) {
	set := flag.NewFlagSet(command.Name, flag.ContinueOnError)
	set.SetOutput(io.Discard)
	c := cli.NewContext(parent.App, set, parent)
	c.Command = command
	for _, f := range command.Flags {
		if err := f.Apply(set); err != nil {
			return nil, err
		}
	}
	if err := set.Parse(words[min(1, len(words)):]); err != nil {
		return nil, command.OnUsageError(c, err, true)
	}
	given := map[string]*flag.Flag{}
	set.Visit(func(f *flag.Flag) { given[f.Name] = f })
	for _, f := range command.Flags {
		setAllNames(set, f.Names(), given)
	}
	return c, nil
}

// setAllNames copies the value of a flag, which was given under one of its names, to the other names of the
// flag. The flag must accept its own value.
func setAllNames(set *flag.FlagSet, names []string, given map[string]*flag.Flag) {
	for _, name := range names {
		f, is := given[name]
		if !is {
			continue
		}
		text := f.Value.String()
		if value, is := f.Value.(cli.Serializer); is {
			text = value.Serialize()
		}
		for _, other := range names {
			set.Set(other, text)
		}
	}
}

// isOn reports whether the command has the given switch and the switch is on.
func isOn(c *cli.Context, switched cli.Flag) bool {
	for _, f := range c.Command.Flags {
		if f == switched {
			return c.Bool(f.Names()[0])
		}
	}
	return false
}
