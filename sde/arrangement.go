package sde

import (
	"fmt"

	"antipode/sde/internal/enum"
)

// Arrangement is how attention and the MLP of a layer stand to each other. It drops out of the limit of
// infinite depth.
type Arrangement int8

const (
	// Together adds both to a token, which is then normalised.
	Together Arrangement = iota
	// InSequence adds attention, normalises, and only then adds the MLP of the result, and normalises again,
	// as blocks of Transformers do.
	InSequence
)

// ArrangementNames are the names of the arrangements, in the order of their values.
var ArrangementNames = []string{"together", "in-sequence"}

// String returns the arrangement's name.
func (a Arrangement) String() string { return enum.Name(ArrangementNames, a, "Arrangement") }

// MarshalText returns the arrangement's name, or an error if it has none.
func (a Arrangement) MarshalText() ([]byte, error) {
	return enum.Marshal(ArrangementNames, a, "arrangement")
}

// UnmarshalText takes one of ArrangementNames.
func (a *Arrangement) UnmarshalText(text []byte) error {
	return enum.Unmarshal(ArrangementNames, a, "arrangement", text)
}

// validateArrangement refuses sublayers in sequence where there are not two, or no layers.
func (c Cell) validateArrangement() error {
	err := enum.Check(ArrangementNames, c.Arrangement, "sublayers")
	switch {
	case err != nil || c.Arrangement == Together:
		return err
	case c.MLP.none():
		return fmt.Errorf("sublayers %v: need an MLP", c.Arrangement)
	case c.Model.recursion() == nil:
		return fmt.Errorf("sublayers %v: are for recursions, not for model %v", c.Arrangement, c.Model)
	}
	return nil
}
