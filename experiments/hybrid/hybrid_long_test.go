//go:build long

package hybrid

import (
	"testing"

	"antipode/experiments/internal/outcomes"
	"antipode/sde"
)

// In softmax's window, at time 50 both fractions agree with the theory at this horizon,
// 0.43651 and 0.27318 for ε = 1.2, 0.78015 and 0.12382 for 1.3, and are far from their
// limits 0.717 and 0.886. The depth's own effect is about half a standard error (the
// antipodal fraction at ε = 1.2 is 0.022 too small at depth 100). Four comparisons at 4.5
// standard errors: a false alarm in 3·10^4 seeds.
func TestHybridWindow(t *testing.T) {
	for _, epsilon := range []float64{1.2, 1.3} {
		c := hybridCell(t, sde.Softmax, epsilon, 400, 50, 3000)
		t.Logf("ε = %g: %.4f antipodal, theory %.5f, limit %.5f; %.4f single, theory %.5f: %.1f standard errors", epsilon,
			c.pAntipodal[0], c.antipodalHorizon[0], c.limit[0], c.pSingle[0], c.singleHorizon[0], c.difference(0))
		if c.difference(0) > 4.5 {
			t.Errorf("ε = %g: simulation and theory differ", epsilon)
		}
		if outcomes.Deviation(c.antipodal[0], c.trajectories[0], c.limit[0]) < 10 {
			t.Errorf("ε = %g: the limit is reached", epsilon)
		}
	}
}
