package sde

import (
	"math"
	"slices"
	"strings"
	"testing"

	"antipode/sphere/activation"
	"antipode/sphere/must"

	"antipode/sde/internal/lanes"
)

// Near an end, a hybrid with bounded noise multiplies D by 1+(e/2)·v in each layer. So ln(1-Z) after 6000
// layers, which is far below the logarithms of float64, is the sum of the logarithms of the squares of these
// factors.
func TestLongHybridChainIsTheProductOfItsLayers(t *testing.T) {
	c := pairCell()
	c.Model, c.Method, c.Depth = Hybrid{Law: Rademacher, Epsilon: 0.3}, Chain, 10
	c.Start = PairStart{1 - 1e-9}
	const layers, trajectory = 6000, 5
	l := newLanes(c, 3, 1, KeepApart, 1)
	must.Do(t, l.Start(0, trajectory))
	want := numbers(l, 0)[1]
	l.Advance([]lanes.Lane{{Trajectory: trajectory}}, layers)
	x := numbers(l, 0)
	// At Z = 1 softmax has A_k = (X_1+X_2)/2 up to (β/2)|D|², so that S' = (1+f)S and D' = D to first order.
	v := make([]float64, 1)
	for layer := range int64(layers) {
		c.Model.draw(v, c.Depth, c.stream(3), trajectory, layer)
		want -= 2 * math.Log1p(0.3/math.Sqrt(10)*v[0]+0.1)
	}
	if !(math.Abs(x[1]-want) <= 1e-6*math.Abs(want)) || x[1] > -900 || !(math.Abs(x[0]-math.Ln2) <= 1e-12) {
		t.Errorf("ln(1-Z) = %v, want %v; ln(1+Z) = %v", x[1], want, x[0])
	}
}

func TestExactEndsStay(t *testing.T) {
	for _, overlap := range []float64{-1, 1} {
		for _, c := range chains() {
			if c.Tokens != 2 {
				continue
			}
			c.Start = PairStart{overlap}
			l := newLanes(c, 1, 1, KeepApart, 1)
			must.Do(t, l.Start(0, 0))
			l.Advance(make([]lanes.Lane, 1), 50)
			x := numbers(l, 0)
			if k := (1 + int(overlap)) / 2; !math.IsInf(x[k], -1) || !(math.Abs(x[1-k]-math.Ln2) <= 1e-15) {
				t.Errorf("%s: %v", name(c), x)
			}
		}
	}
}

// At ε = 2 and depth 1, a layer with v = -1 moves tokens that coincide to 0 (exactly if their number is a
// power of two). The trajectory then fails, by whatever method it is advanced.
func TestTrajectoriesFailWhereTokensHaveNoDirection(t *testing.T) {
	same := func(tokens, dim int) Cell {
		x := make([]float64, tokens*dim)
		for i := range tokens {
			x[i*dim] = 1
		}
		return Cell{Tokens: tokens, Dim: dim, Beta: 1, Start: must.Get(NewStatesStart(x, tokens, dim))(t)}
	}
	chain, pair, several, stepped := same(2, 4), same(2, 4), same(4, 3), same(4, 3)
	chain.Method, stepped.Interaction = Chain, []float64{1, 0, 0, 0, 1, 0, 0, 0, 1}
	chain.Start = PairStart{1}
	for name, c := range map[string]Cell{"chain": chain, "pair": pair, "vectors": several,
		"stepper": stepped} {
		c.Model, c.Depth = Hybrid{Law: Rademacher, Epsilon: 2}, 1
		if c.inVectors() != (name == "pair" || name == "vectors") {
			t.Errorf("%s is not what advances the tokens", name)
		}
		e := &Ensemble[struct{}]{
			Cells: []Cell{c}, Trajectories: 3, Layers: 100,
			Observer: func(int) func(*struct{}, *View) { return func(*struct{}, *View) {} },
			Reduce:   func(int, int64, struct{}) error { return nil },
		}
		err := e.Run(t.Context())
		if err == nil || !strings.HasPrefix(err.Error(), "trajectory 0 of cell 0: ") ||
			!strings.HasSuffix(err.Error(), "no direction") {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

func TestChainIsRefusedWhereThereIsNone(t *testing.T) {
	for want, change := range map[string]func(c *Cell){
		"gaussian law, not uniform":     func(c *Cell) { c.Model = withLaw(c.Model, Uniform) },
		"identity as interaction":       func(c *Cell) { c.Interaction = make([]float64, 16) },
		"dimension at least 2":          func(c *Cell) { c.Dim = 1 },
		"2 tokens or opposite clusters": func(c *Cell) { c.Tokens = 3 },
		"not for model transformer-sde": func(c *Cell) { c.Model = TransformerSDE{Sigma: 1} },
		"method 2: must be one of":      func(c *Cell) { c.Method = 2 },
	} {
		c := pairCell()
		c.Method = Chain
		must.Do(t, c.Validate())
		change(&c)
		if err := c.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	tokens, chain := pairCell(), pairCell()
	chain.Method = Chain
	if tokens.ID() == chain.ID() {
		t.Error("both methods have the same random numbers")
	}
}

func TestLanesDoNotAllocate(t *testing.T) {
	for _, c := range append(models(3, 4), chains()...) {
		l, all := newLanes(c, 1, 4, KeepApart, 1), make([]lanes.Lane, 4)
		for k := range all {
			must.Do(t, l.Start(k, int64(k)))
		}
		v := newView(c, l)
		if n := testing.AllocsPerRun(10, func() {
			l.Advance(all, 2)
			v.at(1, all[1])
			v.Outcome(0.1)
			v.Logarithms(0, 1)
			v.Together()
		}); n > 0 {
			t.Errorf("%s, %v: %v allocations", name(c), c.Method, n)
		}
	}
}

// After five layers a chain has the law of the tokens' overlap: the Kolmogorov-Smirnov distance of
// two samples of n = 4000 is above 2.69·√(2/n) in one of 10^6 seeds.
func TestChainHasTheLawOfTokens(t *testing.T) {
	const trajectories = 4000
	for _, start := range []Start{PairStart{0.3}, OppositeStart{1, 2}} {
		for k, model := range []Model{Transformer{Sigma: 1.3}, Hybrid{Law: Uniform, Epsilon: 1.3},
			Transformer{Sigma: 1.3, Covariance: Covariance{A: 0.8, B: 0.6, C: 0.3}},
			Transformer{Sigma: 1.3, Covariance: Covariance{A: 1, B: -0.9, C: -0.01}},
			Transformer{Sigma: 1.3, Covariance: Covariance{A: 0.5, B: -0.4, C: 0.4}}} {
			c := Cell{Model: model, Tokens: 2, Dim: []int{3, 3, 2, 4, 3}[k], Beta: 1.5, Depth: 6,
				Start: start}
			if start != Start(PairStart{0.3}) {
				c.Tokens, c.Attention = 3, Unnormalized
			}
			tokens := overlapsAfter(t, c, 5, trajectories)
			c.Method = Chain
			chain := overlapsAfter(t, c, 5, trajectories)
			if d := greatestDistance(tokens, chain); d > 2.69*math.Sqrt(2./trajectories) {
				t.Errorf("%v: distance %.4f", name(c), d)
			}
		}
	}
}

// The chain with an MLP of infinite width has the law of tokens with a wide MLP, of 128 hidden units: with a
// drift, with several heads, with random scores, with unequal clusters, with an activation that is not odd,
// and in sequence. The test is that of the test before.
func TestChainWithMLPHasTheLawOfTokens(t *testing.T) {
	const trajectories = 4000
	tanh := MLP{Activation: activation.Tanh, Strength: 3, Variance: 36}
	relu := MLP{Activation: activation.ReLU, Strength: 0.8, Variance: 1}
	base := Cell{Model: Transformer{Sigma: 1.3}, Tokens: 2, Dim: 3, Beta: 1.5, Depth: 6,
		Start: PairStart{0.3}}
	for k, change := range []func(c *Cell){
		func(c *Cell) { c.MLP = tanh },
		func(c *Cell) { c.MLP, c.Drift, c.Heads = relu, 1.7, 3 },
		func(c *Cell) { c.MLP, c.Attention, c.Tokens, c.Start = tanh, Unnormalized, 3, OppositeStart{1, 2} },
		func(c *Cell) { c.MLP, c.Start = relu, OppositeStart{1, 1} },
		func(c *Cell) { c.MLP, c.Resampling = tanh, Resampling{Spread: 1.1} },
		func(c *Cell) { c.Drift, c.Dim = 2.5, 4 },
		func(c *Cell) { c.Heads = 5 },
		func(c *Cell) { c.MLP, c.Arrangement = tanh, InSequence },
		func(c *Cell) { c.MLP, c.Drift, c.Arrangement = relu, 1.7, InSequence },
		func(c *Cell) {
			c.MLP, c.Attention, c.Tokens, c.Start, c.Arrangement = tanh, Unnormalized, 3, OppositeStart{1, 2},
				InSequence
		},
	} {
		c := base
		change(&c)
		wide := c
		if wide.MLP.Strength > 0 {
			wide.MLP.Width = 128
		}
		tokens := overlapsAfter(t, wide, 5, trajectories)
		c.Method = Chain
		if d := greatestDistance(tokens,
			overlapsAfter(t, c, 5, trajectories)); d > 2.69*math.Sqrt(2./trajectories) {
			t.Errorf("case %d: distance %.4f", k, d)
		}
	}
}

// overlapsAfter returns the overlap of the first and the last token of each trajectory after some layers,
// rounded to multiples of 10^-9, as the overlap of two vectors near an end has rounding errors.
func overlapsAfter(t *testing.T, c Cell, layers, trajectories int64) (overlaps []float64) {
	t.Helper()
	e := &Ensemble[float64]{
		Cells: []Cell{c}, Trajectories: trajectories, Layers: layers, Seed: 4,
		Observer: func(int) func(*float64, *View) {
			return func(row *float64, v *View) { *row = math.Round(1e9 * v.Overlap(0, c.Tokens-1)) }
		},
		Reduce: func(_ int, _ int64, row float64) error { overlaps = append(overlaps, row); return nil },
	}
	must.Do(t, e.Run(t.Context()))
	return overlaps
}

// greatestDistance returns the Kolmogorov-Smirnov distance of two samples, which it sorts.
func greatestDistance(a, b []float64) (distance float64) {
	slices.Sort(a)
	slices.Sort(b)
	for i, j := 0, 0; i < len(a) && j < len(b); {
		at := min(a[i], b[j])
		for i < len(a) && a[i] == at {
			i++
		}
		for j < len(b) && b[j] == at {
			j++
		}
		distance = max(distance, math.Abs(float64(i)/float64(len(a))-float64(j)/float64(len(b))))
	}
	return distance
}
