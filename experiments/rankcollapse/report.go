package rankcollapse

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"antipode/data"
	"antipode/experiments/internal/networks"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/experiments/wording"
)

// Describe implements run.Experiment. For most figures the report has a line for the last layer of each
// series. For Figs. 7 and 11 it has a line for each point. For Figs. 12 to 14 it has a line about the point
// at which networks differ most from the theory.
func (*Experiment) Describe(w io.Writer, table *data.Table) error {
	c := New()
	if err := run.ReadParameters(c, table); err != nil {
		return err
	}
	if c.matrices() {
		return networks.DescribeSaved(w, table, c.named)
	}
	rows, err := run.ReadRows[Row](c, table)
	if err != nil {
		return err
	}
	return c.figure().describe(w, rows)
}

// describeDistances writes a line for each row, with the dimension of the keys.
func describeDistances(w io.Writer, rows []Row) error {
	return describeRows(w, rows, func(r Row) string {
		return fmt.Sprintf("%v at d_k = %d", r.Quantity, r.KeyDim)
	})
}

// describeEach writes a line for each row that is not a density.
func describeEach(w io.Writer, rows []Row) error {
	isDensity := func(r Row) bool { return r.Quantity == Density }
	return describeRows(w, slices.DeleteFunc(slices.Clone(rows), isDensity), Row.setting)
}

// describeLast writes a line for the row of the last layer of each series.
func describeLast(w io.Writer, rows []Row) error { return describeRows(w, lastOf(rows), Row.setting) }

// describeRows writes a line for each row, which compares the theory with the networks. The function setting
// returns the beginning of the line.
func describeRows(w io.Writer, rows []Row, setting func(r Row) string) error {
	for _, r := range rows {
		if _, err := fmt.Fprintf(w, "%s: %s.\n", setting(r), r.comparison()); err != nil {
			return err
		}
	}
	return nil
}

// describeRange writes the range of the theoretical ratios of gradients.
func describeRange(w io.Writer, rows []Row) error {
	low, high := rows[0].Theory, rows[0].Theory
	for _, r := range rows {
		low, high = min(low, r.Theory), max(high, r.Theory)
	}
	_, err := fmt.Fprintf(w,
		"log10 of the ratio of squared gradients, queries to values: from %.4g to %.4g at %s.\n",
		low, high, wording.Count(len(rows), "point"))
	return err
}

// lastOf returns the rows of the last layer of each series.
func lastOf(rows []Row) (last []Row) {
	type line struct {
		quantity Quantity
		series   string
	}
	at := map[line]int{}
	for _, r := range rows {
		of := line{r.Quantity, r.series()}
		k, known := at[of]
		if !known {
			at[of], last = len(last), append(last, r)
		} else if r.Layer >= last[k].Layer {
			last[k] = r
		}
	}
	return last
}

// setting names the network and the layer of a row.
func (r Row) setting() string {
	return fmt.Sprintf("%v after %d of %s, %s, σ_x = %.4g", r.Quantity, r.Layer,
		wording.Count(r.Layers, "layer"), r.series(), r.Sigma)
}

// series returns the name of the line to which a row belongs in a figure.
func (r Row) series() string {
	text := "constant residuals"
	if r.Residual == Scaled {
		text = "residuals 1/√L"
	}
	if r.MLP == ReLU {
		text = "ReLU, " + text
		if r.Hidden == 2 {
			text = "ReLU (He), " + strings.TrimPrefix(text, "ReLU, ")
		}
	}
	if r.Attention == Uniform {
		text = "uniform attention, " + text
	}
	return text
}

// comparison compares, in words, the theory of a row with its networks.
func (r Row) comparison() string {
	if math.IsNaN(r.Theory) {
		return fmt.Sprintf("%.4g ± %.2g in networks", r.Simulated, r.Stderr)
	}
	return fmt.Sprintf("%.4g ± %.2g in networks, %.4g in theory", r.Simulated, r.Stderr, r.Theory)
}

// farthest returns a clause about a row whose networks are farther from the theory than those of all other
// rows.
func (r Row) farthest() string {
	heat := ""
	if r.Temperature > 0 && r.Temperature != 1 { // NaN in old files
		heat = fmt.Sprintf("τ = %.4g, ", r.Temperature)
	}
	return fmt.Sprintf("farthest from theory at n = %d, d = %d, ρ = %s, σ_x = %s, %s%s", r.Tokens, r.Dim,
		parameter.FormatReal(r.Rho), parameter.FormatReal(r.Sigma), heat, r.comparison())
}

// describeWorst writes a line for each quantity, about the row whose networks are farthest from the theory.
func describeWorst(w io.Writer, rows []Row) error {
	for quantity := range Quantity(len(quantityNames)) {
		var worst Row
		var difference wording.Difference
		count := 0
		for _, r := range rows {
			if r.Quantity != quantity {
				continue
			}
			count++
			far := wording.Relative(r.Simulated, r.Theory)
			if quantity == LogRatio {
				far = math.Abs(r.Simulated - r.Theory)
			}
			if difference.Add(far) {
				worst = r
			}
		}
		if count == 0 {
			continue
		}
		if _, err := fmt.Fprintf(w, "%v at %s: %s.\n", quantity, wording.Count(count, "point"),
			difference.Text(worst.farthest(), "points")); err != nil {
			return err
		}
	}
	return describeBound(w, rows)
}

// describeBound states at how many points the bound that the paper prints holds.
func describeBound(w io.Writer, rows []Row) (err error) {
	holds, count := 0, 0
	for _, r := range rows {
		if math.IsNaN(r.Bound) {
			continue
		}
		count++
		if r.Simulated <= r.Bound {
			holds++
		}
	}
	if count > 0 {
		_, err = fmt.Fprintf(w, "Bound (8) on the gradient of the input holds at %d of %s.\n", holds,
			wording.Count(count, "point"))
	}
	return err
}
