package exactlaw

import (
	"errors"
	"fmt"
	"math"

	"antipode/overlap"
	"antipode/sphere/elementary"
)

// A Recursion is recursion (4) or (7) of Fedorov et al. for two tokens or two clusters of tokens.
type Recursion struct {
	dim    int
	solver solver
}

// A solver computes the probabilities of the outcomes antipodal and single with a given effort; the least
// effort is 0.
type solver interface {
	outcomes(p problem, effort int) (law, error)
	// hasDerivative reports whether the derivatives of the probabilities with respect to a parameter are
	// known.
	hasDerivative(by overlap.Parameter) bool
	// outcomeDerivatives computes the derivatives of the probabilities of both outcomes with respect to a
	// parameter.
	outcomeDerivatives(p problem, effort int, by overlap.Parameter) (law, error)
	// firstEffort returns the effort with which refinement begins if the given accuracy is wanted.
	firstEffort(accuracy float64) int
	// lastEffort returns the greatest effort.
	lastEffort() int
	// estimate returns the estimated error of the probability of an outcome at an effort. The slice
	// differences holds the differences between the laws of successive efforts, in this order. The number
	// last is the estimated error at the previous effort, or 0 at the first estimate.
	estimate(p problem, effort int, differences []float64, last float64) float64
}

// A law holds the probabilities of the outcomes antipodal and single, computed with some effort. The field
// Error of each probability is only the part of the error that a comparison with other efforts does not
// reveal.
type law struct {
	antipodal, single overlap.Probability
	// shifted returns the probability of an outcome whose edge in u = atanh Z is shifted by a distance. The
	// function shifted is nil if it is not used to estimate the error.
	shifted func(single bool, distance float64) float64
	spacing float64 // distance between points of the lattice
}

// differences returns, for the outcomes antipodal and single, the difference of the probability from that of
// the law on a coarser lattice. At a single point the difference may be small by chance, as interpolation
// errors change their sign from one lattice point to the next. So differences returns the greatest difference
// for edges near the edge of the outcome.
func (l law) differences(coarser law) (d [2]float64) {
	d[0] = math.Abs(l.antipodal.Value - coarser.antipodal.Value)
	d[1] = math.Abs(l.single.Value - coarser.single.Value)
	if l.shifted == nil {
		return d
	}
	for _, points := range []float64{-2.1, -1.3, -0.6, 0.6, 1.3, 2.1} {
		distance := float64(points * l.spacing)
		for k := range d {
			change := l.shifted(k == 1, distance) - coarser.shifted(k == 1, distance)
			d[k] = max(d[k], math.Abs(change))
		}
	}
	return d
}

// A problem asks for the probabilities of the outcomes of a recursion from a start, after a number of layers,
// for a tolerance.
type problem struct {
	start     *float64 // the overlap at time 0, in (-1, 1); nil for uniform tokens
	layers    int
	tolerance float64
}

// Outcomes are the probabilities that two clusters are antipodal, Z ≤ -1+tolerance, and that the clusters
// have merged, Z ≥ 1-tolerance, for the overlap Z of the clusters; the sum of both probabilities is at most
// 1. Both probabilities have the same estimated error, which follows from the difference between two
// lattices, one finer and longer than the other.
type Outcomes struct{ Antipodal, Single overlap.Probability }

// Clusters returns recursion (4), with depth layers per unit of time and Gaussian value matrices of standard
// deviation sigma, for two clusters of m1 and m2 tokens. Only the ratio of the masses matters. In addition to
// the errors of overlap.NewMasses, Clusters returns an error if depth is less than 1, or if the clusters are
// unequal and the dimension exceeds 1,000. Clusters also returns an error if the variance of the noise of a
// layer at overlap 0 is not from 1e-16 to 10^4.
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
		m1: m1 / (m1 + m2), m2: m2 / (m1 + m2), table: densityTables.At(dim),
	}
	if err := c.checkNoise(); err != nil {
		return nil, err
	}
	return &Recursion{dim, c}, nil
}

// checkNoise returns an error if the noise of a layer at overlap 0 is too weak or too strong.
func (c *clusters) checkNoise() error {
	if n11, _, _, _ := c.covariance(0); !(n11 >= 1e-16 && n11 <= largestNoise) {
		return fmt.Errorf("exactlaw: the law is not available: the variance of a layer's noise, %.3g "+
			"at overlap 0, must be from 1e-16 to %v", n11, float64(largestNoise))
	}
	return nil
}

// WithMLP returns the recursion with an MLP of infinite width parallel to attention. Tokens become X + (VA +
// F)/√L, or for recursion (7) X + wA + F/√L, where F is Gaussian given the tokens. Strength 0 gives r itself.
// If the activation of the MLP is not odd, clusters do not stay at overlap -1. WithMLP returns an error if a
// field of the MLP is out of its domain, if the noise of a layer is too strong, or if in recursion (7) a
// layer may turn a token around.
func (r *Recursion) WithMLP(m overlap.MLP) (*Recursion, error) { return r.withMLP(m, false) }

// WithMLPAfter returns the recursion with the MLP after attention instead of parallel to it; see WithMLP.
// Tokens become Y = (X + VA/√L)/|…|, or for recursion (7) Y = (X + wA)/|…|, and then (Y + F(Y)/√L)/|…|.
func (r *Recursion) WithMLPAfter(m overlap.MLP) (*Recursion, error) { return r.withMLP(m, true) }

func (r *Recursion) withMLP(m overlap.MLP, sequence bool) (*Recursion, error) {
	if m.Strength == 0 {
		return r, nil
	}
	correlation, err := m.Correlation()
	if err != nil {
		return nil, err
	}
	var c clusters
	switch before := r.solver.(type) {
	case *hybrid:
		if c, err = before.clusters(); err != nil {
			return nil, err
		}
	case *clusters:
		c = *before
	}
	if c.mlp != nil {
		return nil, errMLP
	}
	c.mlp, c.sequence = &feedforward{m.Strength / float64(c.depth), correlation}, sequence
	if err := c.checkNoise(); err != nil {
		return nil, err
	}
	return &Recursion{r.dim, &c}, nil
}

// WithDrift returns recursion (4) with value matrices of mean μI/L: tokens become X + (V/√L + μ/L)A. Drift 0
// gives r itself. WithDrift returns an error if the drift mu is not from 0 to 10^6, if the clusters are
// unequal, and for recursion (7), which already contains a drift.
func (r *Recursion) WithDrift(mu float64) (*Recursion, error) {
	const largest = 1e6
	before, ok := r.solver.(*clusters)
	switch {
	case !(mu >= 0 && mu <= largest):
		return nil, fmt.Errorf("exactlaw: drift %v is not allowed: it must be from 0 to %v", mu, largest)
	case mu == 0:
		return r, nil
	case !ok || before.scale == 0:
		return nil, errors.New("exactlaw: the law is not available: the hybrid model already has a drift")
	case before.m1 != before.m2:
		return nil, errors.New("exactlaw: the law is not available: unequal clusters cannot have a drift")
	}
	c := *before
	c.scalars = &scalars{model: &hybrid{dim: c.dim, beta: c.beta, attention: c.attention,
		drift: mu / float64(c.depth), half: 0.5 * elementary.Exp(c.beta)}}
	return &Recursion{r.dim, &c}, nil
}

var errMLP = errors.New("exactlaw: the law is not available: " +
	"a layer may have only one MLP, in parallel with attention or after it")

// mostUnequalDim is the dimension above which the law of a layer of unequal clusters takes seconds to compute
// and the wanted accuracy is not reached.
const mostUnequalDim = 1000

// largestNoise is the variance of a layer's noise above which the new overlap hardly depends on the old
// one.
const largestNoise = 1e4

func checkDepth(depth int) error {
	if depth < 1 {
		return fmt.Errorf("exactlaw: depth %d is not allowed: it must be 1 or more", depth)
	}
	return nil
}

// Uniform returns the probabilities of Outcomes after the given number of layers for two independent uniform
// tokens, with errors below accuracy if a few seconds of computation suffice; the field Error of each
// probability is the estimated error. Uniform returns an error if tolerance is not in (0, 1), if layers is
// negative, or if the law is not available.
func (r *Recursion) Uniform(layers int, tolerance, accuracy float64) (Outcomes, error) {
	return r.solve(problem{nil, layers, tolerance}, accuracy)
}

// From returns the probabilities of Outcomes for a start at the overlap z0 in [-1, 1]; see Uniform.
func (r *Recursion) From(z0 float64, layers int, tolerance, accuracy float64) (Outcomes, error) {
	if !(z0 >= -1 && z0 <= 1) {
		return Outcomes{}, fmt.Errorf("exactlaw: z0 = %v is not allowed: it must be from -1 to 1", z0)
	}
	p := problem{&z0, layers, tolerance}
	if err := p.check(); err != nil {
		return Outcomes{}, err
	}
	c, _ := r.solver.(*clusters)
	if z0 == 1 || z0 == -1 && (c == nil || !c.hasEntrance()) || layers == 0 {
		return outcomesAt(z0, tolerance), nil
	}
	return r.solve(p, accuracy)
}

// outcomesAt returns the Outcomes, each with probability 0 or 1, of an overlap that is certain to be z.
func outcomesAt(z, tolerance float64) (o Outcomes) {
	if z <= -1+tolerance {
		o.Antipodal.Value = 1
	}
	if z >= 1-tolerance {
		o.Single.Value = 1
	}
	return o
}

// solve computes the probabilities of the outcomes with increasing effort, until the estimated error is
// within the accuracy or the effort is the greatest.
func (r *Recursion) solve(p problem, accuracy float64) (Outcomes, error) {
	a, s, err := r.refine(p, accuracy, func(effort int) (law, error) { return r.solver.outcomes(p, effort) })
	if err != nil {
		return Outcomes{}, err
	}
	return consistentOutcomes(a, s), nil
}

// refine calls the function law with increasing effort, until the estimated error of the probabilities is
// within the accuracy or the effort is the greatest.
func (r *Recursion) refine(
	p problem, accuracy float64, law func(effort int) (law, error),
) (antipodal, single overlap.Probability, err error) {
	if err := p.check(); err != nil {
		return antipodal, single, err
	}
	first := r.solver.firstEffort(accuracy)
	coarser, err := law(first)
	if err != nil {
		return antipodal, single, err
	}
	var differences [2][]float64
	for effort := first + 1; ; effort++ {
		finer, err := law(effort)
		if err != nil && effort > first+1 {
			return antipodal, single, nil // more effort cannot reduce the error further
		}
		if err != nil {
			return antipodal, single, err
		}
		for k, d := range finer.differences(coarser) {
			differences[k] = append(differences[k], d)
		}
		worst := max(antipodal.Error, single.Error)
		finer.antipodal.Error += r.solver.estimate(p, effort, differences[0], worst)
		finer.single.Error += r.solver.estimate(p, effort, differences[1], worst)
		antipodal, single = finer.antipodal, finer.single
		if max(antipodal.Error, single.Error) <= accuracy || effort == r.solver.lastEffort() {
			return antipodal, single, nil
		}
		coarser = finer
	}
}

// check returns an error if the tolerance or the number of layers of the problem is not allowed.
func (p problem) check() error {
	if !(p.tolerance > 0 && p.tolerance < 1) {
		return fmt.Errorf("exactlaw: tolerance %v is not allowed: it must be between 0 and 1", p.tolerance)
	}
	if p.layers < 0 {
		return fmt.Errorf("exactlaw: %d layers are not allowed: the number must not be negative", p.layers)
	}
	return nil
}

// consistentOutcomes returns probabilities of the outcomes whose sum is at most 1 up to rounding, given
// probabilities whose sum is at most 1 up to their errors. Both probabilities get the greater of the two
// errors: both come from one lattice, and the difference from which one error is estimated may be small by
// chance.
func consistentOutcomes(antipodal, single overlap.Probability) Outcomes {
	a, s := min(max(antipodal.Value, 0), 1), min(max(single.Value, 0), 1)
	if excess := a + s - 1; excess > 0 {
		a = max(0, a-float64(0.5*excess))
		s = 1 - a
	}
	err := max(antipodal.Error, single.Error)
	return Outcomes{overlap.Probability{Value: a, Error: err}, overlap.Probability{Value: s, Error: err}}
}
