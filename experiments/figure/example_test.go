package figure_test

import (
	"io"
	"log"

	"antipode/experiments/figure"

	"gonum.org/v1/plot/vg/draw"
)

// A figure of one line.
func Example() {
	times, overlaps := []float64{0, 1, 2}, []float64{0.1, 0.7, 0.9}
	p := figure.NewPlot("two tokens", "time", "overlap")
	_, err := figure.AddLine(p, times, overlaps, draw.LineStyle{Color: figure.SeriesColors[0], Width: 1})
	if err != nil {
		log.Fatal(err)
	}
	whole := figure.Figure{Width: figure.Width, Height: 300, Paint: p.Draw}
	if err := whole.WritePNG(io.Discard); err != nil {
		log.Fatal(err)
	}
	// Output:
}
