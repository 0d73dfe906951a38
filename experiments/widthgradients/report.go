package widthgradients

import (
	"fmt"
	"io"
	"math"
	"strings"

	"antipode/data"
	"antipode/experiments/internal/attention"
	"antipode/overlap/spectrum"
	"antipode/sde/matrices"
)

// Describe implements run.Experiment: a line for each kind of network and depth.
func (*Experiment) Describe(w io.Writer, table *data.Table) error {
	g := New()
	curves, err := readCurves(g, table)
	if err != nil {
		return err
	}
	for i, c := range curves {
		if c.Layer != 1 {
			continue
		}
		last := c.Last()
		var byLayer []string
		for _, other := range curves[i : i+c.Layers] { // the layers of a network follow each other
			byLayer = append(byLayer, fmt.Sprintf("%.4g", other.Last().Value))
		}
		text := fmt.Sprintf("%v, L = %d: ‖∂X_L/∂W_ℓ‖² = %s for ℓ = 1 to L at T = %g", c.Kind, c.Layers,
			strings.Join(byLayer, ", "), last.Tokens)
		if !math.IsNaN(last.Limit) {
			text += fmt.Sprintf(" (%.4g in theory)", last.Limit)
		}
		if len(c.Points) > 1 {
			text += "; for ℓ = 1 it grows as " + c.Rate(1).String()
		}
		if !math.IsNaN(last.Limit) {
			exponent, factor := spectrum.GradientRate(c.Layers, g.Ratio, attention.LawOf(g.Law).Deviation(),
				c.Gap == matrices.KeepGap)
			text += fmt.Sprintf(", in the limit %.4g T^%d", factor, exponent)
		}
		if !math.IsNaN(last.Bound) {
			text += fmt.Sprintf(", and the paper's bound is %.4g", last.Bound)
		}
		if _, err := fmt.Fprintln(w, text+"."); err != nil {
			return err
		}
	}
	return nil
}
