package spectrum

import (
	"fmt"
	"io"
	"math"
	"strings"

	"antipode/data"
	"antipode/experiments/columns"
	"antipode/experiments/run"
	"antipode/overlap/spectrum"
)

func readWidthGradients(table *data.Table) (*WidthGradients, []*widths, error) {
	g := NewWidthGradients()
	if err := run.ReadParameters(g, table); err != nil {
		return nil, nil, err
	}
	r := columns.Reader{Table: table}
	layers, layer := columns.Of[int32](&r, "layers"), columns.Of[int32](&r, "layer")
	gradient, errors := columns.Of[float64](&r, "gradient"), columns.Of[float64](&r, "gradient_stderr")
	expected, bound := columns.Of[float64](&r, "expected"), columns.Of[float64](&r, "bound")
	curves := curvesOf(&r, layers, layer, gradient, errors, expected, bound)
	return g, curves, r.Err
}

// Describe implements Experiment: a line for each kind of network and depth.
func (*WidthGradients) Describe(w io.Writer, table *data.Table) error {
	g, curves, err := readWidthGradients(table)
	if err != nil {
		return err
	}
	for i, c := range curves {
		if c.layer != 1 {
			continue
		}
		k := c.last()
		var byLayer []string
		for _, other := range curves[i : i+c.layers] { // the layers of a network follow each other
			byLayer = append(byLayer, fmt.Sprintf("%.4g", other.mean[k]))
		}
		text := fmt.Sprintf("%v, L = %d: ‖∂X_L/∂W_ℓ‖² = %s for ℓ = 1 to L at T = %g", c.kind, c.layers, strings.Join(byLayer, ", "), c.tokens[k])
		if !math.IsNaN(c.limit[k]) {
			text += fmt.Sprintf(" (%.4g in theory)", c.limit[k])
		}
		if len(c.tokens) > 1 {
			text += "; for ℓ = 1 it grows as " + rateText(fitRate(c.tokens, c.mean, c.error, 1))
		}
		if !math.IsNaN(c.limit[k]) {
			exponent, factor := spectrum.GradientRate(c.layers, g.Ratio, lawOf(g.Law).Deviation(), c.gap == keep)
			text += fmt.Sprintf(", in the limit %.4g T^%d", factor, exponent)
		}
		if !math.IsNaN(c.bound[k]) {
			text += fmt.Sprintf(", and the paper's bound is %.4g", c.bound[k])
		}
		if _, err := fmt.Fprintln(w, text+"."); err != nil {
			return err
		}
	}
	return nil
}
