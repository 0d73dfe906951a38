package train

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"antipode/experiments/figure"
	"antipode/experiments/wording"
)

// layerGraphs are the numbers that are drawn by layer.
var layerGraphs = []struct {
	title  string
	number func(r *Row) float64
}{
	{"mean cosine of tokens", func(r *Row) float64 { return r.Cosine }},
	{"clusters", func(r *Row) float64 { return r.Clusters }},
	{"fraction of pairs at +1", func(r *Row) float64 { return r.Plus }},
	{"fraction of pairs at -1", func(r *Row) float64 { return r.Minus }},
	{"mean norm of a token", func(r *Row) float64 { return r.TokenNorm }},
	{"entropy of attention, nats", func(r *Row) float64 { return r.Entropy }},
	{"temperature τ that matches gradients", func(r *Row) float64 { return r.Temperature }},
	{"strength of attention's skip connection", func(r *Row) float64 { return r.Alpha }},
}

// layerFigure has what tokens are like layer by layer, before the first step and after the last, in the mean
// over seeds.
func (e *Experiment) layerFigure(curves []*learningCurve, rows []Row, seed string) (*figure.Figure, error) {
	curves, rates := bestRates(curves)
	drawn := curves[:min(len(curves), len(figure.SeriesColors))]
	key := &figure.Key{}
	for k, c := range drawn {
		key.Add(c.shortName(), figure.SeriesStroke(k, 1.5))
	}
	var panels []figure.Panel
	for _, g := range layerGraphs {
		p := figure.NewPlot(g.title, "layer", "")
		for k, c := range drawn {
			for _, end := range []struct {
				of    func([]evaluation) int
				width float64
			}{{first, 0.5}, {last, 1.5}} {
				if x, y := c.byLayer(rows, end.of, g.number); len(x) > 1 {
					p.Line(x, y, figure.SeriesStroke(k, end.width))
				}
			}
		}
		if len(p.Marks) > 0 {
			p.Y.Low = min(p.Y.Low, 0)
			panels = append(panels, figure.Panel{Plot: p})
		}
	}
	text := fmt.Sprintf("%s, T = %g, d = %d, mean of %s; thin: before the first step, thick: after %s", e.Task,
		e.length(), e.Dim, wording.Count(e.Seeds, "seed"), wording.Count(e.Steps, "step"))
	if rates {
		text += "; of each setting the learning rate with the least loss in the end"
	}
	if missing := len(curves) - len(drawn); missing > 0 {
		text += fmt.Sprintf("; not drawn: %d of %d settings", missing, len(curves))
	}
	return figure.Pairs(panels, key, figure.RunCaption("train", text, seed))
}

// byLayer are the means over runs of a number of layers after one evaluation of each.
func (c *learningCurve) byLayer(
	rows []Row, of func([]evaluation) int, number func(r *Row) float64,
) (layers, means []float64) {
	steps := map[int32]int64{}
	for _, evaluations := range c.runs {
		at := evaluations[of(evaluations)]
		steps[at.Run] = at.Step
	}
	values := map[float64][]float64{}
	for k := range rows {
		r := &rows[k]
		step, ours := steps[r.Run]
		if v := number(r); ours && r.Step == step && !math.IsNaN(r.Layer) && !math.IsNaN(v) {
			values[r.Layer] = append(values[r.Layer], v)
		}
	}
	for _, layer := range slices.Sorted(maps.Keys(values)) {
		sum := 0.0
		for _, v := range values[layer] {
			sum += v
		}
		layers, means = append(layers, layer), append(means, sum/float64(len(values[layer])))
	}
	return layers, means
}
