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
	"antipode/overlap/propagation"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg/draw"
)

// Draw implements run.Experiment: on the left the cosine against the layer, on the right what
// a single block does to a cosine, for up to six curves; over many β and σ_w² a map.
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
	var indices []float64
	for k := range curves {
		indices = append(indices, float64(k))
	}
	depth := figure.NewPlot("Cosine of two tokens against depth", "layer", "cosine similarity")
	single := figure.NewPlot("… behind one block, for q = 1 and T → ∞", "cosine before the block",
		"cosine behind it")
	for _, panel := range []*plot.Plot{depth, single} {
		panel.Y.Min, panel.Y.Max = 0, 1.02
	}
	single.X.Min, single.X.Max = 0, 1
	depth.X.Min, depth.X.Max = 0, float64(p.Layers)
	depth.X.Tick.Marker = figure.LayerTicks(p.Layers)
	if _, err := figure.AddLine(single, []float64{0, 1}, []float64{0, 1},
		draw.LineStyle{Color: color.Gray{150}, Width: 1}); err != nil {
		return nil, err
	}
	ends := p.newEnds(depth)
	key := &figure.Key{}
	drawn := figure.Spread(indices, len(figure.SeriesColors))
	for i, k := range drawn {
		c := curves[int(k)]
		style := draw.LineStyle{Color: figure.SeriesColors[i], Width: 1.6, Dashes: figure.SeriesDashes[i]}
		var x, y []float64
		for _, l := range c {
			x, y = append(x, float64(l.Layer)), append(y, l.Cosine)
		}
		line, err := figure.AddLine(depth, x, y, style)
		if err != nil {
			return nil, err
		}
		if err := addSimulated(depth, i, c, all); err != nil {
			return nil, err
		}
		if err := ends.add(i, c, style, x, y); err != nil {
			return nil, err
		}
		if x, y := blockMap(p.block(c[0].Setting)); len(x) > 1 {
			if _, err := figure.AddLine(single, x, y, style); err != nil {
				return nil, err
			}
		}
		key.Add(p.curveName(c[0].Setting), line)
	}
	text := "antipode propagation: " + p.common()
	if p.Simulate != nil {
		seed, _ := table.Schema.Value(data.KeySeed)
		text = figure.RunCaption("propagation", p.common()+", dots: "+p.networks()+
			networks.BarsText(*p.Simulate), seed)
	}
	text += p.notDrawn(curves, drawn)
	if p.Causal {
		depth.Title.Text = "all tokens"
		return figure.Panels([]figure.Panel{{Plot: ends.first}, {Plot: depth}, {Plot: ends.last}}, key,
			text), nil
	}
	return figure.Panels([]figure.Panel{{Plot: depth}, {Plot: single}}, key, text), nil
}

// notDrawn ends the caption with the names of the curves that are left out, or with their
// number if they are many.
func (p *Experiment) notDrawn(curves []curve, drawn []float64) string {
	var names []string
	for k, c := range curves {
		if !slices.Contains(drawn, float64(k)) {
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

// addSimulated adds the means of simulated networks to a curve, with two standard errors on
// both sides, at up to twenty layers.
func addSimulated(p *plot.Plot, series int, c curve, of func(r Row) (mean, stderr float64)) error {
	var dots figure.Intervals
	step := max(1, len(c)/20)
	for k := 0; k < len(c); k += step {
		mean, stderr := of(c[k])
		if math.IsNaN(mean) {
			return nil
		}
		far := 0.0
		if !math.IsNaN(stderr) {
			far = 2 * stderr
		}
		dots.Add(float64(c[k].Layer), mean, mean-far, mean+far)
	}
	_, err := figure.AddDots(p, series, &dots)
	return err
}

// blockMap is the cosine after a block against that before, in the limit of many tokens;
// where there is none it leaves out the point.
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

// curveName names what distinguishes a curve from the others.
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

// common is what the curves have in common.
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

// networks are those that are simulated.
func (p *Experiment) networks() string {
	text := fmt.Sprintf("%s, d = %d", wording.Count(*p.Simulate, "network"), p.Dim)
	if p.Tokens == nil {
		text += fmt.Sprintf(", T = %d", p.sequence())
	}
	return text
}

// inputText says what tokens are before the first layer.
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
