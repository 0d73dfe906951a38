package picture

import (
	"fmt"
	"math"

	"antipode/experiments/figure"
)

// Circle returns a figure of the angles of tokens on the circle against time. It is an error if the tokens do
// not have two dimensions.
func Circle(m Motion, width, height float64, caption string) (*figure.Figure, error) {
	if d := m.dim(); d != 2 {
		return nil, fmt.Errorf("states of length %d: must be 2 to lie on a circle", d)
	}
	p := figure.NewPlot(fmt.Sprintf("Angles of the tokens of trajectory %d", m.Trajectory), "time",
		"angle / π")
	key := &figure.Key{}
	for i := range m.count() {
		stroke := figure.Stroke{Color: figure.SeriesColors[i%len(figure.SeriesColors)], Width: 1}
		for _, line := range unwrappedAngles(m, i) {
			p.Line(m.Times, line, stroke)
		}
		if m.count() <= len(figure.SeriesColors) { // otherwise two tokens would have the same colour
			key.Add(fmt.Sprintf("token %d", i+1), stroke)
		}
	}
	p.Y.Range(-1, 1)
	return figure.Single(width, height, figure.Panel{Plot: p, Key: key}, caption)
}

// unwrappedAngles returns the angle of a token on the circle against time, in units of π and without jumps. A
// line that passes ±π must leave the plot on one side and reappear on the other. For each turn that the angle
// visits, the line is therefore returned once, shifted by this turn, and the plot cuts the line off at its
// edges.
func unwrappedAngles(m Motion, token int) (lines [][]float64) {
	angle := make([]float64, len(m.Times))
	for row := range angle {
		x := m.token(token, row)
		angle[row] = math.Atan2(x[1], x[0]) / math.Pi
		if row > 0 { // from time to time, the angle takes the shorter way
			angle[row] -= 2 * math.Round((angle[row]-angle[row-1])/2)
		}
	}
	visited := map[float64]bool{}
	for _, a := range angle {
		turn := 2 * math.Round(a/2)
		if visited[turn] {
			continue
		}
		visited[turn] = true
		line := make([]float64, len(angle))
		for row := range angle {
			line[row] = angle[row] - turn
		}
		lines = append(lines, line)
	}
	return lines
}
