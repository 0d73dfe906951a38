package gradients

import (
	"fmt"
	"io"
	"math"
	"slices"

	"antipode/data"
	"antipode/experiments/figure"
	"antipode/experiments/internal/networks"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/experiments/wording"
)

// describeLoss writes a line for each β about the gradients of a loss with respect to queries. The line has
// these gradients for all sizes of the networks, scaled by T/d for T tokens of dimension d. describeLoss also
// states how much the gradients for different sizes differ if they are scaled by T/(d²√log T), as in the
// paper's Result 2.
func (g *Experiment) describeLoss(w io.Writer, rows []Row) error {
	for _, beta := range g.Beta {
		var ours, printed []float64
		for _, r := range rows {
			if r.Beta == beta && r.Weights == networks.Query {
				ours = append(ours, r.Loss)
				printed = append(printed, r.Loss/(r.Dim*math.Sqrt(math.Log(r.Tokens))))
			}
		}
		if len(ours) == 0 { // the table may be incomplete
			continue
		}
		low, high := slices.Min(ours), slices.Max(ours)
		if _, err := fmt.Fprintf(w, "β = %s: T/d E‖∂L/∂W_Q‖² from %.4g to %.4g at %s, %.3g times as "+
			"much; with T/(d²√log T) instead of T/d %.3g times.\n",
			parameter.FormatReal(beta), low, high, wording.Count(len(ours), "size"), high/low,
			slices.Max(printed)/slices.Min(printed)); err != nil {
			return err
		}
	}
	return nil
}

// drawLoss plots gradients with respect to queries against β. The left panel shows the gradients of the loss,
// with lines that connect the dots. The right panel shows the gradients of the outputs of the layer's own
// attention, with lines of the theory.
func (g *Experiment) drawLoss(rows []Row, table *data.Table) (*figure.Figure, error) {
	key := &figure.Key{}
	loss := figure.NewPlot("Of a loss: T/d E‖∂L/∂W_Q‖²", "β", "")
	own := figure.NewPlot("Of the layer's own attention: E‖∂/∂W_Q‖²/(d²T)", "β", "")
	loss.Y.Logarithmic, own.Y.Logarithmic = true, true
	for k, one := range g.sizes() {
		color := k % len(lossSizes) // colours for dimensions, dashes for numbers of tokens
		stroke := figure.Stroke{Color: figure.SeriesColors[color], Width: 1,
			Dashes: figure.SeriesDashes[k/len(lossSizes)]}
		var beta, theory []float64
		var losses, gradients figure.Intervals
		for _, r := range rows {
			if r.Weights != networks.Query || r.Tokens != float64(one.Tokens) || r.Dim != float64(one.Dim) ||
				!(r.Loss > 0 && r.Simulated > 0 && r.Theory > 0) { // a logarithmic axis cannot show β = 0
				continue
			}
			beta, theory = append(beta, r.Beta), append(theory, r.Theory)
			addDot(&losses, r.Beta, r.Loss, r.LossStderr)
			addDot(&gradients, r.Beta, r.Simulated, r.Stderr)
		}
		if len(beta) == 0 {
			continue
		}
		_, values := losses.XY()
		loss.Line(beta, values, stroke)
		own.Line(beta, theory, stroke)
		loss.Dots(color, losses)
		own.Dots(color, gradients)
		key.Add(fmt.Sprintf("T = %d, d = %d", one.Tokens, one.Dim), stroke, figure.SeriesGlyph(color))
	}
	for _, p := range []*figure.Plot{loss, own} {
		if len(p.Marks) == 0 { // at β = 0 alone
			p.X.Range(0, 1)
			p.Y.Range(1e-3, 1)
		}
	}
	text := fmt.Sprintf("figure 3c, %s; %s of one layer%s; "+
		"lines in the right panel: theory", g.blockText(), wording.Count(g.Networks, "network"),
		networks.BarsText(g.Networks))
	return figure.Pairs([]figure.Panel{{Plot: loss}, {Plot: own}}, key,
		run.Caption(table, text))
}

// addDot adds a dot with two standard errors on both sides, if the standard error is known. The lower end of
// the interval is above 0.
func addDot(dots *figure.Intervals, x, y, stderr float64) {
	far := 2 * stderr
	if math.IsNaN(far) {
		far = 0
	}
	dots.Add(x, y, max(y-far, y/100), y+far)
}
