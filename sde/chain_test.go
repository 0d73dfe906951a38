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
