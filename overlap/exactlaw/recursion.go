package exactlaw

import (
	"errors"
	"fmt"
	"math"

	"antipode/overlap"
)

// A Recursion is recursion (4) or (7) of two tokens, or of two clusters.
type Recursion struct {
	dim    int
	solver solver
}

// A solver computes the probabilities of the two outcomes with some effort, which is 0 for the
// least one.
type solver interface {
	// The errors are those that no other effort shows.
	outcomes(p problem, effort int) (antipodal, single overlap.Probability, err error)
	// firstEffort is that of the first law for an accuracy.
	firstEffort(accuracy float64) int
	// lastEffort is the greatest one.
	lastEffort() int
	// estimate is the estimated error with some effort: from the difference to one less and from that
	// before it, infinite if there is none, and the estimate with one less, 0 if there is none.
	estimate(p problem, effort int, difference, before, last float64) float64
}

// A problem is what is asked of a recursion.
type problem struct {
	start     *float64 // the overlap at time 0, in (-1, 1); nil for uniform tokens
	layers    int
	tolerance float64
}

// Outcomes are the probabilities that two clusters are antipodal, Z ≤ -1+tolerance, and that they
// are one, Z ≥ 1-tolerance; their sum is at most 1. The errors are estimates, the same for both, from the
// difference to the same on a coarser and shorter lattice.
type Outcomes struct{ Antipodal, Single overlap.Probability }

// Clusters returns recursion (4), with depth layers per unit of time and Gaussian value matrices of
// standard deviation sigma, for two clusters of m1 and m2 tokens. Only the ratio of the masses
// matters. Errors are those of overlap.NewMasses, and a depth less than 1.
func Clusters(
	dim int, beta float64, attention overlap.Attention, sigma, m1, m2 float64, depth int,
) (*Recursion, error) {
	if _, err := overlap.NewMasses(dim, beta, attention, sigma, m1, m2); err != nil {
		return nil, err
	}
	if err := checkDepth(depth); err != nil {
		return nil, err
	}
	if m1 != m2 && dim > mostUnequalDim {
		return nil, fmt.Errorf("exactlaw: the law is not available: that of unequal clusters is up to "+
			"dimension %d, not %d", mostUnequalDim, dim)
	}
	scale := sigma / math.Sqrt(float64(depth))
	great := max(m1, m2)
	m1, m2 = m1/great, m2/great
	c := &clusters{
		dim: dim, beta: beta, attention: attention, depth: depth, scale: scale,
		m1: m1 / (m1 + m2), m2: m2 / (m1 + m2), factors: shapeFactorsIn(dim),
	}
	if n11, _, _, _ := c.covariance(0); !(n11 > 1e-16 && n11 < largestNoise) {
		return nil, noiseError(n11)
	}
	return &Recursion{dim, c}, nil
}

func noiseError(n11 float64) error {
	return fmt.Errorf("exactlaw: the law is not available: the variance of a layer's noise, %.1g "+
		"at overlap 0, must be from 1e-16 to %.0g", n11, float64(largestNoise))
}

// WithMLP returns the recursion with an MLP of infinite width beside attention: tokens become
// X + (VA + F)/√L, F Gaussian given the tokens. Strength 0 gives r itself. An activation that is not odd makes -1 an entrance.
// It is an error if a number of the MLP is out of its domain, if the noise of a layer is too great, or for
// recursion (7).
func (r *Recursion) WithMLP(m overlap.MLP) (*Recursion, error) {
	if m.Strength == 0 {
		return r, nil
	}
	correlation, err := m.Correlation()
	if err != nil {
		return nil, err
	}
	before, ok := r.solver.(*clusters)
	if !ok || before.mlp != nil {
		return nil, errMLP
	}
	c := *before
	c.mlp = &feedforward{m.Strength / float64(c.depth), correlation}
	if n11, _, _, _ := c.covariance(0); !(n11 < largestNoise) {
		return nil, noiseError(n11)
	}
	return &Recursion{r.dim, &c}, nil
}

var errMLP = errors.New("exactlaw: the law is not available: " +
	"an MLP stands beside random value matrices, once")

// mostUnequalDim is the dimension beyond which layers of unequal clusters take seconds, and do not reach an
// accuracy.
const mostUnequalDim = 1000

// largestNoise is the variance of a layer's noise beyond which tokens hardly remember where
// they were.
const largestNoise = 1e4

func checkDepth(depth int) error {
	if depth < 1 {
		return fmt.Errorf("exactlaw: depth %d is not allowed: it must be 1 or more", depth)
	}
	return nil
}

// Uniform returns the probabilities after some layers for two tokens that are uniform and
// independent at time 0, with errors below the accuracy where a few seconds suffice for it; Error
// tells. The tolerance is in (0, 1); the number of layers is not negative. It is an error if the
// law is not available.
func (r *Recursion) Uniform(layers int, tolerance, accuracy float64) (Outcomes, error) {
	return r.solve(problem{nil, layers, tolerance}, accuracy)
}

// From is the same from the overlap z0 in [-1, 1].
func (r *Recursion) From(z0 float64, layers int, tolerance, accuracy float64) (Outcomes, error) {
	if !(z0 >= -1 && z0 <= 1) {
		return Outcomes{}, fmt.Errorf("exactlaw: z0 = %v is not allowed: it must be from -1 to 1", z0)
	}
	c, _ := r.solver.(*clusters)
	if z0 == 1 || z0 == -1 && (c == nil || !c.enters()) || layers == 0 {
		return certain(z0, tolerance), nil
	}
	return r.solve(problem{&z0, layers, tolerance}, accuracy)
}

// certain are the outcomes at an overlap.
func certain(z, tolerance float64) (o Outcomes) {
	if z <= -1+tolerance {
		o.Antipodal.Value = 1
	}
	if z >= 1-tolerance {
		o.Single.Value = 1
	}
	return o
}

// solve spends more and more effort until what it still changes is within the accuracy, or the most.
func (r *Recursion) solve(p problem, accuracy float64) (Outcomes, error) {
	if !(p.tolerance > 0 && p.tolerance < 1) {
		return Outcomes{}, fmt.Errorf("exactlaw: tolerance %v is not allowed: it must be between 0 and 1",
			p.tolerance)
	}
	if p.layers < 0 {
		return Outcomes{}, fmt.Errorf("exactlaw: %d layers are not allowed: "+
			"the number must not be negative", p.layers)
	}
	first := r.solver.firstEffort(accuracy)
	antipodal, single, err := r.solver.outcomes(p, first)
	if err != nil {
		return Outcomes{}, err
	}
	var o Outcomes
	before := [2]float64{math.Inf(1), math.Inf(1)}
	for effort := first + 1; ; effort++ {
		finer, finerSingle, err := r.solver.outcomes(p, effort)
		if err != nil && effort > first+1 {
			return o, nil // which is as far as it can be known
		}
		if err != nil {
			return Outcomes{}, err
		}
		estimated := func(k int, finer, coarser, last overlap.Probability) overlap.Probability {
			difference := math.Abs(finer.Value - coarser.Value)
			defer func() { before[k] = difference }()
			return overlap.Probability{Value: finer.Value,
				Error: finer.Error + r.solver.estimate(p, effort, difference, before[k], last.Error)}
		}
		o = together(estimated(0, finer, antipodal, o.Antipodal), estimated(1, finerSingle, single, o.Single))
		if o.Antipodal.Error <= accuracy || effort == r.solver.lastEffort() {
			return o, nil
		}
		antipodal, single = finer, finerSingle
	}
}

// together returns probabilities whose sum is at most 1, up to rounding, from values that are those up to
// their errors. One lattice has led to both, and the difference by which an error is estimated may be small
// by accident: so both have the greater one.
func together(antipodal, single overlap.Probability) Outcomes {
	a, s := min(max(antipodal.Value, 0), 1), min(max(single.Value, 0), 1)
	if excess := a + s - 1; excess > 0 {
		a = max(0, a-float64(0.5*excess))
		s = 1 - a
	}
	err := max(antipodal.Error, single.Error)
	return Outcomes{overlap.Probability{Value: a, Error: err}, overlap.Probability{Value: s, Error: err}}
}
