package networks

import (
	"image/color"

	"antipode/experiments/figure"
)

// AddFailures adds to a plot over β and the strength α_SA of attention's residual connection the two lines
// beyond which networks do not train. The first line is the critical β at each α_SA, in ascending order, as
// far as the line is within the plot. The second line is the critical α_SA at β = 0.
func AddFailures(p *figure.Plot, key *figure.Key, alphas, betas []float64, alphaC float64) {
	stroke := figure.Stroke{Color: color.Black, Width: 1.6}
	var line []figure.Point
	for k, alpha := range alphas {
		if b := betas[k]; b >= p.X.Low && b <= p.X.High {
			line = append(line, figure.Point{X: b, Y: alpha})
		}
	}
	if len(line) > 1 {
		line[0].Y, line[len(line)-1].Y = p.Y.Low, p.Y.High
		p.RimmedLine(line, stroke)
		key.Add("β_c", stroke)
	}
	if alphaC > p.Y.Low && alphaC < p.Y.High {
		stroke.Dashes = figure.Dashed
		p.RimmedLine([]figure.Point{{X: p.X.Low, Y: alphaC}, {X: p.X.High, Y: alphaC}}, stroke)
		key.Add("α_c at β = 0", stroke)
	}
}
