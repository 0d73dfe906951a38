package attention

import (
	"testing"

	"antipode/experiments/run"
	"antipode/sde/matrices"
)

// The cost of a sampling is the sum of the costs of its networks, each in proportion to the number of samples
// and layers.
func TestNeedsOfASampling(t *testing.T) {
	g := NewGrid()
	of := func(samples int64, networks ...matrices.Network) run.Needs {
		g.Samples = samples
		_, needs := g.needs(Sampling{Networks: networks,
			KeptLayers: func(matrices.Network) int { return 0 }}, run.Options{Workers: 1})
		return needs
	}
	kind := g.Kinds()[0]
	small, large := g.Network(kind, 20, 3), g.Network(kind, 50, 3)
	one, other, both := of(10, small), of(10, large), of(10, small, large)
	if !(one.Seconds > 0 && other.Seconds > one.Seconds) || both.Seconds != one.Seconds+other.Seconds ||
		both.Kept != 2*8*3*10 {
		t.Errorf("%+v and %+v alone, %+v together", one, other, both)
	}
	deep := small
	deep.Layers = 6
	if twice, doubled := of(20, small), of(10, deep); twice.Seconds != 2*one.Seconds ||
		doubled.Seconds != 2*one.Seconds {
		t.Errorf("%+v, of twice the samples %+v, of twice the layers %+v", one, twice, doubled)
	}
}
