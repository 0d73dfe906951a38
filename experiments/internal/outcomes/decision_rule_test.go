package outcomes

import (
	"math"
	"testing"

	"antipode/overlap"
	"antipode/overlap/finitedepth"
	"antipode/sde"
	"antipode/sphere"
)

// decidedCell returns a cell in which both ends attract, so that there are bounds on a return from either.
func decidedCell(tokens int, method sde.Method) sde.Cell {
	return sde.Cell{Model: sde.Transformer{Sigma: 1}, Method: method, Tokens: tokens, Dim: 3, Beta: 2,
		Depth: 10, Start: sde.UniformStart{}}
}

// deciderOf returns the decider of an ensemble of ten million layers of the cell, with a tolerance.
func deciderOf(cell sde.Cell, tolerance float64) *decider {
	e := &sde.Ensemble[Decision]{Cells: []sde.Cell{cell}, Trajectories: 10_000, Layers: 1000}
	return NewDecider(e, tolerance, false)
}

// At a distance δ from an end the bound on a return is (δ/δ₀)^κ, with the exponent κ of the theory and δ₀ =
// min(10^-6, τ). A trajectory ends if the bound is at most 10^-9, not if it is slightly more.
func TestTrajectoriesEndAtABillionth(t *testing.T) {
	for _, tolerance := range []float64{1e-3, 1e-8} {
		edge := math.Log(min(1e-6, tolerance))
		cell := decidedCell(2, sde.Chain)
		antipodal, _, err := finitedepth.AntipodalReturn(3, 2, overlap.Softmax, 1, 10, math.Exp(edge))
		if err != nil {
			t.Fatal(err)
		}
		single, _, err := finitedepth.SingleReturn(3, 2, overlap.Softmax, 1, 10, math.Exp(edge))
		if err != nil || antipodal == single {
			t.Fatalf("exponents %v and %v, error %v", antipodal, single, err)
		}
		d := deciderOf(cell, tolerance)
		stop, bound := d.stop(0), d.bound(0)
		for end, exponent := range []float64{antipodal, single} {
			for _, probability := range []float64{0.5, 1e-3, 1.01e-9, 0.99e-9, 1e-12} {
				x := []float64{math.Ln2, math.Ln2}
				x[end] = edge + math.Log(probability)/exponent
				pair := sde.NewPairView(0, 5, sde.Pair{Masses: [2]float64{1, 1}, Above: x[0], Below: x[1]})
				if got := bound(x[0], x[1]); !(math.Abs(got/probability-1) <= 1e-9) {
					t.Errorf("τ = %g, end %d: bound %v, want %v", tolerance, end, got, probability)
				}
				if got := stop(pair); got != (probability < 1e-9) {
					t.Errorf("τ = %g, end %d: bound %v ends it: %v", tolerance, end, probability, got)
				}
			}
			x := []float64{math.Ln2, math.Ln2}
			x[end] = edge + 0.1
			if bound(x[0], x[1]) != 1 {
				t.Errorf("τ = %g, end %d: bound %v outside of the neighbourhood", tolerance, end,
					bound(x[0], x[1]))
			}
		}
	}
}

// For the hybrid, the bound has the exponents of its law and of each end, for distances up to min(τ, 0.01).
// With softmax and an ε for which both ends attract, the exponents are so small that the bound is 10^-9 only
// at distances of about e^-100.
func TestHybridTrajectoriesEndAtABillionth(t *testing.T) {
	cell := decidedCell(2, sde.Chain)
	for _, c := range []struct {
		tolerance, epsilon float64
		law                sde.Law
		of                 finitedepth.ScalarLaw
	}{{1e-3, 0.7, sde.Uniform, finitedepth.Uniform}, {0.3, 1.7, sde.Rademacher, finitedepth.Rademacher},
		{1e-3, 1.2, sde.TruncatedNormal, finitedepth.TruncatedNormal},
		{1e-3, 0.5, sde.Gaussian, finitedepth.Gaussian}} {
		cell.Model, cell.Depth = sde.Hybrid{Law: c.law, Epsilon: c.epsilon}, 50
		h := finitedepth.Hybrid{Beta: 2, Attention: overlap.Softmax, Epsilon: c.epsilon, Law: c.of, Depth: 50}
		within := min(0.01, c.tolerance)
		bound := deciderOf(cell, c.tolerance).bound(0)
		antipodal, minus, err := h.AntipodalReturn(within)
		if err != nil {
			t.Fatal(err)
		}
		single, plus, err := h.SingleReturn(within)
		if err != nil || !minus && !plus {
			t.Fatalf("%+v: %v, %v, %v", h, minus, plus, err)
		}
		const probability = 1e-9
		if got := bound(math.Log(within)+math.Log(probability)/antipodal, math.Ln2); minus &&
			!(math.Abs(got/probability-1) <= 1e-9) || !minus && bound(-1e4, math.Ln2) != 1 {
			t.Errorf("%+v: bound %v at -1", h, got)
		}
		if got := bound(math.Ln2, math.Log(within)+math.Log(probability)/single); plus &&
			!(math.Abs(got/probability-1) <= 1e-9) || !plus && bound(math.Ln2, -1e4) != 1 {
			t.Errorf("%+v: bound %v at +1", h, got)
		}
	}
}

// A trajectory of tokens ends when all of them coincide. One of two tokens also ends where the outcome is
// decided; one of more tokens does not end because the outcome of the first two is decided.
func TestMoreTokensDoNotEndWithTheFirstTwo(t *testing.T) {
	up, down, aside, beside := []float64{0, 0, 1}, []float64{0, 0, -1}, []float64{1, 0, 0}, []float64{0, 1, 0}
	for _, c := range []struct {
		tokens [][]float64
		ends   bool
	}{
		{[][]float64{up, down}, true}, {[][]float64{up, up}, true}, {[][]float64{up, aside}, false},
		{[][]float64{up, down, aside, beside}, false}, {[][]float64{up, up, aside, beside}, false},
		{[][]float64{up, up, down, down}, false},
		{[][]float64{up, up, up, up}, true}, {[][]float64{up, up, up, down}, false},
		{[][]float64{up, down, aside}, false},
	} {
		var x []float64
		for _, token := range c.tokens {
			x = append(x, token...)
		}
		if got := deciderOf(decidedCell(len(c.tokens), sde.Tokens),
			1e-3).stop(0)(sde.NewView(0, 5, x, 3)); got != c.ends {
			t.Errorf("tokens %v: end %v, want %v", c.tokens, got, c.ends)
		}
	}
}

// A trajectory that has become two atoms of equal masses ends where its outcome is decided, and has the
// bound. For unequal masses, whichever is larger, there is no bound, and the trajectory ends only when the
// atoms are one.
func TestAtomsOfOtherMassesHaveNoBound(t *testing.T) {
	d := deciderOf(decidedCell(4, sde.Tokens), 1e-3)
	see, stop, far, inf := d.observer(0), d.stop(0), -2000., math.Inf(-1)
	for _, c := range []struct {
		masses       [2]float64
		above, below float64
		ends         bool
		bounded      bool
		outcome      sphere.Outcome
	}{
		{[2]float64{2, 2}, far, math.Ln2, true, true, sphere.Antipodal},
		{[2]float64{2, 2}, math.Ln2, far, true, true, sphere.Single},
		{[2]float64{2, 2}, -8, math.Ln2, false, true, sphere.Antipodal},
		{[2]float64{2, 2}, 0, 0, false, true, sphere.Unclustered},
		{[2]float64{1, 3}, far, math.Ln2, false, false, sphere.Antipodal},
		{[2]float64{3, 1}, far, math.Ln2, false, false, sphere.Antipodal},
		{[2]float64{1, 3}, math.Ln2, far, false, false, sphere.Single},
		{[2]float64{3, 1}, math.Ln2, far, false, false, sphere.Single},
		{[2]float64{3, 1}, math.Ln2, inf, true, false, sphere.Single},
		{[2]float64{2, 2}, math.Ln2, inf, true, false, sphere.Single},
	} {
		for _, layer := range []int64{500, 1000} {
			var row Decision
			v := sde.NewPairView(0, layer, sde.Pair{Masses: c.masses, Above: c.above, Below: c.below})
			see(&row, v)
			ends := stop(v)
			if ends != c.ends || row.Outcome != c.outcome || row.Pair != (c.outcome == sphere.Antipodal) ||
				row.Early != (layer < 1000) {
				t.Errorf("%+v at layer %d: ends %v with %+v", c, layer, ends, row)
			}
			if known := row.ErrorBound == row.ErrorBound; known != c.bounded ||
				known && (row.ErrorBound <= 1e-9) != c.ends {
				t.Errorf("%+v: bound %v", c, row.ErrorBound)
			}
		}
	}
}

// Bounds are known for two tokens, or any even number, with Gaussian value matrices and B = Id, in cells of
// at least ten million layers, and for two tokens of the hybrid. Without bounds trajectories of tokens still
// end when all tokens coincide.
func TestWhereBoundsAreKnown(t *testing.T) {
	known := func(trajectories, layers int64, change func(c *sde.Cell)) bool {
		cell := decidedCell(4, sde.Tokens)
		change(&cell)
		e := &sde.Ensemble[Decision]{Cells: []sde.Cell{cell}, Trajectories: trajectories, Layers: layers}
		d := NewDecider(e, 1e-3, false)
		if (e.Stop != nil) != (d.bounds[0] != nil || cell.Method == sde.Tokens) ||
			(e.Merge == sde.MergeLaws) != (cell.Method == sde.Tokens) {
			t.Errorf("%d tokens by %v: stop %v, merge %v", cell.Tokens, cell.Method,
				e.Stop != nil, e.Merge)
		}
		return d.bounds[0] != nil
	}
	for _, c := range []struct {
		what                 string
		trajectories, layers int64
		change               func(c *sde.Cell)
		want                 bool
	}{
		{"ten million layers", 10_000, 1000, func(c *sde.Cell) {}, true},
		{"one less", 9_999, 1000, func(c *sde.Cell) {}, false},
		{"three tokens", 10_000, 1000, func(c *sde.Cell) { c.Tokens = 3 }, false},
		{"two tokens", 10_000, 1000, func(c *sde.Cell) { c.Tokens = 2 }, true},
		{"a chain", 10_000, 1000, func(c *sde.Cell) { c.Tokens, c.Method = 2, sde.Chain }, true},
		{"another law", 10_000, 1000,
			func(c *sde.Cell) { c.Model = sde.Transformer{Law: sde.Uniform, Sigma: 1} }, false},
		{"an interaction", 10_000, 1000, func(c *sde.Cell) { c.Interaction = make([]float64, 9) }, false},
		{"the hybrid", 10_000, 1000, func(c *sde.Cell) { c.Model = sde.Hybrid{Epsilon: 1} }, false},
		{"two tokens of it", 10, 10, func(c *sde.Cell) {
			c.Model, c.Tokens = sde.Hybrid{Law: sde.Uniform}, 2
		}, true},
	} {
		if got := known(c.trajectories, c.layers, c.change); got != c.want {
			t.Errorf("%s: known %v", c.what, got)
		}
	}
	e := &sde.Ensemble[Decision]{Cells: []sde.Cell{decidedCell(4, sde.Tokens)}, Trajectories: 10_000,
		Layers: 1000}
	if d := NewDecider(e, 1e-3, true); e.Stop != nil || e.Merge != sde.KeepApart || d.bounds[0] != nil ||
		e.Observer == nil {
		t.Error("shortcuts where there are to be none")
	}
}

// Observations are at least 32 layers apart, and there are at most 1024 of them. Their spacing divides the
// horizon if a divisor exists that is at most a quarter larger than the smallest allowed spacing.
func TestLookTimes(t *testing.T) {
	for horizon, want := range map[int64][3]int64{ // first time, last but one, number of times
		1: {1, 1, 1}, 32: {32, 32, 1}, 100: {32, 96, 4}, 66: {33, 33, 2}, 70: {35, 35, 2},
		1000:  {40, 960, 25},
		32768: {32, 32736, 1024}, 32769: {33, 32736, 993}, 100_000: {100, 99_900, 1000},
		1_000_003: {977, 999_471, 1024},
	} {
		times := lookTimes(horizon)
		if got := [3]int64{times[0], times[max(0, len(times)-2)], int64(len(times))}; got != want ||
			times[len(times)-1] != horizon {
			t.Errorf("horizon %d: first, last but one, number %v, want %v", horizon, got, want)
		}
	}
}
