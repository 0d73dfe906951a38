package splitting

import (
	"fmt"
	"slices"
	"strings"
)

// Event is the event whose probability is estimated by multilevel splitting.
type Event int8

const (
	// None is plain simulation.
	None Event = iota
	// Antipodal is the event of two opposite clusters.
	Antipodal
	// Single is the event of a single cluster.
	Single
	// Lifetime stands for lifetimes of opposite clusters that are too long for plain simulation.
	Lifetime
)

var names = []string{"none", "antipodal", "single", "lifetime"}

// String returns the name of the event, or none.
func (e Event) String() string {
	if e < 0 || int(e) >= len(names) {
		return fmt.Sprintf("Event(%d)", int8(e))
	}
	return names[e]
}

// MarshalText implements encoding.TextMarshaler by String.
func (e Event) MarshalText() ([]byte, error) { return []byte(e.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler, for a name.
func (e *Event) UnmarshalText(text []byte) error {
	k := slices.Index(names, string(text))
	if k < 0 {
		return fmt.Errorf("splitting %q: must be one of %s", text, strings.Join(names, ", "))
	}
	*e = Event(k)
	return nil
}
