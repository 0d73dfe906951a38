package sde

import (
	"fmt"
	"math"

	"antipode/sde/internal/kernels"
	"antipode/sphere"
)

// Resampling adds random queries and keys, drawn anew in each layer, to the scores of a recursion: they
// become β x_iᵀx_j + S x_iᵀG x_j. The zero value adds none.
type Resampling struct {
	Spread float64 // S in [0, 20]
	// Keys is the number k of key dimensions: G = QᵀK/√k, Q and K of independent standard normal entries,
	// k×d; 0 for the limit of many, in which the entries of G are independent.
	Keys int
}

const (
	largestSpread = 20
	largestKeys   = 1 << 20
)

// none reports whether scores are as without.
func (r Resampling) none() bool { return r.Spread == 0 }

// numbers is how many normal numbers a layer takes; a real number, since it is also asked of cells that
// are far too large.
func (r Resampling) numbers(dim float64) float64 {
	switch {
	case r.none():
		return 0
	case r.Keys == 0:
		return dim * dim
	}
	return float64(2 * float64(r.Keys) * dim)
}

// address describes the resampling, after a space; nothing if there is none.
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
		return fmt.Errorf("resampled scores: are for recursions, not for model %v%s", c.Model,
			c.Model.address())
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

// randomScores are x_iᵀG x_j of a layer, times the spread.
type randomScores struct {
	Resampling
	dim     int
	beta    float64
	numbers []float64 // G, d×d, or Q and K, k×d each
	queries []float64 // of the tokens, N times d or k
	keys    []float64
}

func newRandomScores(c Cell) *randomScores {
	size := c.Dim
	if c.Resampling.Keys > 0 {
		size = c.Resampling.Keys
	}
	return &randomScores{
		Resampling: c.Resampling, dim: c.Dim, numbers: make([]float64,
			int(c.Resampling.numbers(float64(c.Dim)))),
		queries: make([]float64, c.Tokens*size), keys: make([]float64, c.Tokens*size),
	}
}

// add multiplies products of n tokens x by β, and adds the random scores.
func (r *randomScores) add(scores, x []float64, n int) {
	d, size, spread := r.dim, r.dim, r.Spread
	queries := x
	if r.Keys > 0 {
		size, queries = r.Keys, r.queries
		spread /= math.Sqrt(float64(r.Keys))
		r.project(r.queries, r.numbers[:size*d], x, n)
	}
	r.project(r.keys, r.numbers[len(r.numbers)-size*d:], x, n)
	for i := range n {
		for j := range n {
			random := sphere.Dot(queries[i*size:(i+1)*size], r.keys[j*size:(j+1)*size])
			scores[i*n+j] = float64(r.beta*scores[i*n+j]) + float64(spread*random)
		}
	}
}

// project writes the products of a matrix with d columns and n tokens to dst.
func (r *randomScores) project(dst, matrix, x []float64, n int) {
	d := r.dim
	rows := len(matrix) / d
	for i := range n {
		for k := range rows {
			dst[i*rows+k] = sphere.Dot(matrix[k*d:(k+1)*d], x[i*d:(i+1)*d])
		}
	}
}

// resampledStepper takes the numbers of the scores after the increment of a stepper.
type resampledStepper struct {
	attendingStepper
	own int
}

// attendingStepper is a stepper of a recursion.
type attendingStepper interface {
	Stepper
	SetMasses(masses []float64)
	attending() *attention
}

func (s *transformerStepper) attending() *attention { return s.attention }
func (s *hybridStepper) attending() *attention      { return s.attention }

// newResampledStepper returns the stepper of a cell with resampled scores.
func newResampledStepper(c Cell) Stepper {
	stepper := c.Model.stepper(c).(attendingStepper)
	return &resampledStepper{stepper, stepper.IncrementLen()}
}

func (s *resampledStepper) IncrementLen() int { return s.own + len(s.attending().random.numbers) }

func (s *resampledStepper) Step(x, increment []float64) error {
	copy(s.attending().random.numbers, increment[s.own:])
	return s.attendingStepper.Step(x, increment[:s.own])
}

// drawScores fills the normal numbers of the scores of a layer.
func drawScores(numbers []float64, s kernels.Stream, trajectory, layer int64) {
	s.Normals(numbers, 1, kernels.Scores, trajectory, layer)
}
