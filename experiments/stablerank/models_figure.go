package stablerank

import (
	"fmt"
	"io"
	"math"
	"slices"

	"antipode/data"
	"antipode/experiments/figure"
	"antipode/experiments/internal/attention"
	"antipode/experiments/internal/namedfile"
	"antipode/experiments/internal/statistics"
	"antipode/experiments/run"
	"antipode/experiments/wording"
)

// ofModels reports whether a table is about Transformers.
func ofModels(table *data.Table) bool { return table.Schema.Index("cosine") >= 0 }

// readModels returns an experiment with the parameters of a table about Transformers, and the rows of the
// table.
func readModels(table *data.Table) (*Experiment, []ModelRow, error) {
	s := New()
	rows, err := run.ReadRows[ModelRow](s, table)
	return s, rows, err
}

// describeModels writes a line for each Transformer and number of tokens.
func describeModels(w io.Writer, table *data.Table) error {
	_, rows, err := readModels(table)
	if err != nil {
		return err
	}
	for k, r := range rows {
		if k+1 < len(rows) && rows[k+1].Layer > 0 {
			continue
		}
		if _, err := fmt.Fprintf(w, "%v, %d tokens, layer %d: stable rank %s, mean cosine %s, norm %s.\n",
			r.Model, r.Tokens, r.Layer, plusMinus(r.StableRank, r.StableRankStderr), plusMinus(r.Cosine,
				r.CosineStderr),
			plusMinus(r.Norm, r.NormStderr)); err != nil {
			return err
		}
	}
	return nil
}

// plusMinus returns the text of a mean with its standard error, if the standard error is known.
func plusMinus(mean, stderr float64) string {
	if math.IsNaN(stderr) {
		return fmt.Sprintf("%.5g", mean)
	}
	return fmt.Sprintf("%.5g ± %.2g", mean, stderr)
}

// drawModels returns Fig. 3: the stable rank and the mean cosine of tokens, after the last layer against the
// number of tokens, and against the layer at the largest number of tokens.
func drawModels(table *data.Table) (*figure.Figure, error) {
	s, rows, err := readModels(table)
	if err != nil {
		return nil, err
	}
	key := &figure.Key{}
	for i, model := range s.models() {
		key.Add(model.String(), figure.SeriesGlyph(i), modelStroke(i))
	}
	width, depth := againstWidth(s, rows), againstDepth(s, rows)
	panels := []figure.Panel{{Plot: width.plot("(a) ", stableRank, s, rows)},
		{Plot: depth.plot("(b) ", stableRank, s, rows)}, {Plot: width.plot("", cosine, s, rows)},
		{Plot: depth.plot("", cosine, s, rows)}}
	input := "random input"
	if s.Text != namedfile.None {
		input = "words of " + namedfile.Name(s.Text)
	}
	setting := fmt.Sprintf("at initialisation, %s, %s; %s", wording.Count(s.Samples, "sample"), input,
		attention.DotsText(s.Samples))
	return figure.Pairs(panels, key, run.Caption(table, setting))
}

// modelStroke returns the line style of a Transformer in a figure.
func modelStroke(series int) figure.Stroke {
	return figure.Stroke{Color: figure.SeriesColors[series], Width: 1.3}
}

// modelNumber is a number of a ModelRow that a panel shows.
type modelNumber struct {
	label       string
	logarithmic bool
	of          func(r ModelRow) statistics.Estimate
}

var (
	stableRank = modelNumber{"stable rank of XXᵀ - 1", true,
		func(r ModelRow) statistics.Estimate {
			return statistics.Estimate{Value: r.StableRank - 1, Stderr: r.StableRankStderr}
		}}
	cosine = modelNumber{"mean cosine", false,
		func(r ModelRow) statistics.Estimate {
			return statistics.Estimate{Value: r.Cosine, Stderr: r.CosineStderr}
		}}
)

// modelAxis is the horizontal axis of a panel about Transformers. A modelAxis selects the rows that the panel
// shows.
type modelAxis struct {
	title string
	axis  figure.Axis
	at    func(r ModelRow) (x float64, drawn bool)
}

// againstWidth returns the axis of the number of tokens, which selects the rows of the last layer.
func againstWidth(s *Experiment, rows []ModelRow) modelAxis {
	last := rows[len(rows)-1].Layer
	return modelAxis{fmt.Sprintf("layer %d", last),
		figure.Axis{Label: "tokens T", Low: math.Inf(1), High: math.Inf(-1), Logarithmic: true,
			Ticks: attention.WholeTicks(s.Tokens)},
		func(r ModelRow) (float64, bool) { return float64(r.Tokens), r.Layer == last }}
}

// againstDepth returns the axis of the layer, which selects the rows of the largest number of tokens.
func againstDepth(s *Experiment, rows []ModelRow) modelAxis {
	last, most := rows[len(rows)-1].Layer, int32(slices.Max(s.Tokens))
	return modelAxis{fmt.Sprintf("T = %d", most),
		figure.Axis{Label: "layer", Low: -0.3, High: float64(last) + 0.3},
		func(r ModelRow) (float64, bool) { return float64(r.Layer), r.Tokens == most }}
}

// plot plots the means of a number, with their 95 % intervals, for each Transformer, connected by a line.
func (a modelAxis) plot(part string, number modelNumber, s *Experiment, rows []ModelRow) *figure.Plot {
	p := figure.NewPlot(part+a.title, "", number.label)
	p.X, p.Y.Logarithmic = a.axis, number.logarithmic
	for i, model := range s.models() {
		var points figure.Intervals
		for _, r := range rows {
			if x, drawn := a.at(r); drawn && r.Model == model {
				m := number.of(r)
				low, high := number.interval(m)
				points.Add(x, m.Value, low, high)
			}
		}
		p.Dots(i, points)
		x, y := points.XY()
		p.Line(x, y, modelStroke(i))
	}
	return p
}

// interval returns the 95 % interval of a mean. The interval contains only the mean if the standard error is
// not known, or if a logarithmic axis cannot show the interval.
func (n modelNumber) interval(m statistics.Estimate) (low, high float64) {
	half := statistics.Quantile95 * m.Stderr
	if !(half >= 0) || n.logarithmic && half >= m.Value {
		half = 0
	}
	return m.Value - half, m.Value + half
}
