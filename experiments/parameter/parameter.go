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
	Name    string // also the key of its value in the parameters' JSON
	Former  string // an older name, which flags and files may have; "" for none
	Meaning string // one line, with the symbol
	Unit    string // "" for a pure number
	Value   Value

	// Inapplicable says why the parameter has no effect given the present values of the others, and
	// when it would have one; "" if it has. One that is inapplicable is refused where a person gives it, and
	// is left out of what a table says of itself. That an effect is nil at some value of another parameter,
	// as of attention at β = 0, does not make it inapplicable.
	Inapplicable string
	// Preset marks a name that only chooses values of other parameters, which say more: it is left out
	// too.
	Preset bool
	// Argument marks the file that an experiment is about: on a command line it is given without a name.
	Argument bool
	// Instead is the name of another parameter with which that file may be left out; "" for none.
	Instead string
	// Further marks the files that may follow that one, one text with commas between.
	Further bool
}

// ByName is the one of that name; there must be one.
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
	// Set reads the value from text. An error leaves the value as it was and is
	// one line that does not repeat the text.
	Set(text string) error
	// String is text that Set reads as the same value.
	String() string
	// Allowed says what the value may be, to follow "must be".
	Allowed() string
	// Placeholder stands for the value in a usage text, and names its type.
	Placeholder() string
	// Check is nil if the value is allowed.
	Check() error
}

// FileNamer is a Value that may name a file, which Set reads.
type FileNamer interface {
	Value
	// NamesFile is the name of the file that Set would read, and whether the text names one.
	NamesFile(text string) (name string, is bool)
}

// Chooser is a Value that is one of several names.
type Chooser interface {
	Value
	Options() []string
}

// SeveralChooser is a Value that is several of some names.
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
	// Absent is the word that stands for none.
	Absent() string
}

// Error says that the value of a parameter is not allowed.
type Error struct {
	Parameter string // its name
	Value     string // as it was given
	Problem   string // what is allowed
}

// Error is one line that names the parameter, its value and what is allowed.
func (e *Error) Error() string {
	return fmt.Sprintf("%s %s: %s", e.Parameter, e.Value, e.Problem)
}

// Errorf returns an *Error on the value of a parameter, whose problem is formatted as by fmt.Sprintf.
func Errorf(parameter string, value any, problem string, arguments ...any) error {
	if x, is := value.(float64); is {
		value = FormatReal(x)
	}
	return &Error{parameter, fmt.Sprint(value), fmt.Sprintf(problem, arguments...)}
}

// Check returns a *Error for the first of the parameters that has a value
// that is not allowed.
func Check(parameters []Parameter) error {
	for _, p := range parameters {
		if err := p.Value.Check(); err != nil {
			return &Error{p.Name, p.Value.String(), err.Error()}
		}
	}
	return nil
}

// CheckGiven returns a *Error for the first of the parameters that a person has given although it has
// no effect given the others.
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

// Unless is the reason of a parameter that has an effect only if a condition holds.
func Unless(holds bool, reason string) string {
	if holds {
		return ""
	}
	return reason
}

// MustBe is the error of a value that is not allowed.
func MustBe(v Value) error { return fmt.Errorf("must be %s", v.Allowed()) }

// CheckThat is nil if ok, and else the error of a value that is not allowed.
func CheckThat(ok bool, v Value) error {
	if !ok {
		return MustBe(v)
	}
	return nil
}
