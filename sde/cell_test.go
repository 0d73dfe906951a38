package sde

import (
	"math"
	"slices"
	"strings"
	"testing"

	"antipode/sphere/must"
)

func pairCell() Cell {
	return Cell{Model: Transformer{Sigma: 1}, Tokens: 2, Dim: 4, Beta: 1.5, Depth: 100, Start: UniformStart{}}
}

func TestValidateNamesTheParameter(t *testing.T) {
	must.Do(t, pairCell().Validate())
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		want   string
		change func(c *Cell)
	}{
		{"model: missing; must be one of transformer, hybrid, flow, transformer-sde, hybrid-sde",
			func(c *Cell) { c.Model = nil }},
		{"attention -1: must be one of softmax, unnormalized", func(c *Cell) { c.Attention = -1 }},
		{"law 4: must be one of gaussian, uniform, truncated-normal, rademacher",
			func(c *Cell) { c.Model = Transformer{Law: 4, Sigma: 1} }},
		{"law -1: must be one of", func(c *Cell) { c.Model = Hybrid{Law: -1} }},
		{"method 2: must be one of tokens, chain", func(c *Cell) { c.Method = 2 }},
		{"tokens 0", func(c *Cell) { c.Tokens = 0 }},
		{"dimension 0", func(c *Cell) { c.Dim = 0 }},
		{"depth 0", func(c *Cell) { c.Depth = 0 }},
		{"beta -1", func(c *Cell) { c.Beta = -1 }},
		{"beta NaN", func(c *Cell) { c.Beta = nan }},
		{"beta +Inf", func(c *Cell) { c.Beta = inf }},
		{"sigma 0", func(c *Cell) { c.Model = Transformer{} }},
		{"sigma NaN", func(c *Cell) { c.Model = Transformer{Sigma: nan} }},
		{"epsilon -1", func(c *Cell) { c.Model = Hybrid{Epsilon: -1} }},
		{"epsilon NaN", func(c *Cell) { c.Model = Hybrid{Epsilon: nan} }},
		{"sigma 0", func(c *Cell) { c.Model = TransformerSDE{Sigma: 0} }},
		{"epsilon -1", func(c *Cell) { c.Model = HybridSDE{Epsilon: -1} }},
		{"scheme rk4: does not fit model transformer-sde; must be euler or geodesic or heun",
			func(c *Cell) { c.Model = TransformerSDE{Scheme: RK4, Sigma: 1} }},
		{"scheme heun: does not fit model flow; must be euler or rk4",
			func(c *Cell) { c.Model = Flow{Scheme: Heun} }},
		{"scheme Scheme(4): does not fit", func(c *Cell) { c.Model = HybridSDE{Scheme: 4} }},
		{"noise Noise(2): does not fit model hybrid-sde; must be common or independent",
			func(c *Cell) { c.Model = HybridSDE{Noise: 2} }},
		{"start", func(c *Cell) { c.Start = nil }},
		{"start pair at overlap 0.5: needs 2 tokens",
			func(c *Cell) { c.Start, c.Tokens = PairStart{0.5}, 3 }},
		{"overlap 2", func(c *Cell) { c.Start = PairStart{2} }},
		{"interaction matrix of 3 entries", func(c *Cell) { c.Interaction = make([]float64, 3) }},
		{"interaction matrix entry (2, 1) is NaN",
			func(c *Cell) { c.Interaction = []float64{4: nan, 15: 0} }},
		{"beta 800: e^β overflows", func(c *Cell) { c.Beta, c.Attention = 800, Unnormalized }},
		{"beta 400: e^β overflows", func(c *Cell) { // the score of B = 2·Id is 2β
			c.Beta, c.Attention, c.Interaction = 400, Unnormalized, make([]float64, 16)
			for k := range 4 {
				c.Interaction[5*k] = 2
			}
		}},
	} {
		cell := pairCell()
		c.change(&cell)
		if err := cell.Validate(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %q, want %q", err, c.want)
		}
	}
}

// At the largest β that is allowed the unnormalised attention does not overflow.
func TestUnnormalizedAtTheOverflowBound(t *testing.T) {
	for _, c := range models(3, 4) {
		if c.Attention != Unnormalized {
			continue
		}
		c.Beta = 1e6
		for c.Beta = 760; c.Validate() != nil; c.Beta-- {
		}
		if enough := 650.; c.Beta < enough && !(c.Model.recursion() == nil && c.Beta > enough/4) {
			t.Errorf("%s: β refused above %v already", name(c), c.Beta)
		}
		follow(t, c, 100, func(layer int64, x []float64) {
			for i := range 3 {
				if !(math.Abs(normError(x[4*i:4*i+4])) <= 6) {
					t.Fatalf("%s: layer %d: token %v", name(c), layer, x)
				}
			}
		})
	}
}

func TestIDDependsOnTheLawOfATrajectoryAlone(t *testing.T) {
	base := pairCell()
	ids := map[uint64]string{base.ID(): "base"}
	for what, change := range map[string]func(c *Cell){
		"model":       func(c *Cell) { c.Model = Hybrid{} },
		"flow":        func(c *Cell) { c.Model = Flow{} },
		"limit":       func(c *Cell) { c.Model = TransformerSDE{Sigma: 1} },
		"scheme":      func(c *Cell) { c.Model = TransformerSDE{Sigma: 1, Scheme: Heun} },
		"noise":       func(c *Cell) { c.Model = TransformerSDE{Sigma: 1, Noise: IndependentNoise} },
		"limit's σ":   func(c *Cell) { c.Model = TransformerSDE{Sigma: 2} },
		"hybrid's":    func(c *Cell) { c.Model = HybridSDE{} },
		"its noise":   func(c *Cell) { c.Model = HybridSDE{Noise: IndependentNoise} },
		"its scheme":  func(c *Cell) { c.Model = HybridSDE{Scheme: Geodesic} },
		"its ε":       func(c *Cell) { c.Model = HybridSDE{Epsilon: 2} },
		"rk4":         func(c *Cell) { c.Model = Flow{Scheme: RK4} },
		"attention":   func(c *Cell) { c.Attention = Unnormalized },
		"interaction": func(c *Cell) { c.Interaction = make([]float64, 16) },
		"other B":     func(c *Cell) { c.Interaction = slices.Repeat([]float64{1}, 16) },
		"law":         func(c *Cell) { c.Model = Transformer{Law: Uniform, Sigma: 1} },
		"tokens":      func(c *Cell) { c.Tokens = 3 },
		"dimension":   func(c *Cell) { c.Dim = 5 },
		"beta":        func(c *Cell) { c.Beta = math.Nextafter(1.5, 2) },
		"sigma":       func(c *Cell) { c.Model = Transformer{Sigma: 2} },
		"depth":       func(c *Cell) { c.Depth = 101 },
		"start":       func(c *Cell) { c.Start = PairStart{0} },
		"overlap":     func(c *Cell) { c.Start = PairStart{0.1} },
	} {
		c := base
		change(&c)
		if other, seen := ids[c.ID()]; seen {
			t.Errorf("%s and %s share their random numbers", what, other)
		}
		ids[c.ID()] = what
	}
	zero, minus := base, base
	zero.Beta, minus.Beta = 0, math.Copysign(0, -1)
	if zero.ID() != minus.ID() {
		t.Error("β = -0 is another cell than β = 0")
	}
	if base.ID() != 0x2fc9c0ab64af813d {
		t.Errorf("the address of a cell's numbers has changed: %#x", base.ID())
	}
}
