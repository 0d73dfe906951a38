package main

import (
	"embed"
	"fmt"
	"io"
	"slices"
	"strings"

	"antipode/cmd/antipode/terminal"
	"antipode/experiments/parameter"
	"antipode/experiments/wording"

	"github.com/urfave/cli/v2"
)

// The completion scripts of shells ask the program which words may follow in a command line. A script runs
// antipode __complete with the words of the command line, of which the last word may be incomplete. The
// program answers with one candidate per line, followed by a tab and the meaning of the candidate. If the
// answer is the single line :files, the shell completes the name of a file.
//
//go:embed completion
var completionScripts embed.FS

const (
	completeWord = "__complete"
	anyFile      = ":files"
)

var shells = []string{"bash", "zsh", "fish"}

func completionCommand(stdout io.Writer) *cli.Command {
	return &cli.Command{
		Name:      "completion",
		Usage:     "a script that completes commands, flags and their values in bash, zsh and fish",
		ArgsUsage: "[bash|zsh|fish]",
		Description: `Prints a script for the shell to read, bash by default.

Examples: source <(antipode completion bash)
          source <(antipode completion zsh)
          antipode completion fish | source`,
		Action: func(c *cli.Context) error {
			shell := shells[0]
			if c.Args().Present() {
				shell = c.Args().First()
			}
			if c.NArg() > 1 || !slices.Contains(shells, shell) {
				return usagef("completion: needs bash, zsh or fish, not %s",
					wording.Quoted(strings.Join(c.Args().Slice(), " ")))
			}
			script, err := completionScripts.ReadFile("completion/" + shell)
			if err == nil {
				_, err = stdout.Write(script)
			}
			return err
		},
	}
}

// candidate is a word that may follow in a command line, together with its meaning.
type candidate struct{ word, meaning string }

// complete prints the candidates for the last word of a command line. The argument words contains the words
// after the name of the program. complete ignores errors of writing, as a terminal.Output keeps its first
// error.
func complete(app *cli.App, words []string, stdout *terminal.Output) {
	var last string
	if n := len(words); n > 0 {
		last, words = words[n-1], words[:n-1]
	}
	all, files := candidates(app, words, last)
	if files {
		all = []candidate{{word: anyFile}}
	} else {
		all = slices.DeleteFunc(all, func(c candidate) bool { return !strings.HasPrefix(c.word, last) })
	}
	for _, c := range all {
		fmt.Fprintln(stdout, strings.TrimSuffix(c.word+"\t"+c.meaning, "\t"))
	}
}

// candidates returns the words that may follow the given words of a command line; last is the incomplete last
// word. The result files reports whether the name of a file may follow.
func candidates(app *cli.App, words []string, last string) (all []candidate, files bool) {
	if len(words) == 0 {
		all = []candidate{{"--help", "what the program does"}, {"--version", "which program this is"}}
		return append(commandsOf(app), all...), false
	}
	command := app.Command(words[0])
	if command == nil {
		return nil, false
	}
	before := words[len(words)-1]
	name := strings.TrimLeft(before, "-")
	if len(words) > 1 && name != before && takesValue(app, command, name) {
		flag := flagNamed(command, name)
		if flag == nil { // a flag that this command does not have
			return nil, false
		}
		return valuesOf(flag, last)
	}
	switch {
	case strings.HasPrefix(last, "-"):
		return flagCandidates(command), false
	case command.Name == "help" || command.Name == "describe":
		return commandsOf(app), false
	case command.Name == "completion":
		for _, shell := range shells {
			all = append(all, candidate{word: shell})
		}
		return all, false
	case command.ArgsUsage != "":
		return nil, true
	}
	return flagCandidates(command), false
}

func commandsOf(app *cli.App) (all []candidate) {
	for _, command := range app.VisibleCommands() {
		all = append(all, candidate{command.Name, command.Usage})
	}
	return all
}

func flagCandidates(command *cli.Command) (all []candidate) {
	for _, f := range command.Flags {
		meaning := ""
		switch f := f.(type) {
		case *cli.GenericFlag:
			meaning = f.Value.(*valueFlag).parameter.Meaning
		case *cli.BoolFlag:
			meaning = f.Usage
		}
		for _, name := range f.Names() {
			all = append(all, candidate{dashed(name), meaning})
		}
	}
	return all
}

// flagNamed returns the flag of the command with the given name, or nil if the command has no such flag or
// the flag has no value.
func flagNamed(command *cli.Command, name string) *valueFlag {
	if generic, is := flagOf(command, name).(*cli.GenericFlag); is {
		return generic.Value.(*valueFlag)
	}
	return nil
}

// valuesOf returns the names that are possible values of a flag; for a flag that takes a list, each value
// ends with one of the names that may come next. The result files says that the flag takes the name of a
// file. For a flag that takes numbers, valuesOf returns no values.
func valuesOf(flag *valueFlag, last string) (all []candidate, files bool) {
	value := flag.parameter.Value
	switch value := value.(type) {
	case parameter.FileNamer:
		return nil, true
	case textValue:
		return nil, value.placeholder == fileName
	case parameter.Chooser:
		for _, name := range value.Options() {
			all = append(all, candidate{word: name})
		}
	case parameter.SeveralChooser:
		before := last[:strings.LastIndex(last, ",")+1]
		for _, name := range value.Choices().Names {
			if !slices.Contains(strings.Split(before, ","), name) {
				all = append(all, candidate{word: before + name})
			}
		}
	}
	return all, false
}
