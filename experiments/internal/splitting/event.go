package splitting

import (
	"fmt"
	"slices"
	"strings"
)

// Event is what multilevel splitting is for.
type Event int8

const (
	// None is plain simulation.
	None Event = iota
	// Antipodal is for the probability of two opposite clusters.
	Antipodal
	// Single is for that of a single one.
	Single
	// Lifetime is for lifetimes of opposite clusters that are too long for plain simulation.
	Lifetime
)

var names = []string{"none", "antipodal", "single", "lifetime"}

// String is the name of the event, or none.
func (e Event) String() string {
	if e < 0 || int(e) >= len(names) {
		return fmt.Sprintf("Event(%d)", int8(e))
	}
	return names[e]
}

// MarshalText implements encoding.TextMarshaler by String.
func (e Event) MarshalText() ([]byte, error) { return []byte(e.String()), nil }

// UnmarshalText takes a name.
func (e *Event) UnmarshalText(text []byte) error {
	k := slices.Index(names, string(text))
	if k < 0 {
		return fmt.Errorf("splitting %q: must be one of %s", text, strings.Join(names, ", "))
	}
	*e = Event(k)
	return nil
}
