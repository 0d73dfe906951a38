package fokkerplanck

import (
	"math"
	"slices"
	"sync"
	"testing"

	"antipode/overlap"
	"antipode/sphere/must"
)

// Cached results of starts do not affect a law: neither earlier results nor concurrent ones, nor requests
// for more dimensions than are kept.
func TestLawsDoNotDependOnWhatIsKept(t *testing.T) {
	type point struct {
		dim     int
		epsilon float64
	}
	law := func(p point) []float64 {
		d := must.Get(overlap.NewHybrid(p.dim, 1, overlap.Softmax, p.epsilon))(t)
		laws := must.Get(Uniform(d, []float64{3}, 1e-3))(t)
		return laws[0].cumulative
	}
	var points []point
	for dim := range 18 {
		points = append(points, point{dim + 2, 1.2}, point{dim + 2, 0.4})
	}
	together := make([][]float64, len(points))
	var group sync.WaitGroup
	for k, p := range points {
		group.Go(func() { together[k] = law(p) })
	}
	group.Wait()
	for k, p := range points {
		uniformStarts.Forget()
		if !slices.Equal(law(p), together[k]) {
			t.Errorf("%+v: another law alone", p)
		}
	}
}

// The masses are those of the density, truncated at the ends of the grid. Their mean is 0, and the mass
// below z = ½ is the probability for uniform tokens, 3/4 in three dimensions.
func TestUniformMassesOfAGrid(t *testing.T) {
	s := newUniformStart(3)
	for _, g := range []grid{
		{first: -30, width: 0.01, nodes: 6001, middle: 3000}, {first: -25, width: 0.01, nodes: 4001,
			middle: 2500},
	} {
		var total, mean, below float64
		for i, m := range s.project(g) {
			z := math.Tanh(sinhMap(g.node(i)))
			total, mean = total+m, mean+m*z
			if z < 0.5 {
				below += m
			}
		}
		if !(math.Abs(mean/total) <= 1e-6) || !(math.Abs(below/total-0.75) <= 3e-3) {
			t.Errorf("mean %v, %v below 1/2", mean/total, below/total)
		}
	}
}
