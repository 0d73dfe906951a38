package special

import (
	"math"
	"testing"

	"antipode/overlap/internal/overlaptest"
)

func TestLogGammaAndDigamma(t *testing.T) {
	for x := 0.01; x < 1e5; x *= 1.37 {
		want, _ := math.Lgamma(x)
		near(t, "log gamma", LogGamma(x), want, 1e-14*(1+math.Abs(want)+x))
		const h = 1e-3
		if x > 0.5 {
			slope := func(h float64) float64 { return (LogGamma(x+h*x) - LogGamma(x-h*x)) / (2 * h * x) }
			near(t, "digamma", Digamma(x), (4*slope(h)-slope(2*h))/3, 1e-8)
		}
		near(t, "digamma, one further", Digamma(x+1), Digamma(x)+1/x, 1e-13*(1+1/x))
	}
	const euler = 0.57721566490153286061
	near(t, "Digamma(1)", Digamma(1), -euler, 1e-15)
	near(t, "Digamma(½)", Digamma(0.5), -euler-2*math.Ln2, 1e-15)
}

// near fails unless |got-want| ≤ tolerance.
var near = overlaptest.Near
