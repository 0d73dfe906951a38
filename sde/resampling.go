package sde

import (
	"fmt"
	"math"

	"antipode/sde/internal/kernels"
)

// Resampling adds random queries and keys, sampled independently in each layer, to the scores of a recursion:
// the score of tokens x_i and x_j becomes β x_iᵀx_j + S x_iᵀG x_j, with a random matrix G. The zero value of
// Resampling leaves the scores unchanged.
type Resampling struct {
	Spread float64 // standard deviation S in [0, 20] of the random part of a score
	// Keys is the number k of key dimensions: G = QᵀK/√k with k×d matrices Q and K of independent standard
	// normal entries. Keys = 0 stands for the limit of infinitely many key dimensions, in which the entries
	// of G are independent.
	Keys int
}

const (
	largestSpread = 20
	largestKeys   = 1 << 20
)

// none reports whether the scores have no random part.
func (r Resampling) none() bool { return r.Spread == 0 }

// numbers returns the number of normal numbers in the random queries and keys of a layer. The number is
// returned as a real number, because an integer would overflow for cells that are far too large.
func (r Resampling) numbers(dim float64) float64 {
	switch {
	case r.none():
		return 0
	case r.Keys == 0:
		return dim * dim
	}
	return float64(2 * float64(r.Keys) * dim)
}

// address returns a text that describes the resampling, after a space, for Cell.ID; the text is empty if the
// scores have no random part.
func (r Resampling) address() string {
	if r.none() {
		return ""
	}
	return fmt.Sprintf(" resampled=%x,%d", math.Float64bits(r.Spread), r.Keys)
}

func (c Cell) validateResampling() error {
	r := c.Resampling
	switch {
	case !(r.Spread >= 0 && r.Spread <= largestSpread):
		return fmt.Errorf("spread %v of resampled scores: must be from 0 to %d", r.Spread, largestSpread)
	case r.Keys < 0 || r.Keys > largestKeys:
		return fmt.Errorf("%d key dimensions of resampled scores: must be from 0 to %d", r.Keys, largestKeys)
	case r.none():
		return nil
	case c.Attention == Unnormalized && r.Spread > largestSpread/2:
		return fmt.Errorf("spread %v of resampled scores: must be at most %d with unnormalized attention",
			r.Spread,
			largestSpread/2)
	case c.Model.recursion() == nil:
		return fmt.Errorf("resampled scores: are for recursions, not for model %v", c.Model)
	case c.Interaction != nil || c.Tangent:
		return fmt.Errorf("resampled scores: need the identity as interaction matrix, and no tangent vectors")
	}
	_, transformer := c.Model.(Transformer)
	if c.Method == Chain && (!transformer || r.Keys > 0 || c.Attention != Softmax) {
		return fmt.Errorf("method chain: with resampled scores it needs model transformer, softmax and " +
			"many key dimensions")
	}
	return nil
}

// drawScores samples the normal numbers of the random queries and keys of a layer.
func drawScores(numbers []float64, s kernels.Stream, trajectory, layer int64) {
	s.Normals(numbers, 1, kernels.Scores, trajectory, layer)
}
