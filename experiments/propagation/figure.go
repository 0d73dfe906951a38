package propagation

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"antipode/data"
	"antipode/experiments/figure"
	"antipode/experiments/internal/networks"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/experiments/wording"
	"antipode/internal/lists"
	"antipode/overlap/propagation"
)

// Draw implements run.Experiment. For up to six curves, the left panel shows the cosine of tokens against the
// layer, and the right panel shows the cosine after a single block against the cosine before it. If there are
// many β and many σ_w², the figure is a heat map.
func (*Experiment) Draw(table *data.Table) (*figure.Figure, error) {
	p := New()
	if err := run.ReadParameters(p, table); err != nil {
		return nil, err
	}
	if p.matrices() {
		return p.drawMatrices(table)
	}
	curves, err := readCurves(p, table)
	if err != nil {
		return nil, err
	}
	if p.isMap() {
		return p.plane(curves)
	}
	return p.drawCurves(table, curves)
}

// drawCurves plots up to six curves of the cosine of tokens against the layer.
func (p *Experiment) drawCurves(table *data.Table, curves []curve) (*figure.Figure, error) {
	depth := figure.NewPlot("Cosine of two tokens against depth", "layer", "cosine similarity")
	depth.X.Range(0, float64(p.Layers))
	depth.Y.Range(0, 1.02)
	depth.X.Ticks = figure.LayerTicks(p.Layers)
	ends, single := p.newEnds(depth), newSingle()
	key := &figure.Key{}
	all := lists.Of(len(curves), func(k int) int { return k })
	drawn := figure.Spread(all, len(figure.SeriesColors))
	for i, k := range drawn {
		c := curves[k]
		addCurve(depth, i, c, amongAll)
		ends.add(i, c)
		if x, y := blockMap(p.block(c[0].Setting)); len(x) > 1 {
			single.Line(x, y, curveStroke(i))
		}
		key.Add(p.curveName(c[0].Setting), curveStroke(i))
	}
	text := p.captionText(table) + p.notDrawn(curves, drawn)
	if p.Causal {
		for i, k := range drawn {
			if curves[k].causal() {
				// The legend names the lines without a mask only once.
				key.Add("without a mask", figure.SeriesStroke(i, unmaskedWidth))
			}
		}
		depth.Title = "all tokens"
		return figure.Pairs([]figure.Panel{{Plot: ends.first}, {Plot: depth}, {Plot: ends.last}}, key, text)
	}
	return figure.Pairs([]figure.Panel{{Plot: depth}, {Plot: single}}, key, text)
}

// newSingle returns the panel of the cosine after a single block against the cosine before the block, with
// the diagonal.
func newSingle() *figure.Plot {
	p := figure.NewPlot("Cosine after one block, for q = 1 and T → ∞", "cosine before the block",
		"cosine after it")
	p.Y.Range(0, 1.02)
	p.Line([]float64{0, 1}, []float64{0, 1}, figure.Stroke{Color: color.Gray{150}, Width: 1})
	return p
}

// curveStroke returns the line style of a curve of cosines.
func curveStroke(series int) figure.Stroke { return figure.SeriesStroke(series, 1.6) }

// unmaskedWidth is the width of the lines for attention without a causal mask, which are beside lines for
// masked attention.
const unmaskedWidth = 0.6

// captionText states which parameters all curves share, and which networks are simulated.
func (p *Experiment) captionText(table *data.Table) string {
	if p.Simulate == nil {
		return "antipode propagation: " + p.common()
	}
	return run.Caption(table, p.common()+", dots: "+p.networks()+
		networks.BarsText(*p.Simulate))
}

// notDrawn returns the text of the caption about curves that are left out: their names, or their number if
// there are many.
func (p *Experiment) notDrawn(curves []curve, drawn []int) string {
	var names []string
	for k, c := range curves {
		if !slices.Contains(drawn, k) {
			names = append(names, p.curveName(c[0].Setting))
		}
	}
	const most = 6
	switch {
	case len(names) == 0:
		return ""
	case len(names) > most:
		return fmt.Sprintf("; not drawn: %d of %d curves", len(names), len(curves))
	}
	return "; not drawn: " + strings.Join(names, " / ")
}

// addCurve adds the cosines of a curve to a plot. At up to twenty layers it adds the means over simulated
// networks with two standard errors on both sides. For causal attention it adds the curve without a causal
// mask as a thin line.
func addCurve(p *figure.Plot, series int, c curve, of among) {
	x := lists.Map(c, func(l Row) float64 { return float64(l.Layer) })
	y := lists.Map(c, func(l Row) float64 { return l.Cosine })
	causal := lists.Map(c, of.causal)
	if c.causal() {
		p.Line(x, y, figure.SeriesStroke(series, unmaskedWidth))
		y = causal
	}
	p.Line(x, y, curveStroke(series))
	var dots figure.Intervals
	step := max(1, len(c)/20)
	for k := 0; k < len(c); k += step {
		mean, stderr := of.simulated(c[k])
		if math.IsNaN(mean) {
			return
		}
		dots.AddAround(float64(c[k].Layer), mean, 2*stderr)
	}
	p.Dots(series, dots)
}

// blockMap returns the cosine after a block as a function of the cosine before the block, in the limit of
// many tokens. Points without such a limit are left out.
func blockMap(b propagation.Block) (x, y []float64) {
	b.Tokens = networks.TokensOrInfinite(nil)
	m, err := propagation.NewMap(b)
	if err != nil {
		return nil, nil
	}
	const points = 200
	for k := range points + 1 {
		rho := float64(k) / points
		if next, err := m.Step(propagation.State{Q: 1, P: rho}); err == nil {
			x, y = append(x, rho), append(y, next.Cosine())
		}
	}
	return x, y
}

// curveName names a curve by the parameters in which it differs from other curves.
func (p *Experiment) curveName(s Setting) string {
	var parts []string
	add := func(values int, format, value string) {
		if values > 1 {
			parts = append(parts, fmt.Sprintf(format, value))
		}
	}
	add(len(p.Block), "%s", s.Block.String())
	add(len(p.Beta), "β = %s", parameter.FormatReal(s.Beta))
	add(len(p.AlphaSA), "α_SA = %s", parameter.FormatReal(s.AlphaSA))
	add(len(p.SigmaW2), "σ_w² = %s", parameter.FormatReal(s.SigmaW2))
	if len(parts) == 0 {
		return s.Block.String()
	}
	return strings.Join(parts, ", ")
}

// common states the parameters that all curves share.
func (p *Experiment) common() string {
	var parts []string
	add := func(values int, name, value string) {
		if values == 1 {
			parts = append(parts, name+value)
		}
	}
	add(len(p.Block), "", p.Block[0])
	add(len(p.Beta), "β = ", parameter.FormatReal(p.Beta[0]))
	add(len(p.AlphaSA), "α_SA = ", parameter.FormatReal(p.AlphaSA[0]))
	add(1, "α_MLP = ", parameter.FormatReal(p.AlphaMLP))
	add(len(p.SigmaW2), "σ_w² = ", parameter.FormatReal(p.SigmaW2[0]))
	tokens := "T → ∞"
	if p.Tokens != nil {
		tokens = fmt.Sprintf("T = %d", *p.Tokens)
	}
	if p.Heads > 1 {
		tokens += fmt.Sprintf(", %d heads", p.Heads)
	}
	if p.Causal {
		tokens += ", causal"
	}
	return strings.Join(append(parts, fmt.Sprintf("σ_b² = %s, σ_v² = %s, %s, %s, %s",
		parameter.FormatReal(p.SigmaB2), parameter.FormatReal(p.SigmaV2), p.Activation, p.inputText(),
		tokens)), ", ")
}

// networks describes the simulated networks in words.
func (p *Experiment) networks() string {
	text := fmt.Sprintf("%s, d = %d", wording.Count(*p.Simulate, "network"), p.Dim)
	if p.Tokens == nil {
		text += fmt.Sprintf(", T = %d", p.sequence())
	}
	return text
}

// inputText describes the input tokens in words.
func (p *Experiment) inputText() string {
	if !p.words() {
		return "start " + parameter.FormatReal(p.Start)
	}
	text := wording.Count(*p.Sequences, "sequence") + " of words "
	if name, is := p.textName(); is {
		return text + "of " + name
	}
	return text + "by Zipf's law"
}
