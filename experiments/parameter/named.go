package parameter

import (
	"encoding"
	"fmt"
)

// Named is a parameter value that is one of several names. The field of the experiment has a type that knows
// its names, such as sde.Law.
type Named struct {
	Field interface {
		fmt.Stringer
		encoding.TextUnmarshaler
	}
	Names []string // the allowed names: all or some names of the type of Field
}

func (v Named) choice() Choice {
	name := v.Field.String()
	return Choice{Field: &name, Names: v.Names}
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

// NamedList returns a parameter value that is a list of different values of a type T. The type knows the
// names of its values, such as sde.Law.
func NamedList[T any, P interface {
	*T
	fmt.Stringer
	encoding.TextUnmarshaler
}](field *[]T, names []string) SeveralChooser {
	return namedList[T, P]{field, names}
}

type namedList[T any, P interface {
	*T
	fmt.Stringer
	encoding.TextUnmarshaler
}] struct {
	field *[]T
	names []string
}

// Choices implements SeveralChooser.
func (v namedList[T, P]) Choices() Choices {
	var present []string
	for k := range *v.field {
		present = append(present, P(&(*v.field)[k]).String())
	}
	return Choices{&present, v.names}
}

func (v namedList[T, P]) Set(text string) error {
	choices := v.Choices()
	if err := choices.Set(text); err != nil {
		return err
	}
	values := make([]T, len(*choices.Field))
	for k, name := range *choices.Field {
		if err := P(&values[k]).UnmarshalText([]byte(name)); err != nil {
			return err
		}
	}
	*v.field = values
	return nil
}
func (v namedList[T, P]) String() string      { return v.Choices().String() }
func (v namedList[T, P]) Allowed() string     { return v.Choices().Allowed() }
func (v namedList[T, P]) Placeholder() string { return v.Choices().Placeholder() }
func (v namedList[T, P]) Check() error        { return v.Choices().Check() }
