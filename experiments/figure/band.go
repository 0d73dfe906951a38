package figure

import (
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
)

// AddBand fills what is between low and high over x with a light shade of a colour.
func AddBand(p *plot.Plot, x, low, high []float64, shade color.Color) error {
	var outline plotter.XYs
	shown := ShownRows(len(x))
	for _, k := range shown {
		outline = append(outline, plotter.XY{X: x[k], Y: low[k]})
	}
	for k := range shown {
		at := shown[len(shown)-1-k]
		outline = append(outline, plotter.XY{X: x[at], Y: high[at]})
	}
	area, err := plotter.NewPolygon(outline)
	if err != nil {
		return err
	}
	area.Color, area.LineStyle.Width = TowardsWhite(shade, 0.75), 0
	p.Add(area)
	return nil
}

// TowardsWhite mixes a colour with white, a share of 0 to 1.
func TowardsWhite(c color.Color, share float64) color.Color {
	r, g, b, _ := c.RGBA()
	mix := func(v uint32) uint8 { return uint8(float64(v>>8) + share*(255-float64(v>>8)) + 0.5) }
	return color.RGBA{mix(r), mix(g), mix(b), 255}
}
