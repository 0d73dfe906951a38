package firstpassage

import (
	"math"

	"antipode/overlap"
	"antipode/overlap/internal/line"
	"antipode/sphere/elementary"
)

// RelaxationTime returns the asymptotic time in which the distance of the law of the overlap from its
// stationary law falls by a factor e, if no end attracts. The relaxation time is the inverse of the spectral
// gap of the generator. The spectral gap is the smallest non-zero eigenvalue of minus the generator. If no
// non-zero eigenvalue lies below the continuous spectrum, the spectral gap is the edge of the continuous
// spectrum, the least variance·(h')²/8 at an invariant end. The relative error of RelaxationTime is below
// 1e-5. The second result of RelaxationTime is false if the overlap has no stationary law or if the spectral
// gap cannot be computed to this accuracy.
func RelaxationTime(diffusion *overlap.Diffusion) (Time, bool) {
	if _, ok := diffusion.Stationary(); !ok {
		return Time{}, false
	}
	d := diffusion.Line()
	edge := spectrumEdge(d, d.Plus, 1)
	if !d.Minus.Enterable {
		edge = min(edge, spectrumEdge(d, d.Minus, -1))
	}
	rate, ok := extrapolatedEigenvalue(d, edge, (*piecewiseDiffusion).hasTwoZeros)
	return timeOf(1, -rate), ok
}

// spectrumEdge returns the logarithm of the edge of the continuous spectrum due to an invariant end.
func spectrumEdge(d *line.Diffusion, end line.End, side float64) float64 {
	return elementary.Log(d.Variance(line.Of(side*end.Reach)) * end.Slope * end.Slope / 8)
}

// hasTwoZeros reports whether eigenvalue is greater than the spectral gap, that is, whether the solution of
// the eigenvalue equation that satisfies the condition at the left end (leftRatio) has two zeros. The second
// zero of the solution may lie beyond the last cell.
func (p *piecewiseDiffusion) hasTwoZeros(eigenvalue float64) bool {
	zeros := 0
	ratio := p.leftRatio(eigenvalue)
	for _, c := range p.cells {
		var ok bool
		if ratio, ok = c.propagate(ratio, float64(eigenvalue*c.rate)); !ok {
			if zeros++; zeros == 2 {
				return true
			}
		}
	}
	return zeros == 1 && p.hasZeroBeyond(ratio, eigenvalue)
}

// leftRatio returns the ratio -g'/g at the left edge of the first cell, for the solution g of the eigenvalue
// equation that satisfies the condition at the end -1. If the overlap enters from the end -1, the flux of g
// must vanish, and the ratio is 0. At an invariant end the solution g must be square integrable; the ratio is
// then the lesser root r of r² - h'r + l = 0.
func (p *piecewiseDiffusion) leftRatio(eigenvalue float64) float64 {
	if p.leftRate == 0 {
		return 0
	}
	half := float64(0.5 * p.leftSlope)
	l := float64(eigenvalue * p.leftRate)
	return l / (half + math.Sqrt(max(0, float64(half*half)-l)))
}
