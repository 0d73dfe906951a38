package exactlaw

import (
	"math"
	"testing"

	"antipode/overlap"
	"antipode/overlap/finitedepth"
	"antipode/overlap/internal/line"
	"antipode/sphere/must"
)

// From a uniform start F has closed forms in two and three dimensions; some of the lattices end early.
func TestUniformDistribution(t *testing.T) {
	for dim, want := range map[int]func(u float64) float64{
		2: func(u float64) float64 { return 2 / math.Pi * math.Atan(math.Exp(u)) },
		3: func(u float64) float64 { return 0.5 + 0.5*math.Tanh(u) },
	} {
		for _, l := range []grid{{-3.3, 0.4, 12}, {0.7, 0.3, 14}, {-40, 0.5, 171}} {
			f := &distribution{grid: l}
			f.setUniform(dim)
			for i, value := range f.value {
				near(t, "F", value, want(l.at(i)), 1e-14)
			}
		}
	}
}

// The crossings of a function with poles and extrema give the probability that its value is below a
// point, on many lattices; in some, points are next to an extremum.
func TestCrossings(t *testing.T) {
	g := func(u float64) (value, slope float64) {
		return u - 0.8*logAbs(u-1.37) + 0.6*logAbs(u-0.587), 1 - 0.8/(u-0.37) + 0.6/(u+0.413)
	}
	below := func(u float64) float64 { return 0.5 + 0.5*math.Tanh(u) }
	const samples = 100_000
	values, weights := make([]float64, samples), make([]float64, samples)
	for k := range samples {
		u := 30 * (2*(float64(k)+0.5)/samples - 1)
		values[k], _ = g(u)
		weights[k] = below(u+30.0/samples) - below(u-30.0/samples)
	}
	for shift := range 20 {
		l := grid{-9 + 0.02*float64(shift), 0.4, 45}
		lists := make([][]preimage, l.count)
		newPiecewiseMap(l, g, []float64{-0.413, 0.37}).addPreimages(l, 1, lists)
		for i, list := range lists {
			sum := 0.0
			for _, c := range list {
				sum += c.weight * below(c.at)
			}
			want := 0.0
			for k, y := range values {
				if y <= l.at(i) {
					want += weights[k]
				}
			}
			near(t, "P(g < y)", sum, want, 3e-4)
		}
	}
}

// Powers of the matrix, where F is not constant and matters, agree with all layers one by one.
func TestAdvance(t *testing.T) {
	const layers, tolerance = 1500, 1e-3
	h := hybridOf(t, 3, 1, overlap.Unnormalized, 0.9, finitedepth.Rademacher, 50).solver.(*hybrid)
	edge, width := line.Atanh(1-tolerance), 0.3
	w, p := h.scalars(0, width)
	l, ends, err := h.grid(problem{nil, layers, tolerance}, edge, width, w, p, 1)
	if err != nil {
		t.Fatal(err)
	}
	var below [2][2]float64
	for k := range below {
		f := &distribution{grid: l, ends: ends}
		f.setUniform(h.dim)
		f.setTransitions(w, p, h.step, h.poles)
		if k == 0 {
			must.Do(t, f.advance(layers))
		} else {
			for range layers {
				f.step()
			}
		}
		below[k] = [2]float64{f.below(-edge), f.below(edge)}
	}
	near(t, "F at the left edge", below[0][0], below[1][0], 1e-10)
	near(t, "F at the right edge", below[0][1], below[1][1], 1e-10)
}

// A layer that moves all mass further than it is spread leaves none of it in place.
func TestApplyFarMove(t *testing.T) {
	const states, move = 200, 70
	f := &distribution{
		grid: grid{-10, 0.1, states}, workspace: make([]float64, states),
		ends: [2]excursions{{from: -100, neverReturns: true}, {from: 100, neverReturns: true}},
	}
	m, old := newBand(states), make([]float64, states)
	for i := range states {
		old[i] = max(0, min(1, 0.1*float64(i-90)))
		m.set(i, span{max(0, i-move), []float64{1}})
	}
	f.value = append(f.value, old...)
	f.apply(m, 0)
	for i, value := range f.value {
		near(t, "F", value, old[max(0, i-move)], 0)
	}
}

// The outcomes of a distribution function are what it is below one edge and what is missing above the other,
// also for edges elsewhere.
func TestOutcomesOfADistribution(t *testing.T) {
	below := func(u float64) float64 { return 0.5 + 0.1*u + 0.01*u*u }
	o := lawOf(below, 2, 0.25)
	near(t, "P(antipodal)", o.antipodal.Value, below(-2), 0)
	near(t, "P(single)", o.single.Value, 1-below(2), 0)
	near(t, "P(Z ≤ edge)", o.shifted(false, 0.5), below(-1.5), 0)
	near(t, "P(Z ≥ edge)", o.shifted(true, 0.5), 1-below(2.5), 0)
	near(t, "spacing", o.spacing, 0.25, 0)
}

// 40 rows of a stencil each are squared three times for 1000 layers: 125 is less than four times the width 34
// that remains. The rows of each square are √2 times as wide.
func TestCostsOfLayers(t *testing.T) {
	f := &distribution{grid: grid{0, 1, 40}, transitions: make([][]stencil, 40)}
	for i := range f.transitions {
		f.transitions[i] = []stencil{{first: min(i, 28)}}
	}
	single, powers := f.costs(1000)
	near(t, "operations one by one", single, 1.5*12*1000*40, 0)
	near(t, "operations by powers", powers, 12*480*(1+2+4)+125*480*2*math.Sqrt2, 1e-6)
}
