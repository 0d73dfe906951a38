package exactlaw

import (
	"math"
	"testing"

	"antipode/overlap"
	"antipode/overlap/finitedepth"
)

// Probabilities and their derivatives are continuous functions of the tolerance, even of a tolerance that
// 1-tolerance does not resolve. The two tolerances are on both sides of a value where 1-tolerance jumps from
// one float64 to the next.
func TestSmallTolerances(t *testing.T) {
	const jump = 90.5 * 0x1p-53
	layers := map[string]int{"clusters": 16, "hybrid": 80}
	for name, r := range map[string]*Recursion{
		"clusters": recursion(t, 4, 1.2, overlap.Softmax, 1, 1, 1, 1),
		"hybrid":   hybridOf(t, 3, 1.2, overlap.Softmax, 1, finitedepth.Uniform, 5),
	} {
		values := func(tolerance float64) (v [4]float64) {
			p := problem{nil, layers[name], tolerance}
			o, err := r.solver.outcomes(p, 0)
			if err != nil {
				t.Fatal(err)
			}
			d, err := r.solver.outcomeDerivatives(p, 0, overlap.ByBeta)
			if err != nil {
				t.Fatal(err)
			}
			return [4]float64{o.antipodal.Value, o.single.Value, d.antipodal.Value, d.single.Value}
		}
		smaller, greater := values(jump*(1-1e-8)), values(jump*(1+1e-8))
		for k := range smaller {
			if difference := math.Abs(greater[k] - smaller[k]); difference > 1e-7 {
				t.Errorf("%s: value %d changes by %.2g", name, k, difference)
			}
		}
	}
}
