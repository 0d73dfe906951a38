package splitting

import (
	"fmt"
	"slices"
	"strings"
)

// Event is a rare event whose probability is estimated by multilevel splitting.
type Event int8

const (
	// None stands for plain simulation without splitting.
	None Event = iota
	// Antipodal is the event that the tokens end in two opposite clusters.
	Antipodal
	// Single is the event that all tokens end in a single cluster.
	Single
	// Lifetime stands for the estimation of lifetimes of opposite clusters that are too long for plain
	// simulation.
	Lifetime
)

var names = []string{"none", "antipodal", "single", "lifetime"}

// String returns the name of the event; the name of None is none.
func (e Event) String() string {
	if e < 0 || int(e) >= len(names) {
		return fmt.Sprintf("Event(%d)", int8(e))
	}
	return names[e]
}

// MarshalText implements encoding.TextMarshaler by the method String.
func (e Event) MarshalText() ([]byte, error) { return []byte(e.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler for the name of an event.
func (e *Event) UnmarshalText(text []byte) error {
	k := slices.Index(names, string(text))
	if k < 0 {
		return fmt.Errorf("splitting %q: must be one of %s", text, strings.Join(names, ", "))
	}
	*e = Event(k)
	return nil
}
