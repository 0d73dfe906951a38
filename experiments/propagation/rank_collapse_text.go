package propagation

import (
	"fmt"
	"io"
	"math"

	"antipode/data"
	"antipode/experiments/columns"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/experiments/wording"
)

func readRankCollapse(table *data.Table) (*RankCollapse, []collapseRow, error) {
	c := NewRankCollapse()
	if err := run.ReadParameters(c, table); err != nil {
		return nil, nil, err
	}
	r := columns.Reader{Table: table}
	label := func(name string) []int8 { return columns.Of[int8](&r, name) }
	whole := func(name string) []int32 { return columns.Of[int32](&r, name) }
	real := func(name string) []float64 { return columns.Of[float64](&r, name) }
	quantity, attention, residual, mlp := label("quantity"), label("attention"), label("residual"), label("mlp")
	tokens, dim, keyDim, layers, layer := whole("tokens"), whole("dim"), whole("key_dim"), whole("layers"), whole("layer")
	rho, sigma, position, theory := real("rho"), real("sigma"), real("position"), real("theory")
	measured, stderr := real("simulated"), real("stderr")
	if r.Err == nil && len(quantity) == 0 {
		r.Err = columns.ErrNoRows
	}
	if r.Err != nil {
		return nil, nil, r.Err
	}
	rows := make([]collapseRow, len(quantity))
	for k := range rows {
		rows[k] = collapseRow{
			quantity: quantity[k], uniform: attention[k] == 1, scaled: residual[k] == 1, relu: mlp[k] == 1,
			tokens: tokens[k], dim: dim[k], keyDim: keyDim[k], layers: layers[k], layer: layer[k],
			rho: rho[k], sigma: sigma[k], position: position[k], theory: theory[k], measured: measured[k], stderr: stderr[k],
		}
	}
	return c, rows, nil
}

// Describe implements Experiment: a line for each series, on its last point; of Figs. 12 to 14 on
// the point where networks differ most from the theory.
func (*RankCollapse) Describe(w io.Writer, table *data.Table) error {
	c, rows, err := readRankCollapse(table)
	if err != nil {
		return err
	}
	switch c.Figure {
	case "12", "13":
		return describeWorst(w, rows)
	case "14":
		low, high := rows[0].theory, rows[0].theory
		for _, r := range rows {
			low, high = min(low, r.theory), max(high, r.theory)
		}
		_, err := fmt.Fprintf(w, "log10 of the gradient of queries over that of values: from %.4g to %.4g at %d points.\n", low, high, len(rows))
		return err
	}
	for k, r := range rows {
		if r.quantity == quantityDensity || k+1 < len(rows) && rows[k+1].sameSeries(r) && rows[k+1].quantity == r.quantity {
			continue
		}
		if _, err := fmt.Fprintf(w, "%s: %s.\n", r.setting(c.Figure), r.comparison()); err != nil {
			return err
		}
	}
	return nil
}

// sameSeries says whether rows are of one line of a figure.
func (r collapseRow) sameSeries(s collapseRow) bool {
	return r.uniform == s.uniform && r.scaled == s.scaled && r.relu == s.relu
}

// setting says what a row is about.
func (r collapseRow) setting(figure string) string {
	text := quantityNames[r.quantity]
	if figure == "7" {
		return fmt.Sprintf("%s at d_k = %d", text, r.keyDim)
	}
	return fmt.Sprintf("%s behind %d of %d layers, %s, σ_x = %.4g", text, r.layer, r.layers, r.series(), r.sigma)
}

// series names a line of a figure.
func (r collapseRow) series() string {
	text := "constant residuals"
	if r.scaled {
		text = "residuals 1/√L"
	}
	if r.relu {
		text = "ReLU, " + text
	}
	if r.uniform {
		text = "uniform attention, " + text
	}
	return text
}

// comparison is the theory beside the networks.
func (r collapseRow) comparison() string {
	return fmt.Sprintf("%.4g ± %.2g in networks, %.4g in theory", r.measured, r.stderr, r.theory)
}

// farthest is the clause on the row that is farthest from theory.
func (r collapseRow) farthest() string {
	return fmt.Sprintf("farthest from theory at n = %d, d = %d, ρ = %s, σ_x = %s, %s", r.tokens, r.dim,
		parameter.FormatReal(r.rho), parameter.FormatReal(r.sigma), r.comparison())
}

func describeWorst(w io.Writer, rows []collapseRow) error {
	for quantity, name := range quantityNames {
		var worst collapseRow
		var difference wording.Difference
		count := 0
		for _, r := range rows {
			if int(r.quantity) != quantity {
				continue
			}
			count++
			far := wording.Relative(r.measured, r.theory)
			if quantity == quantityLogRatio {
				far = math.Abs(r.measured - r.theory)
			}
			if difference.Add(far) {
				worst = r
			}
		}
		if count == 0 {
			continue
		}
		if _, err := fmt.Fprintf(w, "%s at %d points: %s.\n", name, count, difference.Text(worst.farthest(), "points")); err != nil {
			return err
		}
	}
	return nil
}
