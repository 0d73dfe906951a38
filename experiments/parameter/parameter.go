// Package parameter reads, checks and prints the parameters of experiments: numbers, grids,
// choices and switches, with errors that name the value and what is allowed.
//
//	beta := []float64{1}
//	value := parameter.Reals(&beta, parameter.Range{Low: 0, High: 10})
//	err := value.Set("0:2:0.5")
package parameter

import "fmt"

// Parameter is one parameter of an experiment.
type Parameter struct {
	Name    string // also the key in the JSON of the parameters
	Former  string // former name, which flags and files may use; "" for none
	Meaning string // one line, with the symbol
	Unit    string // "" for a pure number
	Value   Value

	// Inapplicable is the reason why the parameter has no effect at the present values of the other
	// parameters, and says when it would have one. It is "" if the parameter has an effect. It is an error if
	// the user gives an inapplicable parameter, and the metadata of a table omit it. A parameter whose effect
	// merely vanishes at some value of another parameter, such as the kind of attention at β = 0, is still
	// applicable.
	Inapplicable string
	// Preset marks a name that only chooses values of other parameters. These values are more informative
	// than the name, and the metadata omit the name.
	Preset bool
	// Argument marks the file that an experiment is about, which is given on a command line without a name.
	Argument bool
	// Instead is the name of another parameter that replaces this file; "" for none.
	Instead string
	// Further marks the files that may follow the Argument, as a single text separated by commas.
	Further bool
}

// ByName returns the parameter with the given name, which must exist.
func ByName(all []Parameter, name string) Parameter {
	for _, p := range all {
		if p.Name == name {
			return p
		}
	}
	panic("parameter: there is no " + name)
}

// Value is the value of a parameter, which the experiment reads from its own
// field.
type Value interface {
	// Set parses the value from text. After an error the value is unchanged; the error is one line that does
	// not repeat the text.
	Set(text string) error
	// String returns text that Set parses to the same value.
	String() string
	// Allowed describes the allowed values. The text is meant to follow "must be".
	Allowed() string
	// Placeholder stands for the value in a usage text and says of what type the value is.
	Placeholder() string
	// Check returns nil if the value is allowed.
	Check() error
}

// FileNamer is a Value that may name a file, which Set reads.
type FileNamer interface {
	Value
	// NamesFile returns the name of the file that Set would read, and whether the text names a file.
	NamesFile(text string) (name string, is bool)
}

// Chooser is a Value that is one of several names.
type Chooser interface {
	Value
	Options() []string
}

// SeveralChooser is a Value that consists of one or more names from a list.
type SeveralChooser interface {
	Value
	Choices() Choices
}

// Bounded is a Value of numbers in a range.
type Bounded interface {
	Value
	Bounds() Range
}

// Optional is a Value that may be absent.
type Optional interface {
	Value
	// Absent returns the word that stands for an absent value.
	Absent() string
}

// Error says that the value of a parameter is not allowed.
type Error struct {
	Parameter string // its name
	Value     string // as it was given
	Problem   string // what is allowed
}

// Error returns one line that names the parameter, its value and what is allowed.
func (e *Error) Error() string {
	return fmt.Sprintf("%s %s: %s", e.Parameter, e.Value, e.Problem)
}

// Errorf returns an *Error about the value of a parameter. Its problem is formatted as by fmt.Sprintf.
func Errorf(parameter string, value any, problem string, arguments ...any) error {
	if x, is := value.(float64); is {
		value = FormatReal(x)
	}
	return &Error{parameter, fmt.Sprint(value), fmt.Sprintf(problem, arguments...)}
}

// Check returns a *Error for the first parameter whose value is not allowed.
func Check(parameters []Parameter) error {
	for _, p := range parameters {
		if err := p.Value.Check(); err != nil {
			return &Error{p.Name, p.Value.String(), err.Error()}
		}
	}
	return nil
}

// FirstError makes checks in order until one fails, and returns its error.
func FirstError(checks ...func() error) error {
	for _, check := range checks {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

// CheckGiven returns a *Error for the first parameter that the user has given although it has no effect at
// the values of the other parameters.
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

// Unless returns the text of Inapplicable for a parameter that has an effect only if a condition holds: "" if
// the condition holds, and otherwise the reason.
func Unless(holds bool, reason string) string {
	if holds {
		return ""
	}
	return reason
}

// Where returns the parameter as it is if a condition holds; otherwise the parameter is inapplicable for the
// given reason.
func (p Parameter) Where(holds bool, reason string) Parameter {
	p.Inapplicable = Unless(holds, reason)
	return p
}

// MustBe returns the error for a value that is not allowed.
func MustBe(v Value) error { return fmt.Errorf("must be %s", v.Allowed()) }

// CheckThat returns nil if ok, and otherwise the error for a value that is not allowed.
func CheckThat(ok bool, v Value) error {
	if !ok {
		return MustBe(v)
	}
	return nil
}
