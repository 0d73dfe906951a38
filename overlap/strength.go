package overlap

import (
	"fmt"
	"math"

	"antipode/overlap/internal/line"
	"antipode/overlap/internal/quadrature"
	"antipode/sphere/activation"
	"antipode/sphere/elementary"
	"antipode/sphere/memo"
)

// AttractingStrengths returns the interval of strengths c > 0 of an additional MLP for which the end +1 or -1
// attracts: low < c < high. The interval is empty if low = high = 0, and unbounded if high = +Inf.
// AttractingStrengths ignores the field Strength of m. At an end z = ±1, γ²h' is a sum over the independent
// parts of a layer, and so a linear function of the strength c. Therefore the attracting strengths form one
// interval. With softmax, value matrices of independent entries and r = φ̂'(1), an end attracts if and only
// if
//
//	at +1 c [(d-3) r - (d-1)] < (d-1) σ², at -1 c [(d-1) - (d-3) r] > σ² [(d-3) - (d-1) tanh² β].
//
// If the end -1 is not invariant, -1 attracts for no strength. AttractingStrengths returns an error if end is
// not ±1, if a field of the MLP is out of its domain, or if the variance of d exceeds float64.
func (d *Diffusion) AttractingStrengths(end float64, m MLP) (low, high float64, err error) {
	p, err := d.pulls(end, m)
	if err != nil || !p.invariant {
		return 0, 0, err
	}
	more := p.of(p.slope)
	critical := -p.base / more
	switch {
	case more > 0:
		return max(0, critical), math.Inf(1), nil
	case p.base <= 0:
		return 0, 0, nil
	case more < 0:
		return 0, critical, nil
	}
	return 0, math.Inf(1), nil
}

// CriticalVariances returns the variances w of pre-activations at which the end +1 or -1 begins or ceases to
// attract, with an additional MLP of the activation and strength of m. The critical variances lie between
// activation.LeastVariance and LargestVariance and are in ascending order. Critical variances are roots of a
// function of r = φ̂'(1), found by a scan of 400 steps in log w, so that two roots within one step are
// missed. CriticalVariances ignores the field Variance of m. CriticalVariances returns no variances for the
// end -1 if -1 is not invariant. The errors of CriticalVariances are those of AttractingStrengths.
func (d *Diffusion) CriticalVariances(end float64, m MLP) ([]float64, error) {
	m.Variance = 1
	p, err := d.pulls(end, m)
	if err != nil || !p.invariant || m.Strength == 0 {
		return nil, err
	}
	pull := func(r float64) float64 { return p.base + float64(m.Strength*p.of(r)) }
	at := func(logarithm float64) float64 { return pull(slopeAt(m.Activation, logarithm)) }
	var found []float64
	slopes := scannedSlopes.At(m.Activation)
	for k := 1; k < len(slopes); k++ {
		if crosses(pull(slopes[k-1]), pull(slopes[k])) {
			root := quadrature.Root(at, logVariance(k-1), logVariance(k))
			found = append(found, elementary.Exp(root))
		}
	}
	return found, nil
}

// pulls describes γ²h' at an end z = ±1, with a sign that is positive outwards: the end attracts if and only
// if this signed γ²h' is positive.
type pulls struct {
	invariant bool    // an end that is not invariant does not attract
	base      float64 // contribution to γ²h' of all parts of the layer but the MLP
	dim       int
	slope     float64 // r = φ̂'(1) of the MLP
}

// of returns the contribution to γ²h' at an end of an MLP of strength 1 and slope r = φ̂'(1): (d-1) - (d-3)
// r.
func (p pulls) of(r float64) float64 {
	more := float64(p.dim-1) - float64(float64(p.dim-3)*r)
	if math.Abs(more) < endRounding(p.dim)*(1+r) {
		return 0
	}
	return more
}

func (d *Diffusion) pulls(end float64, m MLP) (pulls, error) {
	if math.Abs(end) != 1 {
		return pulls{}, fmt.Errorf("overlap: end %v is not allowed: it must be -1 or 1", end)
	}
	c, err := m.Correlation()
	if err != nil {
		return pulls{}, err
	}
	b, err := d.block()
	if err != nil {
		return pulls{}, err
	}
	p := pulls{dim: d.line.Dim, slope: c.Slope(), invariant: end > 0 || !d.line.Minus.Enterable && c.Odd()}
	if !p.invariant {
		return p, nil
	}
	variance, pull := b.sums(line.At(end))
	if math.Abs(pull) >= endRounding(p.dim)*variance {
		p.base = end * pull
	}
	return p, nil
}

const slopeSteps = 400

// logVariance returns the logarithm of the variance w of pre-activations at step k of the scan of
// CriticalVariances.
func logVariance(k int) float64 {
	low, high := elementary.Log(activation.LeastVariance), elementary.Log(activation.LargestVariance)
	return low + float64((high-low)*float64(k)/slopeSteps)
}

// slopeAt returns the slope φ̂'(1) of an activation at a logarithm of the variance w of pre-activations.
func slopeAt(a activation.Activation, logarithm float64) float64 {
	w := min(max(elementary.Exp(logarithm), activation.LeastVariance), activation.LargestVariance)
	c, err := activation.NewCorrelation(a, w)
	if err != nil {
		panic("overlap: " + err.Error()) // impossible: the activation has been checked
	}
	return c.Slope()
}

// scannedSlopes returns the slopes φ̂'(1) of an activation at all steps of the scan of CriticalVariances.
var scannedSlopes = memo.Of(0, func(a activation.Activation) []float64 {
	slopes := make([]float64, slopeSteps+1)
	for k := range slopes {
		slopes[k] = slopeAt(a, logVariance(k))
	}
	return slopes
})
