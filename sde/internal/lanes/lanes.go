// Package lanes advances many trajectories of one process together. It advances all their tokens, or only the
// overlap of two clusters. If there are kernels for the process, the trajectories are the lanes of vector
// instructions. Otherwise they are advanced one at a time.
//
// The package knows neither models nor ensembles: a process is described by numbers, a random
// stream and functions that draw a layer.
package lanes

import (
	"gonum.org/v1/gonum/blas/blas64"

	"antipode/sde/internal/fields"
	"antipode/sde/internal/kernels"
)

// PerVector is the number of lanes of a vector.
const PerVector = len(kernels.Vector{})

// Process describes the trajectories. All kinds of lanes need this description.
type Process struct {
	Count, Dim int            // N tokens of dimension d
	Beta       float64        // inverse temperature
	Softmax    bool           // the attention; false for unnormalised
	Sum        fields.Way     // how sums over tokens are computed one trajectory at a time
	Stream     kernels.Stream // random numbers
	// Start writes the tokens of a trajectory at layer 0 to x (N×d), from standard normal numbers.
	Start func(x []float64, d int, trajectory int64, normal func() float64) error
}

// Lane is a trajectory that is being advanced.
type Lane struct {
	Trajectory int64
	Layer      int64 // number of layers it has passed
	Err        error // why it cannot continue
}

// Lanes advance trajectories of one process together. A trajectory does not depend on its lane, or on the
// trajectories in other lanes. Lanes keep working memory, so they must not be used concurrently.
type Lanes interface {
	// Start puts a trajectory into a lane, at layer 0.
	Start(k int, trajectory int64) error
	// Advance advances the trajectories of the first len(all) lanes by a number of layers. It does not
	// allocate. If a trajectory fails, its Err is set, and its Layer has no meaning.
	Advance(all []Lane, layers int64)
	// Tokens returns the tokens of a lane (N×d), which are valid until the next call of any
	// method; nil for an overlap chain.
	Tokens(k int) []float64
	// Pair returns the overlap of the two clusters of a lane. It reports whether this overlap is all that is
	// known of the tokens.
	Pair(k int) (p Pair, ok bool)
	// Move moves the trajectory of another lane to lane k.
	Move(k, from int)
	// Copy copies the trajectory of another lane into lane k. It must not be used for lanes that merge
	// tokens. A Vector without a running lane is not changed by Advance.
	Copy(k, from int)
}

// Pair is the overlap Z of two clusters of coincident tokens.
type Pair struct {
	Masses       [2]float64 // numbers of tokens of the two clusters
	Above, Below float64    // ln(1+Z) and ln(1-Z), with relative precision; -Inf at the ends
	Of           []int32    // the cluster of each token; nil if the first Masses[0] tokens are in cluster 0
}

// Overlapping are Lanes that may know the overlaps of all tokens of a lane.
type Overlapping interface {
	// Overlaps returns the overlaps of lane k, valid until the next Start, Move or Advance, and reports
	// whether they are known.
	Overlaps(k int) (o Overlaps, ok bool)
}

// Overlaps are the overlaps of all pairs of distinct points, and the point at which each token lies.
type Overlaps struct {
	Lower blas64.General // the lower triangle of their Gram matrix
	Of    []int32        // the point of each token
}

// Between returns the overlap of tokens i and j.
func (o *Overlaps) Between(i, j int) float64 {
	a, b := int(o.Of[i]), int(o.Of[j])
	return o.Lower.Data[max(a, b)*o.Lower.Stride+min(a, b)]
}
