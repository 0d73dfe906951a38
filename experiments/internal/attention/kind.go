package attention

import (
	"fmt"
	"slices"

	"antipode/experiments/parameter"
	"antipode/sde/matrices"
)

// GapText says in words whether the spectral gap of attention matrices is kept, or what is removed.
func GapText(g matrices.Gap) string {
	return []string{"gap kept", "gap removed", "11ᵀ/T removed", "outliers removed"}[g]
}

// Architecture says what surrounds a layer of attention: a skip connection, LayerNorm, both or neither.
type Architecture int8

// The architectures: neither a skip connection nor LayerNorm (Plain), one of them, or both.
const (
	Plain Architecture = iota
	Skip
	LayerNorm
	SkipLayerNorm
)

// ArchitectureNames are the names of the architectures, in the order of the constants.
var ArchitectureNames = []string{"plain", "skip", "layer-norm", "skip-layer-norm"}

// Labels returns the names of the architectures, ArchitectureNames.
func (Architecture) Labels() []string { return ArchitectureNames }

// String returns the name of the architecture.
func (a Architecture) String() string { return ArchitectureNames[a] }

// MarshalText implements encoding.TextMarshaler by the name of the architecture.
func (a Architecture) MarshalText() ([]byte, error) { return []byte(a.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler. The text must be one of ArchitectureNames.
func (a *Architecture) UnmarshalText(text []byte) error {
	k := slices.Index(ArchitectureNames, string(text))
	if k < 0 {
		return parameter.MustBe(parameter.Choice{Names: ArchitectureNames})
	}
	*a = Architecture(k)
	return nil
}

// Architectures returns all architectures in the order of the constants.
func Architectures() []Architecture { return []Architecture{Plain, Skip, LayerNorm, SkipLayerNorm} }

// Kind is what attention networks of all sizes have in common. The fields of a Kind are columns of a table.
type Kind struct {
	Attention    matrices.Attention `column:"attention" meaning:"kind of attention"`
	_            struct{}           `meaning:"whether the spectral gap of the attention matrix is kept, or"`
	_            struct{}           `meaning:"how it is removed"`
	Gap          matrices.Gap       `column:"gap"`
	Values       matrices.Values    `column:"values" otherwise:"gaussian" meaning:"law of the value matrices"`
	Architecture Architecture       `column:"architecture" meaning:"what follows attention in a layer"`
}

// String names the kind of network by all its properties.
func (k Kind) String() string {
	text := fmt.Sprintf("%v, %v, %s", k.Attention, k.Architecture, GapText(k.Gap))
	if k.Values != matrices.GaussianValues {
		text += fmt.Sprintf(", %v values", k.Values)
	}
	return text
}

// Sized is a kind of network together with a size: the columns with which the table of a Grid begins.
type Sized struct {
	Kind
	Tokens int32 `column:"tokens" meaning:"number T of tokens in a sequence"`
	Dim    int32 `column:"dim" meaning:"dimension D of the signal"`
}

// SizedOf returns the kind and the size of a network as columns of a table.
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
