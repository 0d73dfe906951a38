// Package lanes advances the trajectories of one process side by side: the tokens of
// configurations, or the overlap of two clusters by itself, in the lanes of vector
// instructions where there are kernels for them, else one after the other.
//
// It knows neither models nor ensembles: a Process says what trajectories there are, and is
// told in numbers and functions what a layer does.
package lanes

import "antipode/sde/internal/kernels"

// PerVector is the number of lanes of a vector.
const PerVector = len(kernels.Vector{})

// Process is what all lanes know of the trajectories that they advance.
type Process struct {
	Count, Dim int            // N tokens of dimension d
	Beta       float64        // inverse temperature
	Softmax    bool           // the attention; false for unnormalised
	Stream     kernels.Stream // random numbers
	// Start writes the tokens of a trajectory at layer 0 to x (N×d), from standard normal numbers.
	Start func(x []float64, d int, trajectory int64, normal func() float64) error
}

// Lane is a trajectory that is being advanced.
type Lane struct {
	Trajectory int64
	Layer      int64 // at which it is
	Err        error // why it cannot go on
}

// Lanes advance trajectories of one process side by side. A trajectory does not depend on
// the lane that it is in, or on the others. They keep working memory, so they serve one
// goroutine.
type Lanes interface {
	// Start puts a trajectory into a lane, at layer 0.
	Start(k int, trajectory int64) error
	// Advance takes the trajectories of the first lanes so many layers further, and does not
	// allocate. One that fails is at a layer of no meaning, and has an error.
	Advance(all []Lane, layers int64)
	// Tokens returns the tokens of a lane (N×d), until the next call of any method; nil of an
	// overlap chain.
	Tokens(k int) []float64
	// Pair returns the overlap of a lane of which two clusters, and their overlap, are all that
	// is known.
	Pair(k int) (p Pair, ok bool)
	// Move gives lane k the trajectory of another lane.
	Move(k, from int)
}

// Pair is the overlap Z of two clusters of coincident tokens.
type Pair struct {
	Masses       [2]float64 // numbers of tokens of the two clusters
	Above, Below float64    // ln(1+Z) and ln(1-Z), with relative precision; -Inf at the ends
	Of           []int32    // the cluster of each token; nil if the first Masses[0] are the first one
}
