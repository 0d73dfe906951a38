package main

import (
	"fmt"
	"slices"
	"strings"

	"antipode/cmd/antipode/commandline"
	"antipode/experiments"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/internal/lists"

	"github.com/urfave/cli/v2"
	"github.com/xrash/smetrics"
)

// counterparts lists, for a command, other commands that do nearly the same, together with the flags that
// make them do so. The program suggests another command if a command line has a flag or value that its
// command does not have. If several commands have the flag, counterparts are suggested first, in the order of
// the list.
var counterparts = map[string][]string{
	"phase":   {"hybrid", "tokens", "simulate --tokens 2", "stability", "evolve --tokens 2", "overlap"},
	"overlap": {"phase", "stability", "hybrid", "simulate --tokens 2"},
	"hybrid": {"simulate --model hybrid --attention unnormalized --depth 50 --horizon 50", // hybrid defaults
		"evolve --model hybrid", "phase"},
	"weak":        {"simulate", "phase"},
	"simulate":    {"tokens", "evolve", "phase", "overlap", "propagation"},
	"tokens":      {"simulate", "evolve"},
	"evolve":      {"simulate", "tokens"},
	"stability":   {"overlap", "simulate", "phase"},
	"propagation": {"trainability", "gradients", "train"},
	"gradients":   {"propagation", "trainability", "train"},
	"measure":     {"propagation", "overlap"},
}

// synonyms are pairs of flags with related meanings, of which an experiment may have one in place of the
// other. The flag depth is the number of layers per unit of time, and the flag layers is the number of all
// layers.
var synonyms = map[string]string{"depth": "layers", "layers": "depth"}

// elsewhere returns an error for the first flag that the command does not have but another command has. The
// error names a command that has the flag. elsewhere returns nil if the command line has no such flag.
func elsewhere(app *cli.App, arguments []string) error {
	if len(arguments) < 2 {
		return nil
	}
	command := app.Command(arguments[1])
	if _, err := experiments.ByName(arguments[1]); err != nil || command == nil {
		return nil
	}
	l := readLine(app, command, arguments[2:])
	for _, name := range l.names {
		if flagOf(command, name) != nil {
			continue
		}
		if p, is := parameterOf(command.Name, synonyms[name]); is {
			return usagef("%s has no flag %s; its flag %s is: %s", command.Name, dashed(name), dashed(p.Name),
				withUnit(p))
		}
		if suggestion := l.suggestion(command.Name, name); suggestion != "" {
			return usagef("%s has no flag %s%s; %s", command.Name, dashed(name), nearFlag(command, name),
				suggestion)
		}
	}
	return nil
}

// nearFlag suggests the flag of the command whose name differs by one letter. If no flag of the command has
// such a name, nearFlag returns "".
func nearFlag(command *cli.Command, name string) string {
	for _, f := range command.Flags {
		for _, own := range f.Names() {
			if len(own) > 3 && smetrics.WagnerFischer(own, name, 1, 1, 1) <= 1 {
				return " (did you mean " + dashed(own) + "?)"
			}
		}
	}
	return ""
}

// line holds what was given after the name of a command in a command line: the parameters, and the flags that
// the command does not have.
type line struct {
	names []string // names of the given flags, in order
	given map[string]string
}

func readLine(app *cli.App, command *cli.Command, words []string) line {
	l := line{given: map[string]string{}}
	arguments, _ := argumentsOf(app, command, words)
	for _, a := range arguments {
		if a.flag && (flagOf(command, a.name) == nil || isParameter(command.Name, a.name)) {
			l.names = append(l.names, a.name)
			l.given[a.name] = a.value
		}
	}
	return l
}

// isParameter reports whether an experiment has a parameter of the given name that is a flag.
func isParameter(experiment, name string) bool {
	_, is := parameterOf(experiment, name)
	return is
}

func parameterOf(experiment, name string) (p parameter.Parameter, is bool) {
	all := run.Parameters(experiments.MustByName(experiment), new(uint64))
	return firstOf(all, func(p parameter.Parameter) bool {
		return (p.Name == name || p.Former == name && name != "") && !p.Argument
	})
}

// suggestion names a command that has the flag of the given name. A command that accepts the whole command
// line is preferred. The next best suggestion is a command that accepts the value of the flag, and after that
// any command that has the flag.
func (l line) suggestion(command, name string) string {
	candidates := havingFlag(command, name)
	for _, names := range [][]string{l.names, {name}} {
		for _, c := range candidates {
			if words, allowed := l.with(c, names); allowed {
				return words + " does it"
			}
		}
	}
	if len(candidates) == 0 {
		return ""
	}
	other, _, _ := strings.Cut(candidates[0], " ")
	return fmt.Sprintf("%s has one, and antipode %s --help says what it takes", other, other)
}

// havingFlag returns the experiments that have a parameter of the given name: counterparts of the command
// first, then experiments of the same subject, then all other experiments. Each counterpart is followed by
// the flags with which it does nearly the same as the command.
func havingFlag(command, name string) (all []string) {
	ordered := slices.Clone(counterparts[command])
	var rest []string
	for _, group := range experiments.Groups() {
		names := lists.Map(group.Experiments, run.Experiment.Name)
		if slices.Contains(names, command) {
			ordered = append(ordered, names...)
		} else {
			rest = append(rest, names...)
		}
	}
	seen := map[string]bool{command: true}
	for _, words := range append(ordered, rest...) {
		other, _, _ := strings.Cut(words, " ")
		if !seen[other] && isParameter(other, name) {
			all = append(all, words)
		}
		seen[other] = true
	}
	return all
}

// with returns the command line of a candidate, a command that may be suggested, with the named flags of the
// line. with also reports whether this command line is valid. A command line that would read a file is not
// tried.
func (l line) with(candidate string, names []string) (words string, allowed bool) {
	fields := strings.Fields(candidate)
	e := experiments.MustByName(fields[0])
	words, given := "antipode "+fields[0], map[string]string{}
	add := func(name, text string) (known bool) {
		p, known := parameterOf(e.Name(), name)
		if namer, is := p.Value.(parameter.FileNamer); is {
			_, file := namer.NamesFile(text)
			known = known && !file
		}
		given[name] = text
		words += " --" + name
		if _, is := p.Value.(parameter.Switch); !is {
			words += " " + commandline.ShellWord(text)
		}
		return known
	}
	for k := 1; k+1 < len(fields); k += 2 {
		if name := strings.TrimLeft(fields[k], "-"); !slices.Contains(names, name) {
			add(name, fields[k+1])
		}
	}
	for _, name := range names {
		if !add(name, l.given[name]) {
			return "", false
		}
	}
	_, err := run.Configure(e, given, false)
	return words, err == nil
}

// valueElsewhere names another command that accepts a value which the parameter of an experiment does not
// allow, if the value is a name or several numbers. For other values, as that of a parameter that may name a
// file, and for values that no command accepts, valueElsewhere returns "". The parameter figure is not
// considered: two commands have figures of different papers.
func valueElsewhere(experiment string, problem *parameter.Error) string {
	if p, _ := parameterOf(experiment, problem.Parameter); namesFile(p) {
		return ""
	}
	own := optionsOf(experiment, problem.Parameter)
	takes, all := takesName, "it"
	if own == nil && strings.ContainsAny(problem.Value, ",:") {
		if takes, all = takesNumbers, "several"; takes(experiment, problem.Parameter, problem.Value) {
			return "" // the parameter takes several numbers, so their number is not the mistake
		}
	} else if own == nil || problem.Parameter == run.FigureParameter || slices.Contains(own, problem.Value) {
		return ""
	}
	for _, words := range havingFlag(experiment, problem.Parameter) {
		other, _, _ := strings.Cut(words, " ")
		if takes(other, problem.Parameter, problem.Value) {
			return fmt.Sprintf("; antipode %s takes %s", other, all)
		}
	}
	return ""
}

// optionsOf returns the names that a parameter of an experiment accepts, or nil if the parameter takes values
// that are not names.
func optionsOf(experiment, name string) []string {
	p, _ := parameterOf(experiment, name)
	switch value := p.Value.(type) {
	case parameter.Chooser:
		return value.Options()
	case parameter.SeveralChooser:
		return value.Choices().Names
	}
	return nil
}

// takesName reports whether a parameter of an experiment accepts the text as one of its names.
func takesName(experiment, name, text string) bool {
	return slices.Contains(optionsOf(experiment, name), text)
}

// takesNumbers reports whether a parameter of an experiment accepts the text as a list or a grid of numbers.
func takesNumbers(experiment, name, text string) bool {
	p, is := parameterOf(experiment, name)
	return is && !namesFile(p) && p.Set(text) == nil
}

// namesFile reports whether the text of a parameter may name a file.
func namesFile(p parameter.Parameter) bool {
	_, file := p.Value.(parameter.FileNamer)
	return file
}
