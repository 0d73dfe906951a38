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
	"antipode/experiments/run"
	"antipode/experiments/wording"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg/draw"
)

// ofModels reports whether a table is that of real architectures.
func ofModels(table *data.Table) bool { return table.Schema.Index("cosine") >= 0 }

// readModels sets the experiment to a table's parameters and returns its rows.
func readModels(table *data.Table) (*Experiment, []ModelRow, error) {
	s := New()
	rows, err := run.ReadRows[ModelRow](s, table)
	return s, rows, err
}

// describeModels writes a line for each model and width.
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
			r.Model,
			r.Tokens, r.Layer, plusMinus(r.StableRank, r.StableRankStderr), plusMinus(r.Cosine,
				r.CosineStderr),
			plusMinus(r.Norm, r.NormStderr)); err != nil {
			return err
		}
	}
	return nil
}

// addCurve adds means with their intervals, with a line from one to the next.
func addCurve(p *plot.Plot, series int, points *figure.Intervals) ([]plot.Thumbnailer, error) {
	dots, err := figure.AddDots(p, series, points)
	if err != nil {
		return nil, err
	}
	var x, y []float64
	for _, v := range points.XYs {
		x, y = append(x, v.X), append(y, v.Y)
	}
	line, err := figure.AddLine(p, x, y, draw.LineStyle{Color: figure.SeriesColors[series], Width: 1.3})
	return []plot.Thumbnailer{dots, line}, err
}

// plusMinus is a mean with its standard error, if that is known.
func plusMinus(mean, stderr float64) string {
	if math.IsNaN(stderr) {
		return fmt.Sprintf("%.5g", mean)
	}
	return fmt.Sprintf("%.5g ± %.2g", mean, stderr)
}

// drawModels is Fig. 3: the stable rank and the mean cosine against width behind the last layer, and
// against depth for the most tokens.
func drawModels(table *data.Table) (*figure.Figure, error) {
	s, rows, err := readModels(table)
	if err != nil {
		return nil, err
	}
	last, most := rows[len(rows)-1].Layer, int32(slices.Max(s.Tokens))
	rank := func(r ModelRow) attention.Mean {
		return attention.Mean{Value: r.StableRank - 1, Stderr: r.StableRankStderr}
	}
	cosine := func(r ModelRow) attention.Mean {
		return attention.Mean{Value: r.Cosine,
			Stderr: r.CosineStderr}
	}
	const rankAxis = "stable rank of XXᵀ - 1"
	key := &figure.Key{}
	var panels []figure.Panel
	for k, c := range []struct {
		title, x, y string
		at          func(r ModelRow) (x float64, drawn bool)
		of          func(r ModelRow) attention.Mean
	}{
		{fmt.Sprintf("(a) layer %d", last), "tokens T", rankAxis,
			func(r ModelRow) (float64, bool) { return float64(r.Tokens), r.Layer == last }, rank},
		{fmt.Sprintf("(b) T = %d", most), "layer", rankAxis,
			func(r ModelRow) (float64, bool) { return float64(r.Layer), r.Tokens == most }, rank},
		{fmt.Sprintf("layer %d", last), "tokens T", "mean cosine",
			func(r ModelRow) (float64, bool) { return float64(r.Tokens), r.Layer == last }, cosine},
		{fmt.Sprintf("T = %d", most), "layer", "mean cosine",
			func(r ModelRow) (float64, bool) { return float64(r.Layer), r.Tokens == most }, cosine},
	} {
		p := figure.NewPlot(c.title, c.x, c.y)
		for i, model := range s.models() {
			var points figure.Intervals
			for _, r := range rows {
				if x, drawn := c.at(r); drawn && r.Model == model {
					m := c.of(r)
					half := 1.96 * m.Stderr
					if !(half < m.Value || c.y != rankAxis && half >= 0) {
						half = 0 // it is not known, or a logarithmic axis has no place for it
					}
					points.Add(x, m.Value, m.Value-half, m.Value+half)
				}
			}
			thumbs, err := addCurve(p, i, &points)
			if err != nil {
				return nil, err
			}
			if k == 0 {
				key.Add(model.String(), thumbs...)
			}
		}
		if c.x == "tokens T" {
			figure.Logarithmic(&p.X)
			p.X.Tick.Marker = attention.WholeTicks(s.Tokens)
		} else {
			p.X.Min, p.X.Max = -0.3, float64(last)+0.3
		}
		if c.y == rankAxis {
			figure.Logarithmic(&p.Y)
		}
		panels = append(panels, figure.Panel{Plot: p})
	}
	seed, _ := table.Schema.Value(data.KeySeed)
	setting := fmt.Sprintf("at initialisation, %s, ", wording.Count(s.Samples, "sample"))
	if setting += "random input"; s.Text != namedfile.None {
		setting += "words of " + namedfile.Name(s.Text)
	}
	setting += "; " + attention.DotsText(s.Samples)
	return figure.Panels(panels, key, figure.RunCaption("stable-rank", setting, seed)), nil
}
