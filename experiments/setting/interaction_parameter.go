package setting

import (
	"fmt"

	"antipode/experiments/internal/namedfile"
	"antipode/experiments/parameter"
	"antipode/overlap"
)

// InteractionParameter is the parameter of any interaction.
func InteractionParameter(field *Interaction) parameter.Parameter {
	return parameter.Parameter{Name: "interaction",
		Meaning: "matrix B = QᵀK of the scores β·xᵀBy; gaussian is the same matrix for every seed",
		Value:   interactionValue{field}}
}

// interactions are the texts of interactions, for a person.
var interactions = fmt.Sprintf("identity, gaussian:SCALE (independent normal entries, SCALE is their "+
	"standard deviation), rotation:ANGLE (by so many degrees in the planes of axes 1 and 2, 3 and 4, …), "+
	"resampled:S (β I + S G with G of independent standard normal entries, new in each layer; S from 0 to "+
	"%d) or resampled:S:K (G = QᵀK/√K with K key dimensions, from 1 to %d), or a text file of d lines with d "+
	"numbers, with blanks or commas between them", overlap.MaxSpread, mostKeys)

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

// TheoryInteractionParameter is the parameter of an interaction that has a theory.
func TheoryInteractionParameter(field *Interaction) parameter.Parameter {
	return parameter.Parameter{Name: "interaction",
		Meaning: "matrix of the scores: β times the identity, " +
			"or with random queries and keys of each layer beside it",
		Value: diffusiveInteraction{field}}
}

// diffusiveInteraction is an interaction under which the overlap of two tokens is a diffusion.
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
