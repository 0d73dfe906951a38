package widthgradients

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"antipode/data"
	"antipode/experiments/internal/attention"
	"antipode/overlap/spectrum"
	"antipode/sde/matrices"
)

// Describe implements run.Experiment. The report of experiment width-gradients has a line for each kind of
// network and each number of layers.
func (*Experiment) Describe(w io.Writer, table *data.Table) error {
	g := New()
	curves, err := readCurves(g, table)
	if err != nil {
		return err
	}
	for _, c := range curves {
		if c.Layer != 1 {
			continue
		}
		last := c.Last()
		gradients, layers := byLayer(curves, c)
		text := fmt.Sprintf("%v, L = %d: ‖∂X_L/∂W_ℓ‖² = %s for ℓ = %s at T = %g", c.Kind, c.Layers,
			gradients, layers, last.Tokens)
		if !math.IsNaN(last.Limit) {
			text += fmt.Sprintf(" (%.4g in theory)", last.Limit)
		}
		if len(c.Points) > 1 {
			text += "; for ℓ = 1 it grows as " + c.Rate(1).String()
		}
		if !math.IsNaN(last.Limit) {
			exponent, factor := spectrum.GradientRate(c.Layers, g.Ratio, g.Law.Deviation(),
				c.Gap == matrices.KeepGap)
			text += fmt.Sprintf(", in the limit %.4g T^%d", factor, exponent)
		}
		if !math.IsNaN(last.Bound) {
			text += fmt.Sprintf(", and the paper's lower bound is %.4g", last.Bound)
		}
		if _, err := fmt.Fprintln(w, text+"."); err != nil {
			return err
		}
	}
	return nil
}

// byLayer returns two texts about a curve at its largest number of tokens: the gradients with respect to each
// layer's value matrix, and the layers that the table has.
func byLayer(curves []*attention.Curve, of *attention.Curve) (gradients, layers string) {
	var values, numbers []string
	for layer := 1; layer <= of.Layers; layer++ {
		at := slices.IndexFunc(curves, func(c *attention.Curve) bool {
			return c.Kind == of.Kind && c.Layers == of.Layers && c.Layer == layer
		})
		if at < 0 || curves[at].Last().Tokens != of.Last().Tokens {
			continue
		}
		values = append(values, fmt.Sprintf("%.4g", curves[at].Last().Value))
		numbers = append(numbers, fmt.Sprint(layer))
	}
	if len(numbers) == of.Layers {
		numbers = []string{"1 to L"}
	}
	return strings.Join(values, ", "), strings.Join(numbers, ", ")
}
