package exactlaw

import (
	"math"
	"math/rand/v2"
	"testing"

	"antipode/overlap"
	"antipode/overlap/finitedepth"
)

// Walks that go beyond the reach and return in time, and walks that return from beyond, are not more
// frequent than stated, and not much less frequent. With a bound of e^-4, between 3 and 100 of 4000 walks
// do, where at most 73 are expected. The seed is fixed; drifts have both signs, and distances are limited
// by the drift or by the number of layers.
func TestReach(t *testing.T) {
	const bound, walks = 4, 4000
	for _, c := range []struct {
		epsilon float64
		layers  int
	}{{0.7, 400}, {1.1, 60}, {1.1, 400}, {1.6, 30}, {1.6, 400}} {
		h := hybridOf(t, 3, 0.8, overlap.Unnormalized, c.epsilon, finitedepth.Rademacher, 20).solver.(*hybrid)
		w, p := h.scalars(0, 1)
		for _, end := range []float64{-9, 9} {
			x := h.excursions(end, math.Inf(1), bound, w, p)
			var steps [2]float64
			for k := range steps {
				next, _ := h.step(end, w[k])
				steps[k] = math.Copysign(1, end) * (next - end)
			}
			r := rand.New(rand.NewPCG(7, 3))
			// returns counts the walks that start at a distance, go beyond a farthest one, and return.
			returns := func(from, farthest float64) (count float64) {
				for range walks {
					u, beyond := from, false
					for range c.layers {
						u += steps[r.IntN(2)]
						beyond = beyond || u >= farthest
						if beyond && u <= 0 {
							count++
							break
						}
					}
				}
				return count
			}
			reach, back := x.truncationDistance(c.layers), x.returnDistance(c.layers)
			near(t, "number of walks out and back", returns(0, reach), 51.5, 48.5)
			near(t, "number of walks back", returns(back, 0), 51.5, 48.5)
		}
	}
}

// The exponent of a walk with steps up and down by 1 is the logarithm of the ratio of their probabilities; it
// is infinite without steps against the mean.
func TestExponentOfAWalk(t *testing.T) {
	for _, c := range []struct{ down, want float64 }{
		{0.6, 0.4054651081}, {0.4, -0.4054651081}, {0.99, 4.5951198501}, {0.5001, 0.0004000000053}, {0.5, 0},
		{1, math.Inf(1)}, {0, math.Inf(-1)},
	} {
		mean := 1 - 2*c.down
		got := lundbergExponent([]float64{c.down, 1 - c.down}, []float64{-1, 1}, mean, 1-mean*mean+1e-300)
		if got != c.want && !(math.Abs(got-c.want) <= 1e-8*math.Abs(c.want)) {
			t.Errorf("down with probability %v: %v, want %v", c.down, got, c.want)
		}
	}
}
