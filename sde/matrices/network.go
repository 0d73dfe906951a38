package matrices

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"strings"

	"antipode/sde/internal/kernels"
)

// Network is a stack of attention layers at initialisation; it determines the law of all random matrices.
type Network struct {
	Attention Attention
	Law       Law // law of the entries of Markov matrices; ignored for other attention
	Tokens    int // number of tokens T ≥ 2
	Dim       int // dimension D ≥ 1 of the signal after every layer
	Layers    int // number of layers L ≥ 1
	Heads     int // number ≥ 1 of heads, a divisor of D; a head computes D/Heads columns of the signal
	Gap       Gap
	Values    Values
	// KeyScale is the standard deviation σ of the entries of query and key matrices; 0 stands for 1. The
	// scores of the input have standard deviation σ².
	KeyScale float64
	Skip     bool // whether X_ℓ = A X_(ℓ-1) W + X_(ℓ-1), which needs D ≥ T
	// LayerNorm centres each row of X_ℓ, after the skip connection, and scales it to mean square 1; constant
	// rows become 0. LayerNorm requires a dimension D ≥ 2.
	LayerNorm bool
}

// The constants MaxSize, MaxLayers and MaxHeads are the limits of the sizes of a Network.
const (
	MaxSize   = 1 << 24 // largest number of tokens or dimensions
	MaxLayers = 1 << 10
	MaxHeads  = 1 << 8

	largestKeyScale = 1000
)

// Validate returns an error that names the first field of the network that is out of its domain, its value
// and what is allowed.
func (n Network) Validate() error {
	switch {
	case n.Attention < 0 || int(n.Attention) >= len(AttentionNames):
		return fmt.Errorf("attention %v: must be one of %s", n.Attention, strings.Join(AttentionNames, ", "))
	case n.Law < 0 || int(n.Law) >= len(LawNames):
		return fmt.Errorf("law %v: must be one of %s", n.Law, strings.Join(LawNames, ", "))
	case n.Tokens < 2 || n.Tokens > MaxSize:
		return fmt.Errorf("tokens %d: must be from 2 to 2^24", n.Tokens)
	case n.Dim < 1 || n.Dim > MaxSize:
		return fmt.Errorf("dimension %d: must be from 1 to 2^24", n.Dim)
	case n.Layers < 1 || n.Layers > MaxLayers:
		return fmt.Errorf("layers %d: must be from 1 to %d", n.Layers, MaxLayers)
	case n.Heads < 1 || n.Heads > MaxHeads:
		return fmt.Errorf("heads %d: must be from 1 to %d", n.Heads, MaxHeads)
	case n.Dim%n.Heads != 0:
		return fmt.Errorf("heads %d: must divide the dimension %d", n.Heads, n.Dim)
	case n.Gap < 0 || int(n.Gap) >= len(GapNames):
		return fmt.Errorf("gap %v: must be one of %s", n.Gap, strings.Join(GapNames, ", "))
	case n.Values < 0 || int(n.Values) >= len(ValuesNames):
		return fmt.Errorf("values %v: must be one of %s", n.Values, strings.Join(ValuesNames, ", "))
	case !(n.KeyScale >= 0 && n.KeyScale <= largestKeyScale):
		return fmt.Errorf("key scale %v: must lie in [0, %d]", n.KeyScale, largestKeyScale)
	case n.LayerNorm && n.Dim < 2:
		return fmt.Errorf("dimension 1: must be at least 2 with LayerNorm")
	case n.Skip && n.Dim < n.Tokens:
		return fmt.Errorf("dimension %d: must be at least the %d tokens with a skip connection, "+
			"for an orthonormal input", n.Dim, n.Tokens)
	}
	return nil
}

// id identifies the random numbers of the network's matrices.
func (n Network) id() uint64 {
	text := fmt.Sprintf("matrices attention=%v tokens=%d dim=%d heads=%d", n.Attention, n.Tokens, n.Dim,
		n.Heads)
	if n.Attention == Markov {
		text += fmt.Sprintf(" law=%v", n.Law)
	}
	sum := sha256.Sum256([]byte(text))
	return binary.LittleEndian.Uint64(sum[:8])
}

// source provides the random matrices of one sample of a network.
type source struct {
	Network
	stream kernels.Stream
	sample int64
}

func (n Network) source(seed uint64, sample int64) source {
	return source{n, kernels.NewStream(seed, n.id()), sample}
}

// role is the purpose of a random matrix; matrices of different roles have independent entries.
type role int64

const (
	attentionRole role = iota
	queryRole
	keyRole
	valueRole
	roles
)

// step returns the number that identifies the random numbers of a row of a matrix within a sample; layers are
// counted from 0.
func (s source) step(r role, layer, head, row int) int64 {
	return (int64(layer*s.Heads+head)*int64(roles)+int64(r))*MaxSize + int64(row)
}

// ScoreDeviation returns the standard deviation of the attention scores in the first layer: KeyScale².
func (n Network) ScoreDeviation() float64 {
	if n.KeyScale == 0 {
		return 1
	}
	return float64(n.KeyScale * n.KeyScale)
}
