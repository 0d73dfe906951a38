package parameter

import (
	"errors"
	"strconv"
)

// Switch is a parameter value that is on or off. On a command line, the flag of a switch takes no value: the
// switch is on if the flag is present.
type Switch struct{ On *bool }

// Set implements Value.
func (v Switch) Set(text string) error {
	on, err := strconv.ParseBool(text)
	if err != nil {
		return errors.New("must be " + v.Allowed())
	}
	*v.On = on
	return nil
}

// String implements Value.
func (v Switch) String() string { return strconv.FormatBool(*v.On) }

// Allowed implements Value.
func (v Switch) Allowed() string { return "true or false" }

// Placeholder implements Value.
func (v Switch) Placeholder() string { return "" }

// Check implements Value.
func (v Switch) Check() error { return nil }
