package sde

import (
	"fmt"
	"strings"
)

// nameOf is the name of a value of an enumeration, which counts from 0.
func nameOf[T ~int8](names []string, value T, kind string) string {
	if value < 0 || int(value) >= len(names) {
		return fmt.Sprintf("%s(%d)", kind, value)
	}
	return names[value]
}

// checkName refuses a value that has no name.
func checkName[T ~int8](names []string, value T, kind string) error {
	if value < 0 || int(value) >= len(names) {
		return fmt.Errorf("%s %d: must be one of %s", kind, value, strings.Join(names, ", "))
	}
	return nil
}

func marshalName[T ~int8](names []string, value T, kind string) ([]byte, error) {
	if err := checkName(names, value, kind); err != nil {
		return nil, err
	}
	return []byte(names[value]), nil
}

func unmarshalName[T ~int8](names []string, value *T, kind string, text []byte) error {
	for k, name := range names {
		if name == string(text) {
			*value = T(k)
			return nil
		}
	}
	return fmt.Errorf("%s %q: must be one of %s", kind, text, strings.Join(names, ", "))
}
