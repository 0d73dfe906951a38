package parameter

import (
	"fmt"
	"slices"
	"strings"
)

// Choices is a parameter value that consists of one or more different names from a list. The chosen names are
// stored in a list of strings.
type Choices struct {
	Field *[]string
	Names []string
}

// Set implements Value.
func (v Choices) Set(text string) error {
	given := strings.Split(text, ",")
	if !v.allow(given) {
		return MustBe(v)
	}
	*v.Field = given
	return nil
}

// String implements Value.
func (v Choices) String() string { return strings.Join(*v.Field, ",") }

// Allowed implements Value.
func (v Choices) Allowed() string {
	return fmt.Sprintf("%s, or several of them, separated by commas", Choice{Names: v.Names}.Allowed())
}

// Placeholder implements Value.
func (v Choices) Placeholder() string { return "NAMES" }

// Check implements Value.
func (v Choices) Check() error { return CheckThat(v.allow(*v.Field), v) }

// Choices implements SeveralChooser.
func (v Choices) Choices() Choices { return v }

func (v Choices) allow(given []string) bool {
	for k, name := range given {
		if !slices.Contains(v.Names, name) || slices.Contains(given[:k], name) {
			return false
		}
	}
	return len(given) > 0
}
