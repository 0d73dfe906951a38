package explore

import (
	"bytes"
	"fmt"

	"antipode/data"
	"antipode/experiments/figure"
	"antipode/experiments/run"
)

// picture is a figure on the page.
type picture struct {
	SVG   string        `json:"svg"` // the figure; "" if there is no figure
	Areas []figure.Area `json:"areas"`
	None  string        `json:"none"` // why there is no figure
}

// draw draws the figure of a table. The table may still be incomplete.
func draw(e run.Experiment, table *data.Table) (p picture) {
	defer func() {
		if reason := recover(); reason != nil { // the table may have too few rows
			p = picture{None: fmt.Sprint("no figure: ", reason)}
		}
	}()
	drawn, err := e.Draw(table)
	var svg bytes.Buffer
	if err == nil {
		p.Areas, err = drawn.WriteSVGAreas(&svg)
	}
	if err != nil {
		return picture{None: spoken(err)}
	}
	p.SVG = svg.String()
	return p
}
