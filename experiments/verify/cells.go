package verify

import (
	"fmt"
	"math"
	"strings"

	"antipode/internal/lists"
	"antipode/overlap/fokkerplanck"
	"antipode/sde"
	"antipode/sphere"
	"antipode/sphere/elementary"
)

// describe names a cell by its parameters, for the text of a comparison.
func describe(c sde.Cell) string {
	var b strings.Builder
	fmt.Fprintf(&b, "d=%d β=%g", c.Dim, c.Beta)
	if m, hybrid := c.Model.(sde.Hybrid); hybrid {
		fmt.Fprintf(&b, " ε=%.3g", m.Epsilon)
	}
	if c.Attention == sde.Unnormalized {
		b.WriteString(" unnormalized")
	}
	switch start := c.Start.(type) {
	case sde.PairStart:
		fmt.Fprintf(&b, " from %.2g", start.Overlap)
	case sde.OppositeStart:
		fmt.Fprintf(&b, " masses %d,%d", start.First, start.Second)
	default:
		if c.Tokens > 2 {
			fmt.Fprintf(&b, " N=%d", c.Tokens)
		}
	}
	return b.String()
}

func dimension(d int) string { return fmt.Sprintf("d=%d", d) }

func number(x float64) string { return fmt.Sprintf("%g", x) }

// pair is the overlap Z of two tokens or of two clusters, stored as ln(1+Z) and ln(1-Z).
type pair struct{ logPlus, logMinus float64 }

// z returns the overlap Z of the pair.
func (p pair) z() float64 {
	if p.logPlus < p.logMinus {
		return elementary.Expm1(p.logPlus)
	}
	return -elementary.Expm1(p.logMinus)
}

// pairOf returns the overlap of the first and the last token of a cell.
func pairOf(v *sde.View) (p pair) {
	p.logPlus, p.logMinus = v.Logarithms(0, v.Count()-1)
	return p
}

// transformerPair returns a cell of two tokens of recursion (4) that start at the given overlap, with σ = 1
// and Gaussian value matrices. The cell is simulated as a Markov chain of the overlap.
func transformerPair(dim int, beta float64, attention sde.Attention, depth int, overlap float64) sde.Cell {
	return sde.Cell{
		Model: sde.Transformer{Sigma: 1}, Method: sde.Chain, Attention: attention,
		Tokens: 2, Dim: dim, Beta: beta, Depth: depth, Start: sde.PairStart{Overlap: overlap},
	}
}

// exits follows pairs of tokens of a cell with overlap Z for a number of layers. exits returns the number of
// trajectories that reach 1+Z ≤ band first, the number of trajectories that reach 1-Z ≤ band first, and the
// number of all trajectories. The overlap is observed after every eighth layer only, because a pair that has
// reached a band moves on towards -1 or 1 in this band.
func exits(
	f *fixture, c sde.Cell, trajectories, layers int64, band float64,
) (antipodal, single, all int) {
	const between = 8
	edge := elementary.Log(band)
	ends := follow(f, c, trajectories, everyLayers(between, layers),
		func(row *pair, v *sde.View) { *row = pairOf(v) },
		func(v *sde.View) bool {
			p := pairOf(v)
			return min(p.logPlus, p.logMinus) <= edge
		})
	antipodal = lists.Count(ends, func(p pair) bool { return p.logPlus <= edge })
	single = lists.Count(ends, func(p pair) bool { return p.logMinus <= edge })
	return antipodal, single, len(ends)
}

// tolerance is the tolerance τ of the outcomes, as in the experiments of the paper: an overlap within τ of ±1
// counts as ±1.
const tolerance = 1e-3

// depthShift, divided by the depth, bounds the effect of finite depth on the probability of an outcome. With
// softmax attention the measured effect times the depth is 0.35 at d = 8, β = 2 and 0.32 at d = 10, β = 3,
// and smaller in smaller dimensions.
const depthShift = 0.4

// uniformPair returns a cell of two tokens of recursion (4) that start independently and uniformly.
func uniformPair(dim int, beta float64, depth int) sde.Cell {
	c := transformerPair(dim, beta, sde.Softmax, depth, 0)
	c.Start = sde.UniformStart{}
	return c
}

// unnormalized returns a cell with unnormalised attention instead of softmax. If the two tokens are nearly
// opposite, the weight that a token gives to itself is then e^β/2 instead of about 1. The number of layers
// per unit of time is increased so that a layer moves tokens as far as before.
func unnormalized(c sde.Cell) sde.Cell {
	c.Attention = sde.Unnormalized
	c.Depth = int(math.Ceil(float64(c.Depth) * max(1, elementary.Exp(2*c.Beta)/4)))
	return c
}

// outcomeOf returns the outcome of a pair of tokens with the given overlap.
func outcomeOf(p pair) sphere.Outcome { return sphere.PairOutcome(p.logPlus, p.logMinus, tolerance) }

// counts holds the number of trajectories with each outcome.
type counts [3]int

// all returns the number of trajectories that were counted.
func (c counts) all() int { return c[0] + c[1] + c[2] }

// outcomesOf counts the outcomes of pairs of tokens.
func outcomesOf(pairs []pair) (c counts) {
	for _, p := range pairs {
		c[outcomeOf(p)]++
	}
	return c
}

// outcomes counts the outcomes of the pair of tokens of a cell at a horizon, and returns the theoretical law
// of the overlap at the horizon, by the Fokker-Planck equation.
func outcomes(
	f *fixture, c sde.Cell, trajectories int64, horizon float64,
) (counts, fokkerplanck.Distribution) {
	limit := f.limitOf(c)
	laws := must(fokkerplanck.Uniform(limit, []float64{horizon}, 1e-6))
	observed := atLayer(f, c, trajectories, int64(horizon*float64(c.Depth)), pairOf)
	return outcomesOf(observed), laws[0]
}

// classification is the outcome of the tokens of a trajectory, and whether two of the tokens are antipodal.
type classification struct {
	outcome sphere.Outcome
	pair    bool
}

func classify(v *sde.View) (s classification) {
	s.outcome, s.pair = v.Outcome(tolerance)
	return s
}

// uniformTokens returns a cell of N tokens of recursion (4) that start independently and uniformly.
func uniformTokens(n, dim int, beta float64, depth int) sde.Cell {
	return sde.Cell{
		Model: sde.Transformer{Sigma: 1}, Tokens: n, Dim: dim, Beta: beta, Depth: depth,
		Start: sde.UniformStart{},
	}
}

func countOf(observed []classification, outcome sphere.Outcome) int {
	return lists.Count(observed, func(s classification) bool { return s.outcome == outcome })
}
