package train

import (
	"fmt"
	"io"
	"maps"
	"math"
	"slices"

	"antipode/data"
	"antipode/experiments/figure"
	"antipode/experiments/run"
	"antipode/experiments/wording"
	"antipode/internal/lists"
	"antipode/sde/training"
)

// layerGraphs are the quantities that are plotted against the layer. The last quantity is the strength of
// branches, which is plotted only if the strengths are learned.
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

// layerFigure plots quantities of the tokens against the layer, before the first step of training and after
// the last step, as means over seeds.
func (e *Experiment) layerFigure(
	curves []*learningCurve, rows []Row, table *data.Table,
) (*figure.Figure, error) {
	curves, rates := bestRates(curves)
	drawn := curves[:min(len(curves), len(figure.SeriesColors))]
	key := &figure.Key{}
	for k, c := range drawn {
		key.Add(c.shortName(), figure.SeriesStroke(k, 1.5))
	}
	var panels []figure.Panel
	graphs := layerGraphs
	if e.Strengths == training.NoStrengths.String() {
		graphs = graphs[:len(graphs)-1]
	}
	for _, g := range graphs {
		p := figure.NewPlot(g.title, "layer", "")
		for k, c := range drawn {
			for _, end := range []struct {
				of    func([]evaluation) evaluation
				width float64
			}{{first, 0.5}, {last, 1.5}} {
				if x, y := c.byLayer(rows, end.of, g.number); len(x) > 1 {
					p.Line(x, y, figure.SeriesStroke(k, end.width))
				}
			}
		}
		if len(p.Marks) > 0 {
			if p.Y.Low = min(p.Y.Low, 0); p.Y.High == 0 {
				p.Y.High = 1 // all values are 0
			}
			panels = append(panels, figure.Panel{Plot: p})
		}
	}
	text := fmt.Sprintf("%s, T = %g, d = %d, mean of %s; thin: before the first step, thick: after %s",
		e.Task, e.length(), e.Dim, wording.Count(e.Seeds, "seed"), wording.Count(e.Steps, "step"))
	if rates {
		text += bestRatesText
	}
	text += notDrawn(len(drawn), len(curves), "settings")
	return figure.Pairs(panels, key, run.Caption(table, text))
}

// byLayer returns the mean over the runs of a setting of a quantity in each layer. The function of selects
// the evaluation of each run, whose step may differ from run to run.
func (c *learningCurve) byLayer(
	rows []Row, of func([]evaluation) evaluation, number func(r *Row) float64,
) (layers, means []float64) {
	steps := map[int32]int64{}
	for _, evaluations := range c.runs {
		at := of(evaluations)
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
		of := values[layer]
		layers, means = append(layers, layer), append(means, lists.Sum(of)/float64(len(of)))
	}
	return layers, means
}

// describeLayers states for each setting how many pairs of tokens have a cosine of ±1 after training, in the
// layer with most such pairs. describeLayers also states how the temperature that matches gradients changes
// with depth.
func describeLayers(w io.Writer, curves []*learningCurve, rows []Row) error {
	for _, c := range curves {
		most := func(number func(r *Row) float64) string {
			layers, means := c.byLayer(rows, last, number)
			if len(means) == 0 {
				return "an unknown share"
			}
			largest := slices.Max(means)
			if largest == 0 {
				return "none"
			}
			return fmt.Sprintf("at most %.3g (layer %g)", largest, layers[slices.Index(means, largest)])
		}
		text := fmt.Sprintf("%s, in the end: of the pairs of tokens %s at +1, %s at -1", c.shortName(),
			most(func(r *Row) float64 { return r.Plus }), most(func(r *Row) float64 { return r.Minus }))
		if _, tau := c.byLayer(rows, last, func(r *Row) float64 { return r.Temperature }); len(tau) > 1 {
			text += fmt.Sprintf("; τ goes from %.3g at the input to %.3g after the last layer", tau[0],
				tau[len(tau)-1])
		}
		if _, err := fmt.Fprintln(w, text+"."); err != nil {
			return err
		}
	}
	return nil
}
