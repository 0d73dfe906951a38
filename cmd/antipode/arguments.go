package main

import (
	"slices"
	"strings"

	"antipode/experiments/wording"

	"github.com/urfave/cli/v2"
)

// argument is a part of a command line after the name of the command: a flag with its value, or another word.
type argument struct {
	words []string // the word; for a flag, also the next word if it is the value of the flag
	flag  bool
	name  string // name of the flag, without dashes and value
	value string // value of the flag: "true" for a switch
	lacks bool   // whether the value of the flag is missing
}

// argumentsOf returns the arguments among the words before "--", and the remaining words.
func argumentsOf(app *cli.App, command *cli.Command, words []string) (all []argument, rest []string) {
	for len(words) > 0 && words[0] != "--" {
		a := argument{words: words[:1:1]}
		words = words[1:]
		word := a.words[0]
		if a.flag = len(word) >= 2 && word[0] == '-'; a.flag {
			var with bool
			a.name, a.value, with = strings.Cut(strings.TrimLeft(word, "-"), "=")
			switch {
			case with:
			case !takesValue(app, command, a.name):
				a.value = "true"
			case len(words) == 0:
				a.lacks = true
			default:
				a.words, a.value, words = append(a.words, words[0]), words[0], words[1:]
			}
		}
		all = append(all, a)
	}
	return all, words
}

// takesValue reports whether the flag of the given name has a value. For a flag that the command does not
// have, takesValue looks at the flag of this name of another command.
func takesValue(app *cli.App, command *cli.Command, name string) bool {
	flag := flagOf(command, name)
	for k := 0; flag == nil && k < len(app.Commands); k++ {
		flag = flagOf(app.Commands[k], name)
	}
	_, is := flag.(*cli.GenericFlag)
	return is
}

// flagOf returns the flag of the command that has the given name, or nil if the command has no such flag.
func flagOf(command *cli.Command, name string) cli.Flag {
	for _, f := range command.Flags {
		if slices.Contains(f.Names(), name) {
			return f
		}
	}
	return nil
}

// repeated returns an error for the first flag that a command line gives twice, under the same name or under
// an alias. The flag parser would silently use the last value. If no flag is given twice, repeated returns
// nil.
func repeated(app *cli.App, words []string) error {
	if len(words) < 2 {
		return nil
	}
	command := app.Command(words[1])
	if command == nil {
		return nil
	}
	first := map[cli.Flag]argument{}
	arguments, _ := argumentsOf(app, command, words[2:])
	for _, a := range arguments {
		flag := flagOf(command, a.name)
		if !a.flag || flag == nil || a.lacks {
			continue
		}
		before, twice := first[flag]
		switch {
		case !twice:
			first[flag] = a
		case before.name != a.name:
			return usagef("--%s and --%s: are two names of one flag; must be given once", before.name, a.name)
		case takesValue(app, command, a.name):
			return usagef("--%s: is given twice, as %s and as %s; must be once", a.name,
				wording.Quoted(before.value), wording.Quoted(a.value))
		default:
			return usagef("--%s: is given twice; must be once", a.name)
		}
	}
	return nil
}

// flagsFirst moves the flags of a command before its other arguments, because the flag parser stops at the
// first argument that is not a flag. Words after "--" are not moved.
func flagsFirst(app *cli.App, words []string) []string {
	if len(words) < 2 {
		return words
	}
	command := app.Command(words[1])
	if command == nil {
		return words
	}
	var flags, others []string
	arguments, rest := argumentsOf(app, command, words[2:])
	for _, a := range arguments {
		switch {
		case a.lacks: // otherwise the parser would take the next word for the value of the flag
			return slices.Concat(words[:2], flags, a.words)
		case !a.flag:
			others = append(others, a.words...)
		default:
			flags = append(flags, a.words...)
		}
	}
	return slices.Concat(words[:2], flags, others, rest)
}
