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

// gradientRow is a row of the table.
type gradientRow struct {
	beta, betaC, theory, simulated, stderr, whole float64
	layer                                         int32
	weights                                       int8
}

func readGradients(table *data.Table) (*Gradients, []gradientRow, error) {
	g := NewGradients()
	if err := run.ReadParameters(g, table); err != nil {
		return nil, nil, err
	}
	r := columns.Reader{Table: table}
	get := func(name string) []float64 { return columns.Of[float64](&r, name) }
	beta, betaC, theory, simulated, stderr, whole := get("beta"), get("beta_c"), get("theory"), get("simulated"), get("stderr"), get("whole")
	layer, weights := columns.Of[int32](&r, "layer"), columns.Of[int8](&r, "weights")
	if r.Err == nil && len(beta) == 0 {
		r.Err = columns.ErrNoRows
	}
	if r.Err != nil {
		return nil, nil, r.Err
	}
	rows := make([]gradientRow, len(beta))
	for k := range rows {
		rows[k] = gradientRow{beta[k], betaC[k], theory[k], simulated[k], stderr[k], whole[k], layer[k], weights[k]}
	}
	return g, rows, nil
}

// Describe implements Experiment: a line for each β, on its first layer.
func (*Gradients) Describe(w io.Writer, table *data.Table) error {
	g, rows, err := readGradients(table)
	if err != nil {
		return err
	}
	for _, beta := range g.Beta {
		line := fmt.Sprintf("β = %s", parameter.FormatReal(beta))
		var difference wording.Difference
		for _, v := range rows {
			if v.beta != beta {
				continue
			}
			if v.layer == 1 {
				if v.weights == 0 {
					line += fmt.Sprintf(" (β_c = %.4g at the first layer)", v.betaC)
				}
				line += fmt.Sprintf(", %s %.4g", weightNames[v.weights], v.simulated)
				if !math.IsNaN(v.stderr) {
					line += fmt.Sprintf(" ± %.2g", v.stderr)
				}
				line += fmt.Sprintf(" for %.4g", v.theory)
			}
			difference.Add(100 * wording.Relative(v.simulated, v.theory))
		}
		text := difference.Text(fmt.Sprintf("of all layers the largest difference from theory is %.2g %%", difference.Largest()), "gradients")
		if _, err := fmt.Fprintf(w, "%s; %s.\n", line, text); err != nil {
			return err
		}
	}
	return nil
}
