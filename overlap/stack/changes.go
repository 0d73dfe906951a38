package stack

import (
	"math"

	"antipode/sphere/elementary"
)

// Signal is what a whole stack makes of a sequence.
type Signal struct {
	Cosine float64 // of different tokens after the last layer
	// Margin is the least of β_c/β over layers, √(2 log T)/s where scores have the standard deviation s
	// ("Two Failure Modes", Result 1): below 1 attention is condensed from the start, and up to 2 finite
	// sequences condense gradually.
	Margin float64
	// Growth is what the squared norm of the derivative by a layer's input is multiplied by from the last
	// layer's to the first's.
	Growth float64
}

// Signal sends a sequence there and back. It is an error if the tokens become 0 or overflow.
func (k *Stack) Signal() (Signal, error) {
	s, err := k.forth()
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

// forth is Signal without Growth.
func (k *Stack) forth() (Signal, error) {
	all, streams, err := k.branches()
	if err != nil {
		return Signal{}, err
	}
	s := Signal{Cosine: k.groups.mean(streams[len(streams)-1].normalised().inner), Margin: math.Inf(1)}
	for _, layer := range all {
		s.Margin = min(s.Margin, k.Margin(k.deviation(layer[0].input)))
	}
	return s, nil
}

// Margin is β_c/β of attention whose scores have that standard deviation.
func (k *Stack) Margin(deviation float64) float64 {
	return math.Sqrt(2*elementary.Log(float64(k.shape.Tokens))) / deviation
}

// SafeMargin is the least Margin with which an initialisation passes: the end of the central limit theorem.
const SafeMargin = 2

// Passes reports whether tokens are not alike in the end, of a cosine up to collapse, and attention is
// spread.
func (s Signal) Passes(collapse float64) bool { return s.Cosine <= collapse && s.Margin >= SafeMargin }

// Kind is a kind of change to a Shape.
type Kind int

// The changes: strength of attention's skip connection; of both; deviations of values; of the MLP's second
// weights; of queries and keys; LayerNorm before the branches; branches times 1/√(2L); and both of these.
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

// Apply returns the shape with a change of that factor, where it has one.
func (c Kind) Apply(s Shape, factor float64) Shape {
	scale := 1 / math.Sqrt(float64(2*s.Layers))
	switch c {
	case SkipOfAttention:
		s.SkipSA *= factor
	case Skips:
		s.SkipSA *= factor
		s.SkipMLP *= factor
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

// bounds of the factors that are tried.
const mostFactor = 100

// Change is a change and what it leads to.
type Change struct {
	Kind   Kind
	Factor float64 // of the strength or the deviation; 1 where the change has none
	Signal Signal
	Passes bool // else no factor up to 100, or down to 1/100, is enough
}

// Changes returns what makes a shape pass that does not: that of queries and keys alone if attention is
// condensed, and then all others, each the smallest that is enough, to a per cent, beside that of queries and
// keys. Of each the Signal is computed anew, with the factor that is returned. There are none of a shape that
// passes.
func (k *Stack) Changes(collapse float64) ([]Change, error) {
	before, err := k.forth()
	if err != nil || before.Passes(collapse) {
		return nil, err
	}
	var changes []Change
	if before.Margin < SafeMargin {
		c := Change{Kind: QueriesKeys}
		c.Factor = math.Floor(1000*math.Sqrt(before.Margin/SafeMargin)) / 1000
		if k, err = k.With(c.Kind.Apply(k.shape, c.Factor)); err != nil {
			return nil, err
		}
		c.check(k, collapse)
		if changes = append(changes, c); c.Signal.Cosine <= collapse {
			return changes, nil
		}
	}
	for kind := range NormBeforeAndScaling + 1 {
		before := kind == NormBefore || kind == NormBeforeAndScaling
		without := kind == Values || kind == OutputWeights // has no effect where LayerNorm stands behind it
		if kind == QueriesKeys || before && k.shape.Norm != PostNorm || without && k.shape.Norm == PeriNorm {
			continue
		}
		changes = append(changes, k.smallest(kind, collapse))
	}
	return changes, nil
}

// check computes what a changed stack leads to, nil for a shape out of its domain. One whose tokens become 0
// or overflow does not pass.
func (c *Change) check(k *Stack, collapse float64) {
	c.Signal = Signal{Cosine: 1, Margin: math.NaN(), Growth: math.NaN()}
	if k == nil {
		return
	}
	if signal, err := k.Signal(); err == nil {
		c.Signal, c.Passes = signal, signal.Cosine <= collapse
	}
}

// changed is the stack after a change, nil if it is out of its domain.
func (k *Stack) changed(kind Kind, factor float64) *Stack {
	other, err := k.With(kind.Apply(k.shape, factor))
	if err != nil {
		return nil
	}
	return other
}

// smallest is the smallest change of a kind.
func (k *Stack) smallest(kind Kind, collapse float64) Change {
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
		signal, err := other.forth()
		return err == nil && signal.Cosine <= collapse
	}
	direction := 1.
	if kind == Values || kind == OutputWeights {
		direction = -1
	}
	power := func(share float64) float64 {
		return elementary.Exp(float64(direction * share * elementary.Log(mostFactor)))
	}
	low, high := 0., 1.
	for float64((high-low)*elementary.Log(mostFactor)) > 0.01 {
		middle := 0.5 * (low + high)
		if passes(power(middle)) {
			high = middle
		} else {
			low = middle
		}
	}
	c.Factor = round(power(high), direction)
	c.check(k.changed(kind, c.Factor), collapse)
	return c
}

// round is a number of three digits further from 1.
func round(x, direction float64) float64 {
	unit := math.Pow(10, math.Floor(math.Log10(x))-2)
	if direction > 0 {
		return math.Ceil(x/unit) * unit
	}
	return math.Floor(x/unit) * unit
}

// CriticalSkip returns α_c, the least strength of attention's skip connection with which the cosine after the
// last layer is not above collapse, to 1 in 10⁴, and false if LargestStrength is not enough.
func (k *Stack) CriticalSkip(collapse float64) (alpha float64, exists bool) {
	passes := func(alpha float64) bool {
		other := *k
		other.shape.SkipSA = alpha
		signal, err := other.forth()
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
			middle = math.Sqrt(high) // 0 is far from so large strengths
		}
		if passes(middle) {
			high = middle
		} else {
			low = middle
		}
	}
	return high, true
}

// Reach is, for each of some ascending cosines, the first layer, 0 for the input, after which the cosine is
// at least that, of a stack with up to most layers; -1 where there is none.
func (k *Stack) Reach(most int, cosines ...float64) []int {
	other, found := *k, []int{}
	other.shape.Layers = most
	_ = other.follow(func(layer int, _ [2]branch, x gram) (goOn bool) {
		for len(found) < len(cosines) && k.groups.mean(x.normalised().inner) >= cosines[len(found)] {
			found = append(found, layer)
		}
		return len(found) < len(cosines)
	})
	// the error is that tokens become 0 or overflow: they reach nothing more
	for len(found) < len(cosines) {
		found = append(found, -1)
	}
	return found
}
