package propagation

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"antipode/experiments/experimenttest"
	"antipode/experiments/figure"
	"antipode/experiments/internal/networks"
	"antipode/experiments/run"
	"antipode/overlap/propagation"
)

// counts returns n different positive numbers.
func counts(n int) (values []float64) {
	for k := range n {
		values = append(values, float64(k+1)/1000)
	}
	return values
}

// A grid of 10^5 curves is allowed, and 10^7 layers of all curves; one more is not.
func TestLargestGrids(t *testing.T) {
	for _, c := range []struct {
		betas, variances int
		layers           int64
		name, problem    string
	}{
		{400, 250, 100, "", ""},
		{401, 250, 1, networks.WeightBeta, "these are 100250 curves; must be at most 100000"},
		{400, 250, 101, "layers", "these are 10100000 layers; must be at most 10000000"},
	} {
		p := New()
		p.Beta, p.SigmaW2, p.Layers = counts(c.betas), counts(c.variances), c.layers
		if err := p.Validate(); c.name != "" {
			experimenttest.CheckRefused(t, err, c.name, c.problem)
		} else if err != nil {
			t.Error(err)
		}
	}
}

// A map is drawn where there are more β and more σ_w² than colours, of a single kind of block and strength.
func TestWhatIsDrawnAsAMap(t *testing.T) {
	for _, c := range []struct {
		blocks, alphas, betas, variances int
		want                             bool
	}{{1, 1, 7, 7, true}, {1, 1, 6, 7, false}, {1, 1, 7, 6, false}, {2, 1, 7, 7, false},
		{1, 2, 7, 7, false}} {
		p := New()
		p.Block, p.AlphaSA = propagation.KindNames[:c.blocks], counts(c.alphas)
		p.Beta, p.SigmaW2 = counts(c.betas), counts(c.variances)
		if got := p.isMap(); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

// The caption names up to six curves that are not drawn, and counts more.
func TestCurvesThatAreNotDrawn(t *testing.T) {
	for left, want := range map[int]string{0: "", 1: "; not drawn: β = 0.003",
		6: "; not drawn: β = 0.003 / β = 0.004 / β = 0.005 / β = 0.006 / β = 0.007 / β = 0.008",
		7: "; not drawn: 7 of 9 curves"} {
		p := New()
		p.Beta = counts(left + 2)
		var curves []curve
		for _, beta := range p.Beta {
			curves = append(curves, curve{{Setting: Setting{Beta: beta}}})
		}
		if got := p.notDrawn(curves, []int{0, 1}); got != want {
			t.Errorf("%d curves: %q, want %q", left, got, want)
		}
	}
}

// Attention is condensed in the layers before which β is above its critical value, if that is known.
func TestCondensedLayers(t *testing.T) {
	var c curve
	for _, critical := range []float64{1, 2, 3, math.NaN(), 1.5, 1} { // the last is that of no layer
		c = append(c, Row{Setting: Setting{Beta: 2}, BetaC: critical})
	}
	if got := c.condensed(); got != 2 {
		t.Errorf("%d layers", got)
	}
}

// Of a curve with many layers every dot is drawn up to 39 rows, and then every second, third and so on.
func TestDotsOfManyLayers(t *testing.T) {
	for rows, want := range map[int]int{1: 1, 20: 20, 39: 39, 40: 20, 59: 30, 60: 20, 101: 21} {
		c := make(curve, rows)
		for k := range c {
			c[k] = Row{Layer: int32(k), Causal: math.NaN()}
		}
		p := figure.NewPlot("", "", "")
		addCurve(p, 0, c, amongAll)
		dots, is := p.Marks[len(p.Marks)-1].(figure.Dots)
		if !is || len(dots.Points) != want || dots.Points[len(dots.Points)-1].X < float64(rows)-6 {
			t.Errorf("%d rows: %d dots, want %d", rows, len(dots.Points), want)
		}
	}
}

// Without a number of tokens a sequence has half as many as dimensions, and at least two. Its first and last
// tokens are 50, or a quarter of the sequence, and at least two.
func TestTokensOfASequence(t *testing.T) {
	for dim, want := range map[int64]int64{1: 2, 3: 2, 6: 3, 7: 3, 128: 64} {
		p := New()
		if p.Dim = dim; p.sequence() != want {
			t.Errorf("dimension %d: %d tokens", dim, p.sequence())
		}
	}
	for tokens, want := range map[int64]int64{2: 2, 8: 2, 11: 2, 12: 3, 199: 49, 200: 50, 1000: 50} {
		p := New()
		if p.Tokens = &tokens; p.sequence() != tokens || p.ends() != want {
			t.Errorf("%d tokens: %d, %d at the ends", tokens, p.sequence(), p.ends())
		}
	}
}

// small returns an experiment with small networks, for a single curve of two layers.
func small() *Experiment {
	p := New()
	one, tokens := int64(1), int64(4)
	p.Beta, p.Layers, p.Simulate, p.Tokens, p.Dim = []float64{0.5}, 2, &one, &tokens, 6
	return p
}

// Runs, reports and figures of every form of the table fail if they cannot go on.
func TestFailures(t *testing.T) {
	for name, change := range map[string]func(p *Experiment){
		"values":    func(*Experiment) {},
		"causal":    func(p *Experiment) { p.Causal = true },
		"theory":    func(p *Experiment) { p.Simulate = nil },
		"attention": func(p *Experiment) { p.Save = networks.SavedAttention },
		"states":    func(p *Experiment) { p.Save = networks.SavedStates },
		"map": func(p *Experiment) {
			p.Simulate, p.Tokens, p.Beta, p.SigmaW2 = nil, nil, counts(7), counts(7)
		},
	} {
		p := small()
		change(p)
		experimenttest.CheckStops(t, name, p)
		table := experimenttest.Table(t, p, run.Options{Seed: 1})
		experimenttest.CheckNoRoom(t, name, p, table)
		experimenttest.CheckColumns(t, name, p, table)
	}
}

// The theory of a curve is not computed for a block out of its domain, and ends with its context.
func TestFailuresOfACurve(t *testing.T) {
	p := New()
	ended, end := context.WithCancel(t.Context())
	end()
	numbers, err := p.curve(ended, p.blocks()[0], 0.2)
	if !errors.Is(err, context.Canceled) || numbers != nil {
		t.Errorf("%v, %v", numbers, err)
	}
	b := p.blocks()[0]
	b.SigmaV2 = -1
	if numbers, err := p.curve(t.Context(), b, 0.2); err == nil || numbers != nil {
		t.Errorf("variance -1: %v", numbers)
	}
	if fixedText(b) != "" {
		t.Errorf("variance -1: %s", fixedText(b))
	}
	if x, y := blockMap(b); x != nil || y != nil {
		t.Errorf("variance -1: a map at %v", x)
	}
}

// The report gives the cosine in networks, with its error if there are several, and nothing where there are
// none.
func TestTextOfNetworks(t *testing.T) {
	p := small()
	last, single, none := Row{CosineSimulated: 0.25, CosineStderr: 0.0125}, Row{CosineSimulated: 0.25}, Row{}
	single.CosineStderr, none.CosineSimulated = math.NaN(), math.NaN()
	for want, c := range map[string]Row{
		", in 1 network of dimension 6 with 4 tokens 0.25 ± 0.013": last,
		", in 1 network of dimension 6 with 4 tokens 0.25":         single,
		"": none,
	} {
		if got := p.simulatedText(c); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if p.Simulate = nil; p.simulatedText(last) != "" {
		t.Errorf("without networks: %q", p.simulatedText(last))
	}
	for heads, want := range map[int64]bool{1: false, 2: true} {
		if p.Heads = heads; strings.Contains(p.common(), fmt.Sprintf("T = 4, %d heads", heads)) != want {
			t.Errorf("%d heads: %s", heads, p.common())
		}
	}
}
