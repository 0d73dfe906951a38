package splitting

import "antipode/internal/enum"

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
func (e Event) String() string { return enum.Name(names, e, "Event") }

// MarshalText implements encoding.TextMarshaler by the method String.
func (e Event) MarshalText() ([]byte, error) { return []byte(e.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler for the name of an event.
func (e *Event) UnmarshalText(text []byte) error { return enum.Unmarshal(names, e, "splitting", text) }
