package phase

import (
	"testing"

	"antipode/experiments/run"
	"antipode/sde"
	"antipode/sphere/must"
)

// The estimate of the critical β has the same bits on every machine. Its second simulation is at a β computed
// from the first, and a β that differs in its last bit would have other random numbers.
func TestCriticalBetaHasTheSameBitsEverywhere(t *testing.T) {
	p := New()
	p.Trajectories, p.Depth = 64, 20
	for dim, want := range map[int]critical{
		4:  {0.7041473612811797, 0.5258620489332002, 1.1223727693393837},
		7:  {1.2454202642201246, 1.1883355026217328, 1.3340167086292134},
		11: {1.5397369260936182, 1.4892232553949225, 1.5944436686719219},
	} {
		got := must.Get(p.critical(t.Context(), run.Options{Seed: 5}, dim))(t)
		if got != want {
			t.Errorf("d = %d: %#v", dim, got)
		}
	}
	p.Attention = sde.Unnormalized
	want := critical{1.1539463116970274, 1.1007878412566223, 1.214848720668854}
	if got := must.Get(p.critical(t.Context(), run.Options{Seed: 5}, 6))(t); got != want {
		t.Errorf("unnormalized: %#v", got)
	}
}
