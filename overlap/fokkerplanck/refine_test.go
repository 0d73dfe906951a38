package fokkerplanck

import "testing"

// Steps in time are halved as long as the remaining work is at least that of 20 solutions with the halved
// steps, and not once more.
func TestHalvingEndsWithTheRemainingWork(t *testing.T) {
	l := diffusion(t, 3, 1).Line()
	times := []float64{0.3}
	from := source{at: 0.2}
	g := newGrid(l, &from, times, 0.1)
	r := &refinement{d: l, from: from, times: times, scheme: central}
	step := func(halvings int) float64 { return coarsestRelativeStep / float64(int(1)<<halvings) }
	work := func(halvings int) float64 { // of all solutions, the first of which has steps twice as long
		sum := r.cost(g, 2*coarsestRelativeStep)
		for k := range halvings + 1 {
			sum += r.cost(g, step(k))
		}
		return sum
	}
	for halvings := range 3 {
		enough := work(halvings) + 20*r.cost(g, step(halvings+1)) // for one more
		for missing, want := range []int{halvings + 1, halvings} {
			r.relativeStep, r.remaining = coarsestRelativeStep, enough-float64(missing)
			r.solve(g, 0)
			if spent := enough - float64(missing) - r.remaining; spent != work(want) {
				t.Errorf("with work %v: spent %v, want %v for %d halvings", enough-float64(missing), spent,
					work(want), want)
			}
		}
	}
}
