package figure_test

import (
	"io"
	"log"

	"antipode/experiments/figure"
)

// A figure with one line.
func Example() {
	times, overlaps := []float64{0, 1, 2}, []float64{0.1, 0.7, 0.9}
	p := figure.NewPlot("two tokens", "time", "overlap")
	p.Line(times, overlaps, figure.SeriesStroke(0, 1))
	drawn, err := figure.Single(figure.Width, 300, figure.Panel{Plot: p}, "an example")
	if err != nil {
		log.Fatal(err)
	}
	if err := drawn.WritePNG(io.Discard); err != nil {
		log.Fatal(err)
	}
	// Output:
}
