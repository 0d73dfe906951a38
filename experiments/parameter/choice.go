package parameter

import (
	"slices"
	"strings"
)

// Choice is a parameter value that is one of several names. The chosen name is stored in a string.
type Choice struct {
	Field *string
	Names []string
	Empty string // the one of the names that is stored as ""; "" for none
}

// Set implements Value.
func (v Choice) Set(text string) error {
	if !slices.Contains(v.Names, text) {
		return MustBe(v)
	}
	if *v.Field = text; text == v.Empty {
		*v.Field = ""
	}
	return nil
}

// String implements Value.
func (v Choice) String() string {
	if *v.Field == "" {
		return v.Empty
	}
	return *v.Field
}

// Allowed implements Value.
func (v Choice) Allowed() string {
	if len(v.Names) == 1 {
		return v.Names[0]
	}
	return strings.Join(v.Names[:len(v.Names)-1], ", ") + " or " + v.Names[len(v.Names)-1]
}

// Placeholder implements Value.
func (v Choice) Placeholder() string { return "NAME" }

// Check implements Value.
func (v Choice) Check() error { return CheckThat(slices.Contains(v.Names, v.String()), v) }

// Options implements Chooser.
func (v Choice) Options() []string { return v.Names }

// Index returns the position of the chosen name.
func (v Choice) Index() int { return slices.Index(v.Names, v.String()) }
