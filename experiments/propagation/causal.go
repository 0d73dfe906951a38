package propagation

import (
	"fmt"
	"math"

	"antipode/experiments/figure"
	"antipode/experiments/wording"
	"antipode/overlap/propagation"
	"antipode/overlap/stack"
	"antipode/sphere/elementary"
)

// addCausal adds mean cosines of tokens under causal attention after each layer to the numbers of a curve.
// The tokens start with the given overlap. The recursion for the overlaps Q of all pairs of tokens is Q ←
// σ_v² E AQAᵀ + α²Q with the attention matrix A, followed by the MLP and LayerNorm. The cosines stay NaN if
// the theory does not apply: without a causal mask, with gain control, or if a number is outside the domain
// of the theory.
func (p *Experiment) addCausal(numbers []float64, b propagation.Block, overlap float64) error {
	norm, covered := map[propagation.Kind]stack.Placement{
		propagation.PostNorm: stack.PostNorm, propagation.PreNorm: stack.PreNorm,
	}[b.Kind]
	tokens := p.sequence()
	s := stack.Architecture{
		Layers: int(p.Layers), Dim: int(p.Dim), Tokens: int(tokens), Norm: norm, Causal: true,
		SkipSA: b.AlphaSA, SkipMLP: b.AlphaMLP, BranchSA: 1, BranchMLP: 1,
		QueryKey2: b.Beta * math.Sqrt(elementary.Log(float64(tokens))), Value2: b.SigmaV2, Projection2: 1,
		Hidden2: b.SigmaW2, Output2: b.SigmaW2, Width: int(p.Dim), Bias2: b.SigmaB2,
		AttentionUnbiased: true, Activation: stack.Activation(b.Activation),
		Input: stack.Input{Square: 1, Cosine: overlap}, WideLimit: true,
	}
	if !p.Causal || p.Simulate == nil && p.Tokens == nil || !covered || s.Check() != nil {
		return nil
	}
	k, err := stack.New(s)
	if err != nil {
		return err
	}
	cosines, err := k.Cosines(int(p.ends()))
	for layer, c := range cosines {
		copy(numbers[curveNumbers*(layer+1)-3:], []float64{c.All, c.First, c.Last})
	}
	return err
}

// among selects some tokens of a sequence for a panel. The functions causal and simulated return the mean
// cosine of the selected tokens in the theory of causal attention and in simulated networks.
type among struct {
	causal    func(r Row) float64
	simulated func(r Row) (mean, stderr float64)
}

var (
	amongAll = among{func(r Row) float64 { return r.Causal },
		func(r Row) (mean, stderr float64) { return r.CosineSimulated, r.CosineStderr }}
	amongFirst = among{func(r Row) float64 { return r.CausalFirst },
		func(r Row) (mean, stderr float64) { return r.CosineFirst, r.FirstStderr }}
	amongLast = among{func(r Row) float64 { return r.CausalLast },
		func(r Row) (mean, stderr float64) { return r.CosineLast, r.LastStderr }}
)

// ends holds the panels of the first and of the last tokens of a sequence under causal attention.
type ends struct{ first, last *figure.Plot }

// newEnds returns the panels of the first and of the last tokens, with the axes of the panel of all tokens.
func (p *Experiment) newEnds(like *figure.Plot) ends {
	of := func(which string) *figure.Plot {
		panel := figure.NewPlot(fmt.Sprintf("the %s %s", which, wording.Count(p.ends(), "token")), "", "")
		panel.X, panel.Y = like.X, like.Y
		return panel
	}
	return ends{of("first"), of("last")}
}

// add adds a curve of the theory, and the values of simulated networks, to the panels of the first and of the
// last tokens.
func (e ends) add(series int, c curve) {
	addCurve(e.first, series, c, amongFirst)
	addCurve(e.last, series, c, amongLast)
}
