package attention

import (
	"fmt"
	"slices"

	"antipode/sde/matrices"
)

// Gap says what is done with the gap of an attention matrix, the distance of its largest singular
// value from the others.
type Gap int8

// The gap is kept, or removed: A - 11ᵀ/T.
const (
	Keep Gap = iota
	Remove
)

// GapNames are the names, in the order of the constants.
var GapNames = []string{"keep", "remove"}

// Labels are GapNames.
func (Gap) Labels() []string { return GapNames }

// String is the name.
func (g Gap) String() string { return GapNames[g] }

// Past says what was done: kept or removed.
func (g Gap) Past() string { return []string{"kept", "removed"}[g] }

// GapOf is the gap of that name, one of GapNames.
func GapOf(name string) Gap { return Gap(slices.Index(GapNames, name)) }

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

// ArchitectureOf is the architecture of that name, one of ArchitectureNames.
func ArchitectureOf(name string) Architecture {
	return Architecture(slices.Index(ArchitectureNames, name))
}

// Kind is what networks of all sizes have in common; its columns are those of a table.
type Kind struct {
	Attention    matrices.Attention `column:"attention" meaning:"kind of attention"`
	Gap          Gap                `column:"gap" meaning:"whether the gap is kept"`
	Architecture Architecture       `column:"architecture" meaning:"what follows attention"`
}

// String names the kind.
func (k Kind) String() string {
	return fmt.Sprintf("%v, %v, gap %s", k.Attention, k.Architecture, k.Gap.Past())
}

// Sized are networks of a kind and a size: the columns that begin the table of a Grid.
type Sized struct {
	Kind
	Tokens int32 `column:"tokens" meaning:"tokens T"`
	Dim    int32 `column:"dim" meaning:"dimension D of the signal"`
}

// SizedOf is the kind and the size of a network.
func SizedOf(n matrices.Network) Sized {
	k := Kind{Attention: n.Attention}
	if n.RemoveGap {
		k.Gap = Remove
	}
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
