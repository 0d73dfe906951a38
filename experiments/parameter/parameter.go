// Package parameter reads, checks and prints the parameters of experiments: numbers, grids, choices and
// switches. Errors of the package name the value and what is allowed.
//
//	beta := []float64{1}
//	value := parameter.Reals(&beta, parameter.Range{Low: 0, High: 10})
//	err := value.Set("0:2:0.5")
package parameter

import "fmt"

// Parameter is one parameter of an experiment, with its name, its meaning and its value.
type Parameter struct {
	Name    string // also the key of the parameter in JSON
	Former  string // former name of the parameter, for old flags and files; "" for none
	Meaning string // one line, with the symbol of the parameter
	Unit    string // "" for a pure number
	Value   Value
	Then    func() // called by Set after setting the value, to set what depends on it; nil for nothing

	// Inapplicable is the reason why the parameter has no effect at the present values of the other
	// parameters. The reason also says when the parameter would have an effect. Inapplicable is "" if the
	// parameter has an effect. If the user gives an inapplicable parameter, this is an error, and the
	// metadata of a table omit the parameter. A parameter whose effect merely vanishes at some value of
	// another parameter, such as the kind of attention at β = 0, is still applicable.
	Inapplicable string
	// Preset marks a parameter that is only a name for values of other parameters. Because those values are
	// more informative than the name, the metadata of a table omit the parameter.
	Preset bool
	// Argument marks the file that an experiment is about. On a command line, this file is given without the
	// name of the parameter.
	Argument bool
	// Instead is the name of another parameter that can be given in place of the file marked by Argument; ""
	// for none.
	Instead string
	// Further marks a parameter that lists further files after the Argument, as a single text separated by
	// commas.
	Further bool
}

// Set parses a text, sets the value, and calls Then. After an error the value is unchanged and Then is not
// called; the error is that of Value.Set.
func (p Parameter) Set(text string) error {
	err := p.Value.Set(text)
	if err == nil && p.Then != nil {
		p.Then()
	}
	return err
}

// ByName returns the parameter with the given name. ByName panics if no parameter has the name.
func ByName(all []Parameter, name string) Parameter {
	for _, p := range all {
		if p.Name == name {
			return p
		}
	}
	panic("parameter: there is no " + name)
}

// Value is the value of a parameter. A Value points to a field of the experiment, from which the experiment
// reads the value.
type Value interface {
	// Set parses a text and sets the value. After an error the value is unchanged; the error is one line that
	// does not repeat the text.
	Set(text string) error
	// String returns a text that Set parses to the present value.
	String() string
	// Allowed describes the allowed values in a text that is meant to follow "must be".
	Allowed() string
	// Placeholder returns the word, such as NUMBER, that stands for the value in a usage text and says of
	// what type the value is.
	Placeholder() string
	// Check returns nil if the present value is allowed, and otherwise an error that says what is allowed.
	Check() error
}

// FileNamer is a Value whose text may name a file, which Set reads.
type FileNamer interface {
	Value
	// NamesFile reports whether a text names a file, and returns the name of the file that Set would read.
	NamesFile(text string) (name string, is bool)
}

// Chooser is a Value that is one of several names, which Options returns.
type Chooser interface {
	Value
	Options() []string
}

// SeveralChooser is a Value that consists of one or more names from a list, as a value of type Choices does.
type SeveralChooser interface {
	Value
	Choices() Choices
}

// Bounded is a Value that is a number, or several numbers, in the range that Bounds returns.
type Bounded interface {
	Value
	Bounds() Range
}

// Optional is a Value that may be absent, such as a list of numbers that may be empty.
type Optional interface {
	Value
	// Absent returns the text that stands for an absent value.
	Absent() string
}

// Error says that the value of a parameter is not allowed, and what is allowed.
type Error struct {
	Parameter string // the name of the parameter
	Value     string // the value as it was given
	Problem   string // what is allowed instead
}

// Error returns one line that names the parameter, its value, and the values that are allowed.
func (e *Error) Error() string {
	return fmt.Sprintf("%s %s: %s", e.Parameter, e.Value, e.Problem)
}

// Errorf returns an *Error about the given value of a parameter. The text of the problem is formatted as by
// fmt.Sprintf.
func Errorf(parameter string, value any, problem string, arguments ...any) error {
	if x, is := value.(float64); is {
		value = FormatReal(x)
	}
	return &Error{parameter, fmt.Sprint(value), fmt.Sprintf(problem, arguments...)}
}

// Check returns an *Error for the first parameter whose value is not allowed, or nil if all values are
// allowed.
func Check(parameters []Parameter) error {
	for _, p := range parameters {
		if err := p.Value.Check(); err != nil {
			return &Error{p.Name, p.Value.String(), err.Error()}
		}
	}
	return nil
}

// FirstError calls checks in order until one of them returns an error, and returns that error. FirstError
// returns nil if all checks succeed.
func FirstError(checks ...func() error) error {
	for _, check := range checks {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

// CheckGiven returns an *Error for the first parameter that the user has given although that parameter has no
// effect at the values of the other parameters. The function given reports whether the user has given a
// parameter.
func CheckGiven(parameters []Parameter, given func(p Parameter) bool) error {
	for _, p := range parameters {
		if p.Inapplicable != "" && given(p) {
			value := p.Value.String()
			if namer, is := p.Value.(FileNamer); is {
				value, _ = namer.NamesFile(value)
			}
			return &Error{p.Name, value, p.Inapplicable}
		}
	}
	return nil
}

// Unless returns the text of Inapplicable for a parameter that has an effect only if a condition holds. The
// text is "" if the condition holds, and otherwise the reason.
func Unless(holds bool, reason string) string {
	if holds {
		return ""
	}
	return reason
}

// Where returns the parameter unchanged if a condition holds. Otherwise Where returns the parameter with the
// given reason why it is inapplicable.
func (p Parameter) Where(holds bool, reason string) Parameter {
	p.Inapplicable = Unless(holds, reason)
	return p
}

// MustBe returns the error that says which values are allowed for v.
func MustBe(v Value) error { return fmt.Errorf("must be %s", v.Allowed()) }

// CheckThat returns nil if ok is true, and otherwise the error that says which values are allowed for v.
func CheckThat(ok bool, v Value) error {
	if !ok {
		return MustBe(v)
	}
	return nil
}
