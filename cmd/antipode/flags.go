package main

import (
	"errors"
	"fmt"
	"strings"

	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/experiments/wording"

	"github.com/urfave/cli/v2"
)

// valueFlag is a flag whose value is read by a parameter.Value. A valueFlag stores the text of its value
// until apply is called. So a preset can be applied before the other flags, whatever their order in the
// command line.
type valueFlag struct {
	parameter parameter.Parameter
	text      *string // text of the value; nil if the flag was not given
}

// Set implements cli.Generic.
func (f *valueFlag) Set(text string) error {
	f.text = &text
	return nil
}

// String implements cli.Generic.
func (f *valueFlag) String() string { return f.parameter.Value.String() }

// Serialize implements cli.Serializer: it returns the text of the value that was given, under either name of
// the flag.
func (f *valueFlag) Serialize() string { return *f.text }

// Get implements flag.Getter: it returns the text of the value that was given.
func (f *valueFlag) Get() any { return *f.text }

// apply sets the value of the parameter from the flag, if the flag was given.
func (f *valueFlag) apply() error {
	if f.text == nil {
		return nil
	}
	if err := f.parameter.Set(*f.text); err != nil {
		return usagef("--%s %s: %v", f.parameter.Name, wording.Quoted(*f.text), err)
	}
	return nil
}

// flagSet holds the flags of a command.
type flagSet struct {
	flags  []cli.Flag
	values []*valueFlag // flags with a value that are not parameters of an experiment
}

// addFlag adds a flag with a value to the command.
func (s *flagSet) addFlag(p parameter.Parameter) *cli.GenericFlag {
	value, flag := newFlag(p)
	s.values, s.flags = append(s.values, value), append(s.flags, flag)
	return flag
}

// addSwitch adds a flag without a value to the command.
func (s *flagSet) addSwitch(name, usage string, field *bool) {
	s.flags = append(s.flags, newSwitch(name, usage, field))
}

// apply sets the values of the flags that were given. apply returns an error for the first value that is not
// allowed.
func (s *flagSet) apply() error {
	for _, f := range s.values {
		if err := f.apply(); err != nil {
			return err
		}
	}
	return nil
}

// newFlag returns the flag of a parameter in two forms: as a valueFlag, and as a flag of the parser.
func newFlag(p parameter.Parameter) (*valueFlag, *cli.GenericFlag) {
	f := &valueFlag{parameter: p}
	flag := &cli.GenericFlag{Name: p.Name, Value: f, DefaultText: p.Value.String()}
	if p.Former != "" {
		flag.Aliases = []string{p.Former}
	}
	return f, flag
}

// parameterFlag returns the flag of a parameter of an experiment.
func parameterFlag(p parameter.Parameter) cli.Flag {
	if value, is := p.Value.(parameter.Switch); is {
		return &cli.BoolFlag{Name: p.Name, Usage: p.Meaning, Value: *value.On}
	}
	_, flag := newFlag(p)
	return flag
}

// newSwitch returns a flag without a value, which sets the field if it is given.
func newSwitch(name, usage string, field *bool) cli.Flag {
	return &cli.BoolFlag{Name: name, Usage: usage, Destination: field}
}

// parameterProblem turns the first error of a parameter of the experiment into a usageError. parameterProblem
// returns other errors unchanged.
func parameterProblem(e run.Experiment, err error) error {
	var problem *parameter.Error
	if !errors.As(err, &problem) {
		return err
	}
	name := "--" + problem.Parameter
	if argument, is := argumentOf(e); is && argument.Name == problem.Parameter {
		name = "FILE"
	}
	return usagef("%s %s: %s%s", name, wording.Quoted(problem.Value), problem.Problem,
		valueElsewhere(e.Name(), problem))
}

// onUsageError gives the errors of the flag parser the form that all errors of the program have.
func onUsageError(c *cli.Context, err error, _ bool) error {
	text := err.Error()
	if name, found := strings.CutPrefix(text, "flag provided but not defined: "); found {
		return unknownFlag(c, dashed(strings.TrimLeft(name, "-")))
	}
	if name, found := strings.CutPrefix(text, "bad flag syntax: "); found { // for example ---dim or --=3
		return unknownFlag(c, name)
	}
	if name, found := strings.CutPrefix(text, "flag needs an argument: "); found {
		name = strings.TrimLeft(name, "-")
		return usagef("--%s: a value is missing; must be %s", name,
			flagNamed(c.Command, name).parameter.Value.Allowed())
	}
	var value, name string // of a switch, as the parser refuses no text of another flag
	fmt.Sscanf(text, "invalid boolean value %q for -%s", &value, &name)
	return usagef("--%s %s: is a switch; must be given without a value", strings.TrimSuffix(name, ":"),
		wording.Quoted(value))
}

func unknownFlag(c *cli.Context, given string) error {
	question := parameter.DidYouMean(given, flagNames(c), parameter.Typed)
	return usagef("no flag is called %s%s; %s --help lists them", wording.Quoted(given), question,
		c.Command.HelpName)
}

// dashed returns the name of a flag after two dashes, or after one dash if the name is a single letter.
func dashed(name string) string { return strings.Repeat("-", min(len(name), 2)) + name }

func flagNames(c *cli.Context) []string {
	var names []string
	for _, f := range c.Command.Flags {
		for _, name := range f.Names() {
			if len(name) > 1 {
				names = append(names, dashed(name))
			}
		}
	}
	return names
}
