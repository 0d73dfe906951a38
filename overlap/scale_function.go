package overlap

import (
	"fmt"
	"math"

	"antipode/overlap/internal/line"
	"antipode/sphere/elementary"
)

// LogScaleDensity returns log s(z) for z in the open interval (-1, 1), where
//
//	s(z) = S'(z) = exp(-∫_0^z 2 Drift/Variance)
//
// is the density of the scale function of the overlap, s(x) of Appendix C.2 with x0 = 0. The absolute error
// of log s is below 1e-11 (1 + |log s|). LogScaleDensity panics if z is outside the open interval.
func (d *Diffusion) LogScaleDensity(z float64) float64 {
	if !(z > -1 && z < 1) {
		panic(fmt.Sprintf("overlap: overlap %v is outside (-1, 1)", z))
	}
	return -d.line.Scale().Rise(line.Atanh(z)) - elementary.Log(float64((1-z)*(1+z)))
}

// LogScale returns log(S(1) - S(z)) for z in [-1, 1], where S'(0) = 1. If the end +1 is Attracting, LogScale
// is -Inf at z = 1; otherwise LogScale is +Inf everywhere. At z = -1 LogScale is +Inf if the end -1 is
// NonAttracting or an Entrance. The absolute error of LogScale is below 1e-11 (1 + |LogScale|). LogScale
// panics if z is outside [-1, 1].
func (d *Diffusion) LogScale(z float64) float64 {
	line.MustBeOverlap(z)
	s := d.line.Scale()
	switch {
	case !d.line.Plus.Attracting:
		return math.Inf(1)
	case z == 1:
		return math.Inf(-1)
	case z > -1:
		u := line.Atanh(z)
		return s.LogTail(u, math.Inf(1)) - s.Rise(u)
	case d.line.Minus.Slope < 0:
		return elementary.Log(s.Tail(0, math.Inf(-1)).Mass + s.Tail(0, math.Inf(1)).Mass)
	}
	return math.Inf(1)
}
