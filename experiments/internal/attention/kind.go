package attention

import (
	"fmt"
	"slices"

	"antipode/experiments/parameter"
	"antipode/sde/matrices"
)

// GapText says what was done with a gap.
func GapText(g matrices.Gap) string {
	return []string{"gap kept", "gap removed", "11ᵀ/T removed", "outliers removed"}[g]
}

// Architecture is what stands between two layers of attention.
type Architecture int8

// A skip connection and LayerNorm, one of them, or none.
const (
	Plain Architecture = iota
	Skip
	LayerNorm
	SkipLayerNorm
)

// ArchitectureNames are the names, in the order of the constants.
var ArchitectureNames = []string{"plain", "skip", "layer-norm", "skip-layer-norm"}

// Labels are ArchitectureNames.
func (Architecture) Labels() []string { return ArchitectureNames }

// String is the name.
func (a Architecture) String() string { return ArchitectureNames[a] }

// MarshalText implements encoding.TextMarshaler: the name.
func (a Architecture) MarshalText() ([]byte, error) { return []byte(a.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (a *Architecture) UnmarshalText(text []byte) error {
	k := slices.Index(ArchitectureNames, string(text))
	if k < 0 {
		return parameter.MustBe(parameter.Choice{Names: ArchitectureNames})
	}
	*a = Architecture(k)
	return nil
}

// Architectures are all of them.
func Architectures() []Architecture { return []Architecture{Plain, Skip, LayerNorm, SkipLayerNorm} }

// Kind is what networks of all sizes have in common; its columns are those of a table.
type Kind struct {
	Attention    matrices.Attention `column:"attention" meaning:"kind of attention"`
	Gap          matrices.Gap       `column:"gap" meaning:"whether the gap is kept, or how it is removed"`
	Values       matrices.Values    `column:"values" otherwise:"gaussian" meaning:"law of the value matrices"`
	Architecture Architecture       `column:"architecture" meaning:"what follows attention"`
}

// String names the kind.
func (k Kind) String() string {
	text := fmt.Sprintf("%v, %v, %s", k.Attention, k.Architecture, GapText(k.Gap))
	if k.Values != matrices.GaussianValues {
		text += fmt.Sprintf(", %v values", k.Values)
	}
	return text
}

// Sized are networks of a kind and a size: the columns that begin the table of a Grid.
type Sized struct {
	Kind
	Tokens int32 `column:"tokens" meaning:"tokens T"`
	Dim    int32 `column:"dim" meaning:"dimension D of the signal"`
}

// SizedOf is the kind and the size of a network.
func SizedOf(n matrices.Network) Sized {
	k := Kind{Attention: n.Attention, Gap: n.Gap, Values: n.Values}
	switch {
	case n.Skip && n.LayerNorm:
		k.Architecture = SkipLayerNorm
	case n.LayerNorm:
		k.Architecture = LayerNorm
	case n.Skip:
		k.Architecture = Skip
	}
	return Sized{Kind: k, Tokens: int32(n.Tokens), Dim: int32(n.Dim)}
}
