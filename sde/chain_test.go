package sde

import (
	"math"
	"strings"
	"testing"
)

// Below the range of float64 a pair goes on as above it: the logarithm falls by the same
// steps, and comes back.
func TestChainBeyondUnderflow(t *testing.T) {
	for _, start := range []float64{1e-150, 1e-30} {
		c := pairCell()
		c.Model, c.Method = Hybrid{Epsilon: 1}, Chain
		lanes := newLanes(c, 3, 2, false).(*chainLanes)
		near, far := &lanes.pairs[0], &lanes.pairs[1]
		*near, *far = squares{4, start, 0}, squares{4, start, 3}
		_, offset := near.logarithms()
		_, other := far.logarithms()
		offset -= other
		for layer := range int64(300) {
			lanes.advance([]lane{{layer: layer}, {layer: layer}}, 1)
			_, one := near.logarithms()
			_, two := far.logarithms()
			if math.Abs(one-two-offset) > 1e-9 {
				t.Fatalf("layer %d: %v and %v, at first %v apart", layer, one, two, offset)
			}
		}
	}
	p := squares{above: 0x1p-600, below: 4, scale: 1}
	before, _ := p.logarithms()
	p.above *= 0x1p550
	p.rescale()
	if after, _ := p.logarithms(); math.Abs(after-before-550*math.Ln2) > 1e-9 || p.scale != 0 {
		t.Errorf("%v after %v: %+v", after, before, p)
	}
}

// The square that is scaled is the smaller one, and each unit of the scale is a factor 2^-512 in 1±Z.
func TestLogarithmsOfAScaledPair(t *testing.T) {
	for _, c := range []struct {
		pair         squares
		above, below float64
	}{
		{squares{above: 4, below: 0x1p-200, scale: 3}, math.Ln2, -(1 + 200 + 3*512) * math.Ln2},
		{squares{above: 0x1p-200, below: 4, scale: 2}, -(1 + 200 + 2*512) * math.Ln2, math.Ln2},
		{squares{above: 3, below: 1}, math.Log(1.5), math.Log(0.5)},
		{squares{above: 4, below: 0, scale: 1}, math.Ln2, math.Inf(-1)},
	} {
		above, below := c.pair.logarithms()
		if !(above == c.above || math.Abs(above-c.above) < 1e-12*math.Abs(c.above)) ||
			!(below == c.below || math.Abs(below-c.below) < 1e-12*math.Abs(c.below)) {
			t.Errorf("%+v: %v and %v, want %v and %v", c.pair, above, below, c.above, c.below)
		}
	}
}

// Near an end a hybrid of bounded noise contracts or expands D by the factor of each layer, 1+(e/2)·v:
// over 6000 layers ln(1-Z) is the sum of the logarithms of their squares, far below the range of
// float64.
func TestLongHybridChainIsTheProductOfItsLayers(t *testing.T) {
	c := pairCell()
	c.Model, c.Method, c.Depth = Hybrid{Law: Rademacher, Epsilon: 0.3}, Chain, 10
	c.Start = PairStart{1 - 1e-9}
	const layers, trajectory = 6000, 5
	lanes := newLanes(c, 3, 1, false)
	if err := lanes.start(0, trajectory); err != nil {
		t.Fatal(err)
	}
	want := numbers(lanes, 0)[1]
	lanes.advance([]lane{{trajectory: trajectory}}, layers)
	x := numbers(lanes, 0)
	// At Z = 1 softmax has A_k = (X_1+X_2)/2 up to (β/2)|D|², so that S' = (1+f)S and D' = D to first order.
	v := make([]float64, 1)
	for layer := range int64(layers) {
		c.Model.draw(v, c.Depth, c.stream(3), trajectory, layer)
		want -= 2 * math.Log1p(0.3/math.Sqrt(10)*v[0]+0.1)
	}
	if math.Abs(x[1]-want) > 1e-6*math.Abs(want) || x[1] > -900 || math.Abs(x[0]-math.Ln2) > 1e-12 {
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
			lanes := newLanes(c, 1, 1, false)
			if err := lanes.start(0, 0); err != nil {
				t.Fatal(err)
			}
			lanes.advance(make([]lane, 1), 50)
			x := numbers(lanes, 0)
			if k := (1 + int(overlap)) / 2; !math.IsInf(x[k], -1) || math.Abs(x[1-k]-math.Ln2) > 1e-15 {
				t.Errorf("%s: %v", name(c), x)
			}
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
		if err := c.Validate(); err != nil {
			t.Fatal(err)
		}
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
		lanes, all := newLanes(c, 1, 4, false), make([]lane, 4)
		for k := range all {
			if err := lanes.start(k, int64(k)); err != nil {
				t.Fatal(err)
			}
		}
		v := newView(c, lanes)
		if n := testing.AllocsPerRun(10, func() {
			lanes.advance(all, 2)
			v.at(1, all[1])
			v.Outcome(0.1)
			v.Logarithms(0, 1)
			v.Together()
		}); n > 0 {
			t.Errorf("%s, %v: %v allocations", name(c), c.Method, n)
		}
	}
}
