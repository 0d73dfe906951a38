//go:build long

package weak

import (
	"math"
	"testing"

	"antipode/overlap"
	"antipode/overlap/firstpassage"
	"antipode/sde"
	"antipode/sphere"
	"antipode/sphere/must"
)

// Three tokens become antipodal as two tokens opposite the third, a state that does not last. The antipodal
// fractions at four times agree with those of an independent program; its standard errors are known for the
// first and last time, and taken to be those of 4,000 trajectories for the others. The state decays with the
// time constant of the theory, which the finite depth 100 shifts by 5 % at most.
//
// Five comparisons at 4.5 standard errors: false-alarm probability 3e-5.
func TestThreeTokensDecay(t *testing.T) {
	const (
		trajectories = 4000
		depth        = 100
		every        = 20 // units of time between observations
		last         = 20 // observations
		settled      = 3  // after so many observations the only states left are single and antipodal
	)
	var antipodal, alive [last + 1]int
	e := &sde.Ensemble[[last + 1]sphere.Outcome]{
		Cells: []sde.Cell{{Model: sde.Transformer{Sigma: 1}, Tokens: 3, Dim: 4, Beta: 2.5, Depth: depth,
			Start: sde.UniformStart{}}},
		Seed: 1, Trajectories: trajectories, Layers: last * every * depth,
	}
	for k := range int64(last) {
		e.Times = append(e.Times, (k+1)*every*depth)
	}
	e.Observer = func(int) func(*[last + 1]sphere.Outcome, *sde.View) {
		return func(row *[last + 1]sphere.Outcome, v *sde.View) {
			row[v.Layer/(every*depth)], _ = v.Outcome(1e-3)
		}
	}
	e.Stop = func(int) func(*sde.View) bool {
		return func(v *sde.View) bool {
			outcome, _ := v.Outcome(1e-3)
			return outcome == sphere.Single
		}
	}
	e.Reduce = func(_ int, _ int64, row [last + 1]sphere.Outcome) error {
		for k := 1; k <= last && row[k] != sphere.Single; k++ {
			alive[k]++
			if row[k] == sphere.Antipodal {
				antipodal[k]++
			}
		}
		return nil
	}
	must.Do(t, e.Run(t.Context()))
	for _, c := range []struct {
		time            int
		want, deviation float64
	}{{20, 0.260, 0.005}, {100, 0.129, 0.005}, {200, 0.047, 0.0033}, {400, 0.0070, 0.0013}} {
		got := float64(antipodal[c.time/every]) / trajectories
		off := (got - c.want) / math.Hypot(c.deviation, math.Sqrt(c.want*(1-c.want)/trajectories))
		t.Logf("time %d: %.4f, %+.2f standard errors from %.4f", c.time, got, off, c.want)
		if !(math.Abs(off) <= 4.5) {
			t.Errorf("time %d: %.4f antipodal, want %.4f ± %.4f", c.time, got, c.want, c.deviation)
		}
	}
	// The maximum-likelihood estimate for an exponential time that is observed only at multiples of a period.
	seen, gone := 0, alive[settled]-alive[last]
	for k := settled; k < last; k++ {
		seen += alive[k]
	}
	decay := -every / math.Log1p(-float64(gone)/float64(seen))
	deviation := decay / math.Sqrt(float64(gone))
	d := must.Get(overlap.NewMasses(4, 2.5, overlap.Softmax, 1, 1, 2))(t)
	theory := must.Get(firstpassage.DecayTime(d))(t)
	t.Logf("decay time %.1f ± %.1f, theory %.2f; alive %v", decay, deviation, theory.Value, alive)
	if !(math.Abs(decay-theory.Value) <= 4.5*deviation+theory.Value/20) {
		t.Errorf("decay time %.1f ± %.1f, theory %.2f", decay, deviation, theory.Value)
	}
}
