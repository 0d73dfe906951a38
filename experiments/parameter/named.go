package parameter

import (
	"encoding"
	"fmt"
)

// Named is one of several named values, in a field of a type that knows their names.
type Named struct {
	Field interface {
		fmt.Stringer
		encoding.TextUnmarshaler
	}
	Names []string // that the field takes, or some of them
}

func (v Named) choice() Choice {
	name := v.Field.String()
	return Choice{&name, v.Names}
}

// Set implements Value.
func (v Named) Set(text string) error {
	if err := v.choice().Set(text); err != nil {
		return err
	}
	return v.Field.UnmarshalText([]byte(text))
}

// String implements Value.
func (v Named) String() string { return v.Field.String() }

// Allowed implements Value.
func (v Named) Allowed() string { return v.choice().Allowed() }

// Placeholder implements Value.
func (v Named) Placeholder() string { return "NAME" }

// Check implements Value.
func (v Named) Check() error { return v.choice().Check() }

// Options implements Chooser.
func (v Named) Options() []string { return v.Names }
