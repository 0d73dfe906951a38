package main

import (
	"embed"
	"fmt"
	"io"
	"slices"
	"strings"

	"antipode/experiments/parameter"
	"antipode/experiments/wording"

	"github.com/urfave/cli/v2"
)

// The completion scripts ask the program which words may follow. They run antipode __complete with the words
// of the command line. The last of these words may be incomplete. The answer has one candidate per line,
// followed by a tab and its meaning. If the answer is the single line :files, the shell completes the name of
// a file.
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

// candidate is a word that may follow, together with its meaning.
type candidate struct{ word, meaning string }

// complete prints the candidates for the last word. The argument words has the words after the name of the
// program.
func complete(app *cli.App, words []string, stdout io.Writer) error {
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
		if _, err := fmt.Fprintln(stdout, strings.TrimSuffix(c.word+"\t"+c.meaning, "\t")); err != nil {
			return err
		}
	}
	return nil
}

// candidates returns the words that may follow the given words. The result files reports whether the name of
// a file may follow.
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
		if flag == nil { // a flag of another command
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

// flagNamed returns the flag of the given name if it has a value, or nil.
func flagNamed(command *cli.Command, name string) *valueFlag {
	if generic, is := flagOf(command, name).(*cli.GenericFlag); is {
		return generic.Value.(*valueFlag)
	}
	return nil
}

// valuesOf returns the possible values of a flag: names (for a list, the next name), or the fact that a file
// is expected. For numbers it returns no values.
func valuesOf(flag *valueFlag, last string) (all []candidate, files bool) {
	value := flag.parameter.Value
	switch value := value.(type) {
	case parameter.FileNamer, pathValue, streamValue:
		return nil, true
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
