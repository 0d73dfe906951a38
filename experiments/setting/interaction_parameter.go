package setting

import (
	"fmt"

	"antipode/experiments/internal/namedfile"
	"antipode/experiments/parameter"
	"antipode/overlap"
)

// InteractionParameter returns the parameter of an interaction of any kind.
func InteractionParameter(field *Interaction) parameter.Parameter {
	return parameter.Parameter{Name: "interaction",
		Meaning: "matrix B = QᵀK of the scores β·xᵀBy; gaussian has independent normal entries of " +
			"standard deviation SCALE, the same for every seed; rotation turns the planes of axes 1 and " +
			"2, 3 and 4, … by ANGLE degrees; resampled is β I + S G, where each layer has a new G, " +
			"either with independent standard normal entries or QᵀK/√K with K key dimensions; a file has " +
			"blanks or commas between numbers",
		Value: interactionValue{field}}
}

// interactions lists the possible texts of interactions in messages to the user.
const interactions = "identity, gaussian:SCALE, rotation:ANGLE, resampled:S[:K] or a file of d lines of " +
	"d numbers"

type interactionValue struct{ field *Interaction }

func (v interactionValue) Set(text string) error {
	b, err := ParseInteraction(text)
	if err == nil {
		*v.field = b
	}
	return err
}
func (v interactionValue) NamesFile(text string) (name string, is bool) {
	b, err := describedInteraction(text)
	return namedfile.Name(text), err == nil && b.file != nil
}
func (v interactionValue) String() string      { return v.field.String() }
func (v interactionValue) Allowed() string     { return interactions }
func (v interactionValue) Placeholder() string { return "MATRIX" }
func (v interactionValue) Check() error        { return nil }

// FixedInteractionParameter returns the parameter of an interaction that is the same in all layers.
func FixedInteractionParameter(field *Interaction) parameter.Parameter {
	return parameter.Parameter{Name: "interaction",
		Meaning: "matrix B = QᵀK of the scores β·xᵀBy; gaussian has independent normal entries of " +
			"standard deviation SCALE, the same for every seed; rotation turns the planes of axes 1 and " +
			"2, 3 and 4, … by ANGLE degrees; a file has blanks or commas between numbers",
		Value: fixedInteraction{interactionValue{field}}}
}

// fixedInteraction is a parameter value: an interaction without random queries and keys.
type fixedInteraction struct{ interactionValue }

func (v fixedInteraction) Set(text string) error {
	b, err := ParseInteraction(text)
	if err == nil && b.Resampling().Spread > 0 {
		return parameter.MustBe(v)
	}
	if err == nil {
		*v.field = b
	}
	return err
}
func (v fixedInteraction) Allowed() string {
	return "identity, gaussian:SCALE, rotation:ANGLE or a file of d lines of d numbers"
}
func (v fixedInteraction) Check() error {
	return parameter.CheckThat(v.field.Resampling().Spread == 0, v)
}

// TheoryInteractionParameter returns the parameter of an interaction that is restricted to interactions with
// a theory.
func TheoryInteractionParameter(field *Interaction) parameter.Parameter {
	return parameter.Parameter{Name: "interaction",
		Meaning: "matrix of the scores: β times the identity; each layer may add random queries and keys",
		Value:   diffusiveInteraction{field}}
}

// diffusiveInteraction is a parameter value: an interaction under which the overlap of two tokens is a
// diffusion in the limit of infinite depth.
type diffusiveInteraction struct{ field *Interaction }

func (v diffusiveInteraction) Set(text string) error {
	b, err := describedInteraction(text)
	if err != nil || !b.HasTheory() {
		return parameter.MustBe(v)
	}
	*v.field = b
	return nil
}
func (v diffusiveInteraction) String() string { return v.field.String() }
func (v diffusiveInteraction) Allowed() string {
	return fmt.Sprintf("identity, or resampled:S (β I + S G with G of independent standard normal entries, "+
		"new in each layer) with S from 0 to %d", overlap.MaxSpread)
}
func (v diffusiveInteraction) Placeholder() string { return "MATRIX" }
func (v diffusiveInteraction) Check() error        { return parameter.CheckThat(v.field.HasTheory(), v) }
