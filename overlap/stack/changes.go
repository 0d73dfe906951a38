package stack

import (
	"math"

	"antipode/sphere/elementary"
)

// Signal summarises how a stack of layers transforms a sequence of tokens.
type Signal struct {
	Cosine float64 // mean cosine of different tokens after the last layer
	// Margin is the minimum over layers of β_c/β, which is √(2 log T)/s for T tokens and attention scores of
	// standard deviation s (Giorlandino and Goldt, "Two Failure Modes", Result 1). If Margin is below 1,
	// attention is condensed at initialisation. If Margin is between 1 and 2, attention over finite sequences
	// is partly condensed.
	Margin float64
	// Growth is the factor by which the squared norm of the derivative with respect to the input of a layer
	// grows from the last layer back to the first layer.
	Growth float64
}

// Signal computes the Signal of the stack by a forward and a backward pass. Signal returns an error if the
// tokens become 0 or overflow.
func (k *Stack) Signal() (Signal, error) {
	s, err := k.forwardSignal()
	if err != nil {
		return s, err
	}
	gradients, err := k.Backward()
	if err != nil {
		return s, err
	}
	s.Growth = gradients[0].Input / gradients[len(gradients)-1].Input
	return s, nil
}

// forwardSignal returns the Signal of the stack without the backward pass, and so without Growth.
func (k *Stack) forwardSignal() (Signal, error) {
	all, streams, err := k.branches()
	if err != nil {
		return Signal{}, err
	}
	s := Signal{Cosine: k.groups.mean(streams[len(streams)-1].normalised().inner), Margin: math.Inf(1)}
	for _, layer := range all {
		s.Margin = min(s.Margin, k.Margin(k.scoreDeviation(layer[0].input)))
	}
	return s, nil
}

// Margin returns β_c/β for attention of the stack whose scores have the given standard deviation.
func (k *Stack) Margin(deviation float64) float64 {
	return math.Sqrt(2*elementary.Log(float64(k.architecture.Tokens))) / deviation
}

// SafeMargin is the least acceptable Margin of an initialisation: for larger margins the central limit
// theorem applies to the normalising sums of softmax.
const SafeMargin = 2

// Passes reports whether the tokens remain distinct, with a cosine of at most collapse after the last
// layer, and attention is spread.
func (s Signal) Passes(collapse float64) bool { return s.Cosine <= collapse && s.Margin >= SafeMargin }

// Kind is a kind of change to an Architecture that may make the signal pass.
type Kind int

// The kinds of changes to an Architecture. The first five kinds multiply by a factor, in this order: the
// strength of attention's skip connection; the strengths of both skip connections; the standard deviation of
// the value weights; the standard deviation of the MLP's second weights; the standard deviation of the query
// and key weights. A strength 0 of a skip connection counts as 1. NormBefore places LayerNorm before
// attention and before the MLP. DepthScaling multiplies the strengths of attention and MLP by 1/√(2L) for L
// layers. NormBeforeAndScaling is NormBefore and DepthScaling together.
const (
	SkipOfAttention Kind = iota
	Skips
	Values
	OutputWeights
	QueriesKeys
	NormBefore
	DepthScaling
	NormBeforeAndScaling
)

// Apply returns the architecture s after a change of kind c with the given factor. The kinds from NormBefore
// on ignore the factor.
func (c Kind) Apply(s Architecture, factor float64) Architecture {
	scale := 1 / math.Sqrt(float64(2*s.Layers))
	switch c {
	case SkipOfAttention:
		s.SkipSA = stronger(s.SkipSA, factor)
	case Skips:
		s.SkipSA, s.SkipMLP = stronger(s.SkipSA, factor), stronger(s.SkipMLP, factor)
	case Values:
		s.Value2 *= float64(factor * factor)
	case OutputWeights:
		s.Output2 *= float64(factor * factor)
	case QueriesKeys:
		s.QueryKey2 *= float64(factor * factor)
	case NormBefore:
		s.Norm = PreNorm
	case DepthScaling:
		s.BranchSA *= scale
		s.BranchMLP *= scale
	case NormBeforeAndScaling:
		return DepthScaling.Apply(NormBefore.Apply(s, 1), 1)
	}
	return s
}

// stronger returns the strength of a skip connection times a factor. If there is no skip connection yet, it
// returns the factor.
func stronger(strength, factor float64) float64 {
	if strength == 0 {
		return factor
	}
	return strength * factor
}

// mostFactor is the largest factor by which Changes multiplies a strength or a standard deviation, and its
// inverse is the smallest, except for query and key weights.
const mostFactor = 100

// largestFactor returns the largest factor that Changes tries for a kind of change. It is mostFactor, or the
// smaller factor, not below 1, with which the strength of a skip connection reaches LargestStrength.
func (k *Stack) largestFactor(kind Kind) float64 {
	strength := 0.
	switch kind {
	case SkipOfAttention:
		strength = k.architecture.SkipSA
	case Skips:
		strength = max(k.architecture.SkipSA, k.architecture.SkipMLP)
	}
	return max(1, min(mostFactor, LargestStrength/strength))
}

// Change is a change to an Architecture, such as a stronger skip connection, and its effect on the signal.
type Change struct {
	Kind   Kind
	Factor float64 // multiplies the strength or standard deviation; 1 if the kind has no factor
	Signal Signal
	Passes bool // false if no factor up to 100, or down to 1/100, in the domain of Architecture suffices
}

// Changes returns changes that make a failing architecture pass, or no changes for an architecture that
// passes. If Margin is below SafeMargin, the first change only reduces the query and key weights. If this
// reduction is not enough, changes of the other kinds follow, each in addition to the reduction of query and
// key weights. If Margin is not below SafeMargin, there are only changes of the other kinds. Of these kinds,
// NormBefore and NormBeforeAndScaling apply to PostNorm only, and Values and OutputWeights do not apply to
// PeriNorm. The factor of a change is the sufficient factor closest to 1, to one per cent. The Signal of a
// change is the signal with this factor. If no factor of a kind suffices, the field Passes of the change is
// false.
func (k *Stack) Changes(collapse float64) ([]Change, error) {
	before, err := k.forwardSignal()
	if err != nil || before.Passes(collapse) {
		return nil, err
	}
	var changes []Change
	if before.Margin < SafeMargin {
		c := Change{Kind: QueriesKeys}
		c.Factor = math.Floor(1000*math.Sqrt(before.Margin/SafeMargin)) / 1000
		if k, err = k.With(c.Kind.Apply(k.architecture, c.Factor)); err != nil {
			return nil, err
		}
		c.check(k, collapse)
		if changes = append(changes, c); c.Signal.Cosine <= collapse {
			return changes, nil
		}
	}
	for kind := range NormBeforeAndScaling + 1 {
		before := kind == NormBefore || kind == NormBeforeAndScaling
		without := kind == Values || kind == OutputWeights // without effect if LayerNorm follows the branch
		norm := k.architecture.Norm
		if kind == QueriesKeys || before && norm != PostNorm || without && norm == PeriNorm {
			continue
		}
		changes = append(changes, k.smallestChange(kind, collapse))
	}
	return changes, nil
}

// check sets the Signal of a change and the field Passes, given the changed stack k, or nil for an
// architecture out of its domain, which does not pass. A change after which tokens become 0 or overflow does
// not pass.
func (c *Change) check(k *Stack, collapse float64) {
	c.Signal = Signal{Cosine: 1, Margin: math.NaN(), Growth: math.NaN()}
	if k == nil {
		return
	}
	if signal, err := k.Signal(); err == nil {
		c.Signal, c.Passes = signal, signal.Cosine <= collapse
	}
}

// changed returns the stack after a change, or nil if the changed architecture is out of its domain.
func (k *Stack) changed(kind Kind, factor float64) *Stack {
	other, err := k.With(kind.Apply(k.architecture, factor))
	if err != nil {
		return nil
	}
	return other
}

// smallestChange returns the change of a kind with the sufficient factor closest to 1.
func (k *Stack) smallestChange(kind Kind, collapse float64) Change {
	c := Change{Kind: kind, Factor: 1}
	if kind >= NormBefore {
		c.check(k.changed(kind, 1), collapse)
		return c
	}
	passes := func(factor float64) bool {
		other := k.changed(kind, factor)
		if other == nil {
			return false
		}
		signal, err := other.forwardSignal()
		return err == nil && signal.Cosine <= collapse
	}
	direction, most := 1., k.largestFactor(kind)
	if kind == Values || kind == OutputWeights {
		direction = -1
	}
	power := func(share float64) float64 {
		return elementary.Exp(float64(direction * share * elementary.Log(most)))
	}
	low, high := 0., 1.
	for float64((high-low)*elementary.Log(most)) > 0.01 {
		middle := 0.5 * (low + high)
		if passes(power(middle)) {
			high = middle
		} else {
			low = middle
		}
	}
	c.Factor = min(max(1/most, round(power(high), direction)), most)
	c.check(k.changed(kind, c.Factor), collapse)
	return c
}

// round rounds x to three significant digits, upwards for a positive and downwards for a negative direction.
func round(x, direction float64) float64 {
	unit := math.Pow(10, math.Floor(math.Log10(x))-2)
	if direction > 0 {
		return math.Ceil(x/unit) * unit
	}
	return math.Floor(x/unit) * unit
}

// CriticalSkip returns α_c, the least strength of attention's skip connection with which the mean cosine of
// tokens after the last layer is at most collapse, to a relative accuracy of 1e-4. CriticalSkip reports false
// if even the strength LargestStrength does not suffice.
func (k *Stack) CriticalSkip(collapse float64) (alpha float64, exists bool) {
	passes := func(alpha float64) bool {
		other := *k
		other.architecture.SkipSA = alpha
		signal, err := other.forwardSignal()
		return err == nil && signal.Cosine <= collapse
	}
	if !passes(LargestStrength) {
		return 0, false
	}
	if passes(0) {
		return 0, true
	}
	low, high := 0., float64(LargestStrength)
	for high-low > 1e-4*max(high, 1e-2) {
		middle := 0.5 * (low + high)
		if low == 0 && high > 1 {
			middle = math.Sqrt(high) // bisect on a logarithmic scale while the interval is wide
		}
		if passes(middle) {
			high = middle
		} else {
			low = middle
		}
	}
	return high, true
}

// Reach returns, for each of some ascending cosines, the first layer after which the mean cosine of different
// tokens is at least this cosine, in a stack whose number of layers is most. The result is -1 for a cosine
// that the mean cosine does not reach. Layer 0 is the input.
func (k *Stack) Reach(most int, cosines ...float64) []int {
	other, found := *k, []int{}
	other.architecture.Layers = most
	_ = other.forEachLayer(func(layer int, _ [2]branch, x gram) (goOn bool) {
		for len(found) < len(cosines) && k.groups.mean(x.normalised().inner) >= cosines[len(found)] {
			found = append(found, layer)
		}
		return len(found) < len(cosines)
	})
	// An error of forEachLayer means that the tokens become 0 or overflow, so that no further cosine is
	// reached.
	for len(found) < len(cosines) {
		found = append(found, -1)
	}
	return found
}
