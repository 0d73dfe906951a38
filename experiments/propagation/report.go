package propagation

import (
	"errors"
	"fmt"
	"io"
	"math"

	"antipode/data"
	"antipode/experiments/internal/networks"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/experiments/wording"
	"antipode/overlap/propagation"
)

// Describe implements run.Experiment. The report of experiment propagation has a line for each curve, or one
// line about the corners of a heat map.
func (*Experiment) Describe(w io.Writer, table *data.Table) error {
	p := New()
	if err := run.ReadParameters(p, table); err != nil {
		return err
	}
	if p.matrices() {
		return networks.DescribeSaved(w, table, p.named)
	}
	curves, err := readCurves(p, table)
	if err != nil {
		return err
	}
	if p.isMap() {
		curves = p.whole(curves)
		if len(curves) == 0 {
			return run.ErrNoRows
		}
		first, last := curves[0].last(), curves[len(curves)-1].last()
		_, err := fmt.Fprintf(w, "%s: cosine %.4g after %s at β = %s, σ_w² = %s, "+
			"and %.4g at β = %s, σ_w² = %s.\n",
			wording.Count(len(curves), "curve"), first.Cosine, wording.Count(p.Layers, "layer"),
			parameter.FormatReal(first.Beta), parameter.FormatReal(first.SigmaW2),
			last.Cosine, parameter.FormatReal(last.Beta), parameter.FormatReal(last.SigmaW2))
		return err
	}
	for _, c := range curves {
		last := c.last()
		line := fmt.Sprintf("%s, β = %s, α = %s, σ_w² = %s: cosine %.6g after %s", last.Block,
			parameter.FormatReal(last.Beta), parameter.FormatReal(last.AlphaSA),
			parameter.FormatReal(last.SigmaW2), last.Cosine, wording.Count(last.Layer, "layer"))
		line += p.causalText(c) + p.simulatedText(last)
		line += fixedText(p.block(c[0].Setting))
		if condensed := c.condensed(); condensed > 0 {
			line += fmt.Sprintf("; attention is condensed in %s", wording.Count(condensed, "layer"))
		}
		if _, err := fmt.Fprintln(w, line+"."); err != nil {
			return err
		}
	}
	return nil
}

// causalText states the cosine at the end of a curve in the theory of causal attention. If this theory does
// not apply, causalText says that the cosine is of attention without a mask.
func (p *Experiment) causalText(c curve) string {
	switch {
	case c.causal():
		return fmt.Sprintf(", with the mask %.6g", c.last().Causal)
	case p.Causal:
		return " in theory without the mask"
	}
	return ""
}

// simulatedText states the cosine at the end of a curve in simulated networks.
func (p *Experiment) simulatedText(last Row) string {
	if p.Simulate == nil || math.IsNaN(last.CosineSimulated) {
		return ""
	}
	text := fmt.Sprintf(", in %s of dimension %d with %s %.6g", wording.Count(*p.Simulate, "network"),
		p.Dim, wording.Count(p.sequence(), "token"), last.CosineSimulated)
	if !math.IsNaN(last.CosineStderr) {
		text += fmt.Sprintf(" ± %.2g", last.CosineStderr)
	}
	return text
}

// condensed counts the layers of a curve whose attention is above its critical β.
func (c curve) condensed() (n int) {
	for _, r := range c[:len(c)-1] {
		if r.Beta > r.BetaC { // false if BetaC is null
			n++
		}
	}
	return n
}

// fixedText names the stable fixed points of the cosine of tokens in the limit of many tokens.
func fixedText(b propagation.Block) (text string) {
	b.Tokens = math.Inf(1)
	m, err := propagation.NewMap(b)
	if err != nil {
		return ""
	}
	points, err := m.FixedPoints()
	if errors.Is(err, propagation.ErrGrowing) {
		return ", no fixed point because the norm grows"
	}
	for _, f := range points {
		if f.Stable() {
			text += fmt.Sprintf(", stable fixed point %.6g with correlation depth %.4g", f.Cosine(),
				f.CorrelationDepth())
		}
	}
	return text
}
