// Package enum implements the names of enumerations, whose values count from 0.
package enum

import (
	"fmt"
	"strings"
)

// Name returns the name of a value of an enumeration. For a value without a name, Name returns the kind of
// the enumeration and the number of the value.
func Name[T ~int8](names []string, value T, kind string) string {
	if value < 0 || int(value) >= len(names) {
		return fmt.Sprintf("%s(%d)", kind, value)
	}
	return names[value]
}

// Check returns an error for a value of an enumeration that has no name.
func Check[T ~int8](names []string, value T, kind string) error {
	if value < 0 || int(value) >= len(names) {
		return fmt.Errorf("%s %d: must be one of %s", kind, value, strings.Join(names, ", "))
	}
	return nil
}

// Marshal implements MarshalText: it returns the name of a value, or an error if the value has no name.
func Marshal[T ~int8](names []string, value T, kind string) ([]byte, error) {
	if err := Check(names, value, kind); err != nil {
		return nil, err
	}
	return []byte(names[value]), nil
}

// Unmarshal implements UnmarshalText: it sets the value that has the given name. For any other text it
// returns an error that lists all names.
func Unmarshal[T ~int8](names []string, value *T, kind string, text []byte) error {
	for k, name := range names {
		if name == string(text) {
			*value = T(k)
			return nil
		}
	}
	return fmt.Errorf("%s %q: must be one of %s", kind, text, strings.Join(names, ", "))
}
