package sde

import (
	"math"

	"antipode/sde/internal/lanes"
	"antipode/sphere"
	"antipode/sphere/elementary"
)

// View is a trajectory at one time, as observers and stop rules see it. A View is valid only during the call
// that receives it, and must not be used concurrently.
type View struct {
	Trajectory, Layer int64

	state      state
	lane       int
	count, dim int
	tokens     []float64 // tokens (N×d) of the trajectory; nil until they are requested
	overlaps   lanes.Overlaps
	known      bool // whether the lanes know the overlaps of the tokens; valid if asked
	asked      bool
	pair       Pair // the two clusters; set once they have been asked for
	isPair     bool
	askedPair  bool
	classifier *sphere.Classifier
	tolerance  float64 // tolerance of the classifier
}

// Pair is the state of a trajectory of which only the overlap Z of two clusters is simulated: with the method
// Chain, or after tokens have merged; see Ensemble.Merge.
type Pair struct {
	Masses       [2]float64 // numbers of tokens of the two clusters
	Above, Below float64    // ln(1+Z) and ln(1-Z), with relative precision; -Inf for Z = -1 and Z = 1

	clusters []int32 // cluster of each token; nil if the first Masses[0] tokens are in the first cluster
}

// of returns the number, 0 or 1, of the cluster to which a token belongs.
func (p *Pair) of(token int) int {
	switch {
	case p.clusters != nil:
		return int(p.clusters[token])
	case float64(token) < p.Masses[0]:
		return 0
	}
	return 1
}

// state has the methods of lanes.Lanes that a View uses.
type state interface {
	Tokens(lane int) []float64
	Pair(lane int) (p lanes.Pair, ok bool)
}

// NewView returns a View of tokens x (N×d), to test an observer or a stop rule without a simulation.
func NewView(trajectory, layer int64, x []float64, dim int) *View {
	v := View{Trajectory: trajectory, Layer: layer, state: still{tokens: x}}
	v.count, v.dim = len(x)/dim, dim
	return &v
}

// NewPairView returns a View of two clusters, to test an observer or a stop rule without a simulation. The
// first p.Masses[0] tokens are in the first cluster.
func NewPairView(trajectory, layer int64, p Pair) *View {
	v := View{Trajectory: trajectory, Layer: layer, state: still{pair: &p}}
	v.count = int(p.Masses[0] + p.Masses[1])
	return &v
}

// still is the fixed state of a View that shows no simulation.
type still struct {
	tokens []float64
	pair   *Pair
}

func (s still) Tokens(int) []float64 { return s.tokens }

func (s still) Pair(int) (p lanes.Pair, ok bool) {
	if s.pair == nil {
		return p, false
	}
	pair := s.pair
	return lanes.Pair{Masses: pair.Masses, Above: pair.Above, Below: pair.Below, Of: pair.clusters}, true
}

func newView(c Cell, s state) View { return View{state: s, count: c.Tokens, dim: c.Dim} }

// at makes the view show the trajectory of lane k.
func (v *View) at(k int, l lanes.Lane) {
	v.Trajectory, v.Layer, v.lane, v.tokens = l.Trajectory, l.Layer, k, nil
	v.asked, v.askedPair = false, false
}

// overlapping reports whether the lanes know the overlaps of the tokens, and loads these overlaps into the
// view.
func (v *View) overlapping() bool {
	if !v.asked {
		v.asked, v.known = true, false
		if of, ok := v.state.(lanes.Overlapping); ok {
			v.overlaps, v.known = of.Overlaps(v.lane)
		}
	}
	return v.known
}

// Count returns the number N of tokens of the trajectory.
func (v *View) Count() int { return v.count }

// Pair returns the overlap of the two clusters of the trajectory, if only this overlap is simulated. If the
// tokens themselves are simulated, ok is false.
func (v *View) Pair() (p Pair, ok bool) {
	if !v.askedPair {
		at, ok := v.state.Pair(v.lane)
		v.pair = Pair{Masses: at.Masses, Above: at.Above, Below: at.Below, clusters: at.Of}
		v.isPair, v.askedPair = ok, true
	}
	return v.pair, v.isPair
}

// Growth returns the logarithms of the factors by which two tangent vectors have grown since layer 0, for a
// cell with Tangent. The first logarithm, within, is for differences of tokens within a cluster; it has no
// meaning for clusters of one token. The second logarithm, between, is for a vector that moves all tokens in
// the same direction, so that the two clusters are no longer opposite.
func (v *View) Growth() (within, between float64) {
	if s, ok := v.state.(interface {
		Growth(lane int) (within, between float64)
	}); ok {
		return s.Growth(v.lane)
	}
	return math.NaN(), math.NaN()
}

// Tokens returns the tokens (N×d), which the caller must neither change nor keep. If only the overlap of two
// clusters is simulated after a merger, see View.Pair, the returned tokens have the right overlaps, but their
// directions in space have no meaning. For the method Chain there are no tokens, and Tokens returns nil.
func (v *View) Tokens() []float64 {
	if v.tokens == nil {
		v.tokens = v.state.Tokens(v.lane)
	}
	return v.tokens
}

// rounding is a distance 1-Z of the overlap Z of two tokens from 1, or 1+Z from -1, that cannot be
// distinguished from 0 if the tokens are stored as vectors. The number rounding is about a hundred times the
// square of a rounding error.
const rounding = 0x1p-100

// Logarithms returns ln(1+Z) and ln(1-Z) of the overlap Z of tokens i and j, counted from 0. If only the
// overlap of two clusters is simulated, see View.Pair, both logarithms have full relative precision, and one
// logarithm is -Inf if Z is 1 or -1. If the tokens are simulated, the logarithms are computed from the sum
// and the difference of the tokens, which follow the recursion up to rounding; 2^-100 is then added to the
// distances 1+Z and 1-Z.
func (v *View) Logarithms(i, j int) (above, below float64) {
	if p, ok := v.Pair(); ok {
		if p.of(i) == p.of(j) {
			return math.Ln2, math.Inf(-1)
		}
		return p.Above, p.Below
	}
	x := v.Tokens()
	y := x[j*v.dim : (j+1)*v.dim]
	var sum, difference float64
	for k, a := range x[i*v.dim : (i+1)*v.dim] {
		s, d := a+y[k], a-y[k]
		sum += float64(s * s)
		difference += float64(d * d)
	}
	return elementary.Log(float64(0.5*sum) + rounding), elementary.Log(float64(0.5*difference) + rounding)
}

// Overlap returns the overlap of tokens i and j, counted from 0.
func (v *View) Overlap(i, j int) float64 {
	if v.overlapping() {
		return v.overlaps.Between(i, j)
	}
	if _, ok := v.Pair(); !ok {
		x := v.Tokens()
		return sphere.Dot(x[i*v.dim:(i+1)*v.dim], x[j*v.dim:(j+1)*v.dim])
	}
	above, below := v.Logarithms(i, j)
	if above < below {
		return elementary.Expm1(above)
	}
	return -elementary.Expm1(below)
}

// Outcome returns the outcome of the trajectory within a tolerance, and reports whether any two of its tokens
// are antipodal.
func (v *View) Outcome(tolerance float64) (outcome sphere.Outcome, antipodalPair bool) {
	if p, ok := v.Pair(); ok {
		outcome = sphere.PairOutcome(p.Above, p.Below, tolerance)
		return outcome, outcome == sphere.Antipodal
	}
	if v.classifier == nil || v.tolerance != tolerance {
		v.classifier, v.tolerance = sphere.NewClassifier(v.count, tolerance), tolerance
	}
	if v.overlapping() {
		return v.classifier.ClassifyOverlaps(v.count, v.dim, &v.overlaps)
	}
	return v.classifier.Classify(v.Tokens(), v.dim)
}

// Masses returns the numbers of tokens of the clusters of the trajectory, within the tolerance of the last
// call of Outcome on this View, which must have returned the given outcome.
func (v *View) Masses(outcome sphere.Outcome) sphere.Masses {
	if p, ok := v.Pair(); ok {
		return sphere.PairMasses(int(p.Masses[0]), int(p.Masses[1]), outcome)
	}
	return v.classifier.Masses(v.Tokens(), v.dim, outcome)
}

// Together reports whether all tokens coincide: the tokens are equal bit for bit or, for two clusters of
// overlap Z, 1-Z is below the smallest positive number.
func (v *View) Together() bool {
	if p, ok := v.Pair(); ok {
		return math.IsInf(p.Below, -1)
	}
	x := v.Tokens()
	for k := v.dim; k < len(x); k++ {
		if x[k] != x[k-v.dim] {
			return false
		}
	}
	return true
}
