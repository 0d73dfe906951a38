package firstpassage

import (
	"fmt"
	"math"

	"antipode/overlap"
	"antipode/overlap/internal/line"
	"antipode/sphere/elementary"
)

// DecayTime returns the inverse of the asymptotic rate at which the probability that two clusters of unequal
// mass have not merged decays. The decay rate is the smallest eigenvalue of minus the generator of the
// overlap diffusion; if no eigenvalue lies below the continuous spectrum, the decay rate is the edge
// variance·(h')²/8 of the continuous spectrum at the end +1. If Lifetime is long, the decay time exceeds
// Lifetime, as some overlaps that reach 0 return to -1. The decay time is infinite for equal masses, and if
// the end +1 does not attract. The relative error of DecayTime is below 1e-6. In addition to the errors of
// Between, DecayTime returns an error if the eigenvalue cannot be computed to this accuracy.
func DecayTime(diffusion *overlap.Diffusion) (Time, error) {
	life, err := Lifetime(diffusion)
	if err != nil || math.IsInf(life.Log, 1) {
		return life, err
	}
	d := diffusion.Line()
	if !d.Plus.Attracting {
		return infinite, nil
	}
	edge := spectrumEdge(d, d.Plus, 1)
	// The slowest decay rate is the inverse of the mean time to the end +1, up to a relative error of the
	// order of the ratio of the slowest rate to the next rate. All rates but the slowest are rates of
	// relaxation down the slopes of h.
	whole := absorptionTime(d, life)
	others := min(edge, elementary.Log(d.Variance(line.Of(0))/d.Minus.Reach/d.Minus.Reach))
	if whole.Log+others > 18 {
		return whole, nil
	}
	rate, ok := logSmallestEigenvalue(d, edge)
	if !ok {
		return Time{}, fmt.Errorf("firstpassage: decay time is not available in dimension %d: "+
			"the eigenvalue is not found to 1e-6", d.Dim)
	}
	return timeOf(1, -rate), nil
}

// absorptionTime returns an integral over all overlaps z: the mean time that the overlap spends at z before
// it converges to +1, multiplied by the probability to return from z to -1. The integral is the Lifetime plus
// the product of the flux at 0 and the tail of the scale measure beyond 0.
func absorptionTime(d *line.Diffusion, life Time) Time {
	m := fromEnd(d, d.Minus, -1)
	m.integrateTo(0)
	tail := d.Scale().Tail(0, math.Inf(1)).Mass
	back := elementary.Log(m.flux) + m.logScale + elementary.Log(tail)
	level := max(life.Log, back)
	return timeOf(elementary.Exp(life.Log-level)+elementary.Exp(back-level), level)
}
