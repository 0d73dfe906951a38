package trainability

import (
	"fmt"
	"io"
	"math"
	"slices"

	"antipode/data"
	"antipode/experiments/internal/networks"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/experiments/wording"
	"antipode/overlap/propagation"
	"antipode/sphere/elementary"
)

// Describe implements run.Experiment. The report describes the two failures and where they occur, and the
// recommended initialisation. The report also states how deep the signal passes with and without this
// initialisation, and the standard deviations of its weights.
func (*Experiment) Describe(w io.Writer, table *data.Table) error {
	t := New()
	rows, err := run.ReadRows[Row](t, table)
	if err != nil {
		return err
	}
	counts := make([]int, len(propagation.VerdictNames))
	for _, r := range rows {
		counts[r.Verdict]++
	}
	text := fmt.Sprintf("%s, %s: of %s", t.Block, wording.Count(t.Depth, "layer"),
		wording.Count(len(rows), "cell"))
	for v, name := range propagation.VerdictNames {
		separator := []string{" ", ", ", " and "}[v]
		text += fmt.Sprintf("%s%d %s", separator, counts[v], name)
	}
	best, exists, err := propagation.Recommend(t.block(0, 0), t.start(), int(t.Depth), t.Collapse)
	switch {
	case err != nil:
		text += ".\nThere is no recommendation: " + networks.Reason(err) + "."
	case !exists:
		text += fmt.Sprintf(".\nNo strength α_SA keeps the cosine at or below %s.",
			parameter.FormatReal(t.Collapse))
	default:
		text += "." + t.atTheEdge(rows, best) + "\n" + t.recommended(best) + "\n" + t.depths(best) + "\n" +
			t.deviations(best)
	}
	_, err = fmt.Fprintln(w, text)
	return err
}

// atTheEdge states how many trainable cells of the phase diagram are next to the line beyond which networks
// do not learn.
func (t *Experiment) atTheEdge(rows []Row, best propagation.Recommendation) string {
	trainable, near := 0, 0
	for _, r := range rows {
		if r.Verdict != propagation.Trainable {
			continue
		}
		if trainable++; r.AlphaSA < best.AlphaSA {
			near++
		}
	}
	if near == 0 {
		return ""
	}
	which := fmt.Sprintf("%d of the trainable %s", near, wording.Agree(near, "cells has", "cells have"))
	if near == trainable {
		which = wording.Agree(near, "the trainable cell has", "all trainable cells have")
	}
	return fmt.Sprintf("\nWarning: %s less strength than recommended: the signal passes at "+
		"initialisation, but training may fail.", which)
}

// recommended states the recommended strength α_SA and scale β, and why they keep a distance from the
// critical values.
func (t *Experiment) recommended(best propagation.Recommendation) string {
	strength := fmt.Sprintf("α_SA ≥ %.6g", best.AlphaSA)
	if best.Edge == 0 {
		strength = "any α_SA above 0"
	}
	text := fmt.Sprintf("Recommended: %s and β ≤ %.6g, half of the smallest critical β. ", strength,
		best.Beta)
	if best.Edge == 0 {
		return text + fmt.Sprintf("The cosine is at or below %s with any strength above 0.",
			parameter.FormatReal(t.Collapse))
	}
	text += fmt.Sprintf("For α_SA ≥ α_c = %.6g the cosine is at or below %s", best.Edge,
		parameter.FormatReal(t.Collapse))
	if best.AlphaSA == best.Edge {
		return text + "."
	}
	return text + fmt.Sprintf("; but in the map of train --figure trainability networks learned only "+
		"from %g times the α_c of a cosine of %g on, not with 2.4 "+
		"times.", propagation.Margin, propagation.Alike)
}

// farthest is the greatest number of layers through which the tokens are followed.
const farthest = 100_000

// depths states after how many layers tokens collapse, for the usual strength α_SA = 1 and for the
// recommended strength.
func (t *Experiment) depths(best propagation.Recommendation) string {
	text := ""
	for _, alpha := range slices.Compact([]float64{1, best.AlphaSA}) {
		if text != "" {
			text += "; "
		}
		text += fmt.Sprintf("with α_SA = %.4g %s", alpha, t.reach(alpha))
	}
	return fmt.Sprintf("A cosine of %g is reached %s.", propagation.Alike, text)
}

// reach states after which layer the tokens count as collapsed, for a strength α_SA and β = 0.
func (t *Experiment) reach(alpha float64) string {
	m, err := propagation.NewMap(t.block(alpha, 0))
	if err != nil {
		return "nowhere: " + networks.Reason(err)
	}
	depth, reached, err := m.Reach(t.start(), propagation.Alike, farthest)
	switch {
	case err != nil:
		return "nowhere: " + networks.Reason(err)
	case !reached:
		return fmt.Sprintf("not within %d layers", farthest)
	case depth == 0:
		return "at the start"
	}
	return fmt.Sprintf("at layer %d", depth)
}

// deviations states the standard deviations of the weights that the recommended initialisation needs in
// PyTorch.
func (t *Experiment) deviations(best propagation.Recommendation) string {
	if t.Dim == nil {
		return fmt.Sprintf("Query and key weights have variance at most %.6g √log T / d; --tokens T and "+
			"--dim d give standard deviations for PyTorch.", best.Beta)
	}
	d := t.deviationsOf(best.Beta, float64(*t.Tokens), float64(*t.Dim))
	return fmt.Sprintf("Standard deviations for PyTorch's nn.init.normal_, T = %d, d = %d, any number of "+
		"heads, for the recommended β and the given σ_v² = %s, σ_w² = %s and σ_b² = %s:\n"+
		"  W_Q, W_K  %.6g at most\n  W_V       %.6g (without W_O, or of both together)\n"+
		"  W_1       %.6g\n  W_2       %.6g for a hidden layer of d, %.6g for one of 4 d\n  b_1, b_2  %.6g",
		*t.Tokens, *t.Dim, parameter.FormatReal(t.SigmaV2), parameter.FormatReal(t.SigmaW2),
		parameter.FormatReal(t.SigmaB2), d.query, d.value, d.hidden, d.hidden, d.hidden/2, d.bias)
}

// deviation holds standard deviations: of the weights of queries and keys, of values and of the MLP, and of
// the biases of the MLP.
type deviation struct{ query, value, hidden, bias float64 }

// deviationsOf returns the standard deviations of weights for the scale β of queries and keys, and for the
// numbers of tokens and dimensions.
func (t *Experiment) deviationsOf(beta, tokens, dim float64) deviation {
	return deviation{
		query: math.Sqrt(beta * math.Sqrt(elementary.Log(tokens)) / dim),
		value: math.Sqrt(t.SigmaV2 / dim), hidden: math.Sqrt(t.SigmaW2 / dim), bias: math.Sqrt(t.SigmaB2),
	}
}
