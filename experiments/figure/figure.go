// Package figure draws the figures of experiments. An experiment declares a figure: plots of lines, dots and
// other marks with axes, legends (keys), the arrangement of the plots, and a caption. Package figure draws
// all figures in one style.
//
//	p := figure.NewPlot("two tokens", "time", "overlap")
//	p.Line(times, overlaps, figure.SeriesStroke(0, 1))
//	drawn, err := figure.Single(figure.Width, 300, figure.Panel{Plot: p}, "an example")
package figure

import (
	"errors"

	"gonum.org/v1/plot/vg/draw"
)

// Figure is the content of a figure, which can be written as PNG, SVG or PDF.
type Figure struct {
	Width, Height float64 // size in points
	Panels        []Panel // panels row by row
	Key           *Key    // legend of all panels; nil for none
	Caption       string

	arrange func(c draw.Canvas) // draws panels and legend above the caption
}

// Panel is a plot in a figure, with its own legend and colour bar if it has them.
type Panel struct {
	Plot    *Plot
	Key     *Key      // legend of the panel; nil for none
	Below   bool      // whether the legend is below the plot, not beside it
	Bar     *ColorBar // colour bar beside the plot; nil for none
	BarWide float64   // width of bar and labels in points; 0 for 50
	ToScale bool      // units of both axes are equally long; only without a legend
}

// ErrNone is the error for a table for which there is nothing to plot.
var ErrNone = errors.New("there is no figure of this table")

// newFigure returns a figure, or the first error of a plot in its panels. The function arrange draws the
// panels and the legend.
func newFigure(
	width, height float64, panels []Panel, key *Key, caption string, arrange func(c draw.Canvas),
) (*Figure, error) {
	for _, p := range panels {
		if p.Plot.err != nil {
			return nil, p.Plot.err
		}
	}
	return &Figure{width, height, panels, key, caption, arrange}, nil
}

// Paint draws the figure on a canvas, which must have the size of the figure.
func (f *Figure) Paint(c draw.Canvas) { f.arrange(drawCaption(c, f.Caption)) }

// draw draws the plot of the panel, its colour bar and its legend.
func (p Panel) draw(c draw.Canvas) {
	if p.Key != nil && p.Below {
		c = p.Key.drawRows(c)
	}
	if p.Bar != nil {
		c = p.Bar.drawBeside(c, p.BarWide)
	}
	switch plot := p.Plot.render(); {
	case p.ToScale:
		drawToScale(plot, c)
	case p.Key != nil && !p.Below && len(p.Key.Entries) > 0:
		p.Key.drawBeside(plot, c)
	default:
		plot.Draw(c)
	}
}
