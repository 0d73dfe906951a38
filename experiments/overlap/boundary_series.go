package overlap

import (
	"fmt"
	"math"

	"antipode/experiments/theory"
	"antipode/overlap/finitedepth"
	"antipode/sphere/invariant"
)

// hasBoundarySeries reports whether the boundary of attraction at depth L is known as a series in 1/L.
func (o *Experiment) hasBoundarySeries() bool {
	return o.hasExponents() && !o.resampled() && o.Covariance == invariant.Ginibre
}

// seriesText returns a formula for the critical β at the depth of the experiment, as a text. The text is ""
// if no formula is known.
func (o *Experiment) seriesText(r Row) string {
	if o.Depth == nil || !o.hasBoundarySeries() {
		return ""
	}
	const sigma = 1
	attention, depth := theory.Attention(o.Attention), int(*o.Depth)
	beta, exists, err := finitedepth.ExpandedCriticalBeta(int(r.Dim), attention, sigma, depth)
	if err != nil || !exists {
		return ""
	}
	return fmt.Sprintf(" (%.10g to the order 1/L²)", beta)
}

// limitDepthText states from which depth on the boundary at infinite depth is accurate to 1 % and to 0.1 %,
// if this depth is known.
func (o *Experiment) limitDepthText(dim int) (text string, known bool) {
	if !o.hasBoundarySeries() {
		return "", false
	}
	const sigma = 1
	depth, exists, err := finitedepth.LimitDepth(dim, theory.Attention(o.Attention), sigma, 0.01)
	if err != nil || !exists {
		return "", false
	}
	return fmt.Sprintf("at a depth β_c is within 1 %% of this limit from about %.0f layers per unit of "+
		"time on, within 0.1 %% from %.0f", math.Ceil(depth), math.Ceil(10*depth)), true
}
