package sde

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"antipode/internal/instructionset"
	"antipode/sde/internal/attention"
	"antipode/sde/internal/kernels"
	"antipode/sde/internal/lanes"
	"antipode/sphere"
	"antipode/sphere/must"
)

// largeCells returns cells of all models whose tokens are advanced by products of matrices, with and without
// B.
func largeCells(tokens, dim int) []Cell {
	var cells []Cell
	for _, c := range models(tokens, dim) {
		if c.byMatrices() {
			cells = append(cells, c)
			c.Interaction = GaussianInteraction(dim, 0.2)
			cells = append(cells, c)
		}
	}
	return cells
}

// Tokens that are advanced by products of matrices follow the Stepper with the same random numbers, to
// rounding. The entries of a matrix are drawn eight at a time, one from each attempt.
func TestMatricesFollowTheStepper(t *testing.T) {
	const n, d, layers = 45, 41, 5
	cells := largeCells(n, d)
	if len(cells) != 2*12 {
		t.Fatalf("%d cells", len(cells))
	}
	for _, c := range cells {
		l, all := newLanes(c, 3, 1, KeepApart, 1), []lanes.Lane{{Trajectory: 6}}
		must.Do(t, l.Start(0, 6))
		x := slices.Clone(l.Tokens(0))
		l.Advance(all, layers)
		stepper, numbers := steppedByLoops(c), kernels.NewLanes(c.stream(3), 1)
		draw, _ := c.Model.recursion().matrices(c)
		for layer := range int64(layers) {
			increment := make([]float64, stepper.IncrementLen())
			if is[Transformer](c.Model) {
				numbers.SetAll(kernels.Increments, 6, layer)
				entries := make([]kernels.Vector, kernels.Width(d*d))
				draw(entries, numbers)
				copy(increment, kernels.Numbers(entries))
			} else {
				c.Model.draw(increment, c.Depth, c.stream(3), 6, layer)
			}
			must.Do(t, stepper.Step(x, increment))
		}
		for k, v := range l.Tokens(0) {
			if !(math.Abs(v-x[k]) <= 1e-12) {
				t.Fatalf("%s, B %v: coordinate %d is %v, by the stepper %v",
					name(c), c.Interaction != nil, k, v, x[k])
			}
		}
	}
}

// steppedByLoops returns the stepper of a cell that uses loops in place of products of matrices.
func steppedByLoops(c Cell) Stepper { return c.stepper(attention.NewByLoops(c.attention())) }

// For large tokens, with common noise and with independent noise, steppers that use products of matrices give
// what loops give, to rounding.
func TestStepsByProductsAreThoseByLoops(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 2))
	cells := slices.Concat(schemes(30, 25), schemes(30, 25), schemes(30, 25), largeCells(30, 25))
	for _, c := range cells {
		c.Beta = 0.8
		if r.IntN(2) == 0 {
			c.Interaction = GaussianInteraction(c.Dim, 0.3)
		}
		if len(c.Model.Noises()) > 1 && r.IntN(3) == 0 {
			c.Model = withNoise(c.Model, IndependentNoise)
		}
		if limit, ok := c.Model.(TransformerSDE); ok && r.IntN(2) == 0 {
			limit.Covariance = Covariance{A: 1, B: 0.3, C: 0.2}
			c.Model = limit
		}
		x := uniformTokens(r, c.Tokens, c.Dim)
		y, start := slices.Clone(x), slices.Clone(x)
		increment := make([]float64, c.IncrementLen())
		for k := range increment {
			increment[k] = 0.1 * r.NormFloat64()
		}
		a := c.newAttention()
		if !a.ByProducts() {
			t.Fatalf("%s: by loops", name(c))
		}
		must.Do(t, errors.Join(c.stepper(a).Step(x, increment), steppedByLoops(c).Step(y, increment)))
		for k, v := range x {
			if !(math.Abs(v-y[k]) <= 1e-13) || slices.Equal(x, start) {
				t.Fatalf("%s: coordinate %d is %v, by loops %v", name(c), k, v, y[k])
			}
		}
	}
}

// The states of large tokens have the same bits on every machine and for any number of workers: with matrices
// in full and on the span of the tokens, until most tokens have merged.
func TestLargeTokensHaveTheSameBitsEverywhere(t *testing.T) {
	active := instructionset.Active()
	defer func() {
		must.Do(t, instructionset.Select(active))
	}()
	cells := []Cell{
		{Model: Transformer{Sigma: 1}, Tokens: 90, Dim: 60},
		{Model: Transformer{Sigma: 2, Law: TruncatedNormal}, Tokens: 30, Dim: 70, Attention: Unnormalized},
		{Model: Transformer{Sigma: 2}, Tokens: 20, Dim: 64},
		{Model: Hybrid{Law: Rademacher, Epsilon: 1.2}, Tokens: 65, Dim: 13,
			Interaction: GaussianInteraction(13, 0.3)},
		{Model: Transformer{Sigma: 1}, Tokens: 270, Dim: 25},
		{Model: Transformer{Sigma: 1, Law: Rademacher}, Tokens: 275, Dim: 9},
	}
	for k, want := range []uint64{
		0xd1519b66b40399f5, 0x5a3b9272437fc035, 0x5b48054293c2b733, 0xf65214c83f5ca780,
		0x4f0d8c3eb3c35659, 0x3a5f35a68af091ef,
	} {
		c := cells[k]
		c.Beta, c.Depth, c.Start = 2, 5, UniformStart{}
		if !c.byMatrices() {
			t.Fatalf("cell %d is not large", k)
		}
		for i, set := range instructionset.Available() {
			must.Do(t, instructionset.Select(set))
			workers := []int{1 + i%3}
			if set == active {
				workers = []int{1, 2, 3}
			}
			for _, workers := range workers {
				if got := digestOf(t, c, workers); got != want {
					t.Errorf("cell %d, %s, %d workers: digest %#x, want %#x", k, set, workers, got, want)
				}
			}
		}
	}
}

// digestOf returns a digest of the states of one trajectory, computed by the given number of goroutines.
func digestOf(t *testing.T, c Cell, workers int) (digest uint64) {
	t.Helper()
	l, all := newLanes(c, 4, 1, MergeLaws, workers), []lanes.Lane{{Trajectory: 2}}
	must.Do(t, l.Start(0, 2))
	for range 3 {
		l.Advance(all, 11)
		if all[0].Err != nil {
			t.Fatal(all[0].Err)
		}
		for _, v := range l.Tokens(0) {
			digest = (digest ^ math.Float64bits(v)) * 0x100000001b3
		}
	}
	return digest
}

// If a run has more workers than trajectories, several of them work on each trajectory. It then has the rows
// of a run with one worker; outcomes and overlaps are those of the tokens, whether they have merged or not.
func TestWorkersShareATrajectory(t *testing.T) {
	cell := Cell{Model: Transformer{Sigma: 1}, Tokens: 190, Dim: 48, Beta: 1, Depth: 3, Start: UniformStart{}}
	run := func(workers int) (rows [][]float64) {
		e := &Ensemble[[]float64]{
			Cells: []Cell{cell}, Trajectories: 2, Layers: 70, Seed: 9, Workers: workers, Merge: MergeLaws,
			Times: []int64{0, 1, 40, 70},
			Observer: func(int) func(*[]float64, *View) {
				return func(row *[]float64, v *View) {
					x := v.Tokens()
					want, wantPair := sphere.NewClassifier(190, 0.3).Classify(x, 48)
					outcome, pair := v.Outcome(0.3)
					if outcome != want || pair != wantPair {
						t.Errorf("layer %d: %v, %v; of the tokens %v, %v",
							v.Layer, outcome, pair, want, wantPair)
					}
					overlap := sphere.Dot(x[7*48:8*48], x[3*48:4*48])
					if _, chain := v.Pair(); !chain && v.Overlap(3, 7) != overlap {
						t.Errorf("layer %d: overlap %v", v.Layer, v.Overlap(7, 3))
					}
					*row = append(*row, v.Overlap(7, 3), v.Overlap(100, 155), float64(outcome))
				}
			},
			Reduce: func(_ int, _ int64, row []float64) error { rows = append(rows, row); return nil },
		}
		if workers == 5 && e.sharing(cell) != 2 {
			t.Errorf("%d workers share a trajectory", e.sharing(cell))
		}
		must.Do(t, e.Run(t.Context()))
		return rows
	}
	want := run(1)
	for _, workers := range []int{2, 3, 5} {
		if !slices.EqualFunc(run(workers), want, slices.Equal) {
			t.Errorf("%d workers: other rows", workers)
		}
	}
}

// Merging changes no outcome of large tokens, under a law for which two atoms are not replaced by a chain;
// and tokens do merge.
func TestMergingChangesNoOutcomeOfLargeTokens(t *testing.T) {
	for _, c := range []Cell{
		{Model: Transformer{Sigma: 1, Law: Uniform}, Tokens: 40, Dim: 17},
		{Model: Flow{}, Tokens: 40, Dim: 17, Interaction: GaussianInteraction(17, 0.5)},
	} {
		c.Beta, c.Depth, c.Start = 4, 4, UniformStart{}
		merged, plain := newLanes(c, 8, 1, MergeLaws, 1), newLanes(c, 8, 1, KeepApart, 1)
		for trajectory := range int64(8) {
			all, others := []lanes.Lane{{Trajectory: trajectory}}, []lanes.Lane{{Trajectory: trajectory}}
			for _, l := range []lanes.Lanes{merged, plain} {
				must.Do(t, l.Start(0, trajectory))
			}
			for range 6 {
				merged.Advance(all, 32)
				plain.Advance(others, 32)
				outcome, pair := NewView(0, 0, slices.Clone(merged.Tokens(0)), 17).Outcome(1e-3)
				want, wantPair := NewView(0, 0, slices.Clone(plain.Tokens(0)), 17).Outcome(1e-3)
				if outcome != want || pair != wantPair {
					t.Errorf("%s, trajectory %d, layer %d: %v, %v; not merged %v, %v",
						name(c), trajectory, all[0].Layer, outcome, pair, want, wantPair)
				}
			}
			if x := merged.Tokens(0); !slices.Equal(x[:17], x[17:34]) && is[Transformer](c.Model) {
				t.Errorf("%s, trajectory %d: nothing has merged", name(c), trajectory)
			}
		}
	}
}

// Two atoms of large tokens continue as a chain.
func TestLargeTokensBecomePairs(t *testing.T) {
	c := Cell{Model: Transformer{Sigma: 1}, Tokens: 70, Dim: 10, Beta: 3, Depth: 5,
		Start: OppositeStart{30, 40}}
	l, all := newLanes(c, 1, 1, MergeLaws, 1), make([]lanes.Lane, 1)
	must.Do(t, l.Start(0, 0))
	l.Advance(all, 64)
	p, ok := l.Pair(0)
	if !ok || p.Masses != [2]float64{30, 40} || p.Of[29] != 0 || p.Of[30] != 1 || all[0].Layer != 64 {
		t.Errorf("%v %+v at layer %d", ok, p, all[0].Layer)
	}
}

// Neither a layer of large tokens nor the questions of observers allocate.
func TestLargeTokensDoNotAllocate(t *testing.T) {
	for _, c := range append(largeCells(45, 33), largeCells(12, 100)...) {
		l, all := newLanes(c, 1, 1, MergeLaws, 1), make([]lanes.Lane, 1)
		must.Do(t, l.Start(0, 0))
		v := newView(c, l)
		v.Outcome(0.1)
		if n := testing.AllocsPerRun(5, func() {
			l.Advance(all, 7)
			v.at(0, all[0])
			v.Outcome(0.1)
			v.Overlap(0, 1)
		}); n > 0 {
			t.Errorf("%s: %v allocations", name(c), n)
		}
	}
}

// The estimate of the memory of large tokens is right to a twentieth.
func TestMemoryOfLargeTokens(t *testing.T) {
	for _, size := range [][2]int{{700, 40}, {60, 700}, {300, 500}} {
		for _, model := range []Model{Transformer{Sigma: 1}, Hybrid{Epsilon: 1}} {
			c := Cell{Model: model, Tokens: size[0], Dim: size[1], Depth: 10, Beta: 1, Start: UniformStart{}}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			l, all := newLanes(c, 1, 1, KeepApart, 1), make([]lanes.Lane, 1)
			must.Do(t, l.Start(0, 0))
			l.Advance(all, 1)
			l.(lanes.Overlapping).Overlaps(0)
			runtime.ReadMemStats(&after)
			got, want := c.Memory(), float64(after.TotalAlloc-before.TotalAlloc)
			if !(math.Abs(got-want) <= 0.1*want+1e6) {
				t.Errorf("%v: counted %.0f bytes, allocated %.0f", fmt.Sprint(model, size), got, want)
			}
		}
	}
}
