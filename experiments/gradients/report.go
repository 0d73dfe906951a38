package gradients

import (
	"fmt"
	"io"
	"math"

	"antipode/data"
	"antipode/experiments/internal/networks"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/experiments/wording"
)

// Describe implements run.Experiment. The report of experiment gradients has a line for each β, about the
// gradients of the first layer.
func (*Experiment) Describe(w io.Writer, table *data.Table) error {
	g := New()
	if err := run.ReadParameters(g, table); err != nil {
		return err
	}
	if g.Save.Matrices() {
		return networks.DescribeSaved(w, table, g.named)
	}
	rows, err := run.ReadRows[Row](g, table)
	if err != nil {
		return err
	}
	if g.Figure == lossFigure {
		return g.describeLoss(w, rows)
	}
	for _, beta := range g.Beta {
		line := fmt.Sprintf("β = %s: squared gradients of layer 1", parameter.FormatReal(beta))
		var difference wording.Difference
		for _, v := range rows {
			if v.Beta != beta {
				continue
			}
			if v.Layer == 1 {
				if v.Weights == networks.Query && !math.IsNaN(v.BetaC) {
					line += fmt.Sprintf(" (β_c = %.4g there)", v.BetaC)
				}
				line += fmt.Sprintf(", %s %.4g", v.Weights, v.Simulated)
				if !math.IsNaN(v.Stderr) {
					line += fmt.Sprintf(" ± %.2g", v.Stderr)
				}
				line += fmt.Sprintf(" (theory %.4g)", v.Theory)
			}
			difference.Add(100 * wording.Relative(v.Simulated, v.Theory))
		}
		largest := fmt.Sprintf("the largest difference from the theory in all layers is %.2g %%",
			difference.Largest())
		if math.IsInf(difference.Largest(), 1) {
			largest = "a gradient that is 0 in the theory is not 0 in the networks"
		}
		text := difference.Text(largest, "gradients")
		if _, err := fmt.Fprintf(w, "%s; %s.\n", line, text); err != nil {
			return err
		}
	}
	return nil
}
