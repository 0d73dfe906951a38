package finitedepth

import (
	"math"
	"testing"

	"antipode/internal/longtest"
	"antipode/overlap"
	"antipode/overlap/internal/overlaptest"

	"pgregory.net/rapid"
)

// The exponents of a layer are finite and consistent: the Lundberg exponent exists if λ < 0, and solves
// its equation; λ < 0 only above the critical β of the depth.
func TestEveryDepth(t *testing.T) {
	longtest.Only(t)
	overlaptest.CheckSeldom(t, 120, func(t *rapid.T) {
		dim, beta, attention, depth := overlaptest.Dimensions.Draw(t, "dim"), everyBeta.Draw(t, "beta"),
			everyAttention.Draw(t, "attention"), everyDepth.Draw(t, "depth")
		check := func(l Layer, err error) (lambda float64, refused bool) {
			if overlaptest.Refused(t, err) {
				return 0, true
			}
			lambda = l.Lyapunov()
			kappa, attracts := l.Lundberg()
			if !overlaptest.IsFinite(lambda) || attracts != (lambda < 0) || attracts &&
				!(kappa > 0 && kappa < 0.5*float64(dim)) || !attracts && kappa != 0 {
				t.Fatalf("%+v: exponent %v, Lundberg exponent %v, %v", l, lambda, kappa, attracts)
			}
			if !attracts || -lambda*kappa < 1e-9*float64(dim) { // E(…) is 1 up to rounding between
				return lambda, false
			}
			power := func(kappa float64) float64 { return l.moment(kappa) / l.moment(0) }
			if at := power(kappa); kappa < 0.49*float64(dim) && !(math.Abs(at-1) < 1e-8) ||
				!(power(0.5*kappa) < 1) {
				t.Fatalf("%+v: E(…)^(2κ) = %v at κ = %v, %v at half of it", l, at, kappa, power(0.5*kappa))
			}
			return lambda, false
		}
		if lambda, refused := check(Single(dim, beta, attention, 1, depth)); !refused && !(lambda < 0) {
			t.Fatalf("exponent %v at +1", lambda)
		}
		lambda, refused := check(Antipodal(dim, beta, attention, 1, depth))
		limit, _ := overlap.CriticalBeta(dim)
		critical, ok, err := CriticalBeta(dim, attention, 1, depth)
		switch {
		case err != nil || ok != (dim > 2) || ok && !(critical >= limit-1e-9 && critical <= overlap.MaxBeta):
			t.Fatalf("critical β %v, %v, %v; in the limit %v", critical, ok, err, limit)
		case refused || math.Abs(beta-critical) < 1e-6:
		case (lambda < 0) != (beta > critical || dim == 2):
			t.Fatalf("exponent %v at β = %v, critical %v", lambda, beta, critical)
		}
	})
}
