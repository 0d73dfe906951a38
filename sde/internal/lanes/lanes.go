// Package lanes advances many trajectories of one process together, each in a lane of its own. The state of a
// trajectory consists of all its tokens, or only of the overlap of two clusters. If package kernels has
// kernels for the process, trajectories are advanced side by side in the lanes of vector (SIMD) instructions.
// For other processes, trajectories are advanced one at a time.
//
// Package lanes knows neither models nor ensembles: a process is described by numbers, a stream of random
// numbers, and functions that sample the noise of a layer.
package lanes

import (
	"gonum.org/v1/gonum/blas/blas64"

	"antipode/sde/internal/fields"
	"antipode/sde/internal/kernels"
)

// PerVector is the number of lanes of a Vector.
const PerVector = len(kernels.Vector{})

// Process is the part of the description of trajectories that all kinds of Lanes need.
type Process struct {
	Count, Dim int            // number N and dimension d of the tokens
	Beta       float64        // inverse temperature β of attention
	Softmax    bool           // whether attention is softmax; false for unnormalised attention
	Sum        fields.Way     // how attention is summed over tokens, for one trajectory at a time
	Stream     kernels.Stream // generator of the random numbers
	// Start writes the tokens of a trajectory at layer 0 to x (N×d), computed from standard normal numbers,
	// which the function normal samples.
	Start func(x []float64, d int, trajectory int64, normal func() float64) error
}

// Lane describes a trajectory that is being advanced in a lane.
type Lane struct {
	Trajectory int64
	Layer      int64 // number of layers that the trajectory has passed
	Err        error // why the trajectory cannot continue; nil if it can
}

// Lanes advance trajectories of one process together. A trajectory does not depend on its lane, or on the
// trajectories in other lanes. Lanes keep working memory, so they must not be used concurrently.
type Lanes interface {
	// Start puts a trajectory into a lane, at layer 0.
	Start(k int, trajectory int64) error
	// Advance advances the trajectories of the first len(all) lanes by a number of layers, without allocating
	// memory. If a trajectory fails, its Lane.Err is set, and its Lane.Layer has no meaning.
	Advance(all []Lane, layers int64)
	// Tokens returns the tokens of a lane (N×d), which are valid until the next call of any method. For a
	// chain of overlaps, Tokens returns nil.
	Tokens(k int) []float64
	// Pair returns the overlap of the two clusters of a lane. The result ok reports whether only this overlap
	// of the tokens is known.
	Pair(k int) (p Pair, ok bool)
	// Move moves the trajectory of another lane to lane k.
	Move(k, from int)
	// Copy copies the trajectory of another lane into lane k. Copy must not be used for lanes that merge
	// tokens. Advance does not change a Vector without a running lane.
	Copy(k, from int)
}

// Pair is the overlap Z of the two clusters of a trajectory whose tokens form two clusters of coincident
// tokens.
type Pair struct {
	Masses       [2]float64 // numbers of tokens of the two clusters
	Above, Below float64    // ln(1+Z) and ln(1-Z), with relative precision; -Inf for Z = -1 and Z = 1
	Of           []int32    // cluster of each token; nil if the first Masses[0] tokens are in cluster 0
}

// Overlapping is implemented by Lanes that may know the overlaps of all tokens of a lane.
type Overlapping interface {
	// Overlaps returns the overlaps of lane k, which are valid until the next Start, Move or Advance, and
	// reports whether the overlaps are known.
	Overlaps(k int) (o Overlaps, ok bool)
}

// Overlaps holds the overlaps of all pairs of the distinct points of a trajectory, and the point at which
// each token lies.
type Overlaps struct {
	Lower blas64.General // lower triangle of the Gram matrix of the points
	Of    []int32        // point at which each token lies
}

// Between returns the overlap of tokens i and j.
func (o *Overlaps) Between(i, j int) float64 {
	a, b := int(o.Of[i]), int(o.Of[j])
	return o.Lower.Data[max(a, b)*o.Lower.Stride+min(a, b)]
}
