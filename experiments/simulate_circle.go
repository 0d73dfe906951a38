package experiments

import (
	"math"

	"antipode/data"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg/draw"
)

// paintAngles draws the angle of each token of trajectory 0 against time, for d = 2.
func paintAngles(digest *data.Table) (func(draw.Canvas), error) {
	s, err := readStates(digest, 0)
	if err != nil {
		return nil, err
	}
	if s.dim != 2 {
		return nil, errNoRows
	}
	p := newPlot("Angles of the tokens of trajectory 0", "time", "angle / π")
	for i := range s.tokens {
		if err := addAngles(p, s, i); err != nil {
			return nil, err
		}
	}
	p.Y.Min, p.Y.Max = -1, 1
	return p.Draw, nil
}

// addAngles adds the angle of a token. Where it passes ±π the line leaves on one
// side and comes back on the other: it is drawn unwrapped, once for each turn that
// it visits, and the plot clips it.
func addAngles(p *plot.Plot, s *stateLines, token int) error {
	angle := make([]float64, len(s.time))
	for row := range angle {
		x := s.token(token, row)
		angle[row] = math.Atan2(x[1], x[0]) / math.Pi
		if row > 0 { // the way from one time to the next is the shorter one
			angle[row] -= 2 * math.Round((angle[row]-angle[row-1])/2)
		}
	}
	style := draw.LineStyle{Color: seriesColors[token%len(seriesColors)], Width: 1}
	visited := map[float64]bool{}
	for _, unwrapped := range angle {
		turn := 2 * math.Round(unwrapped/2)
		if visited[turn] {
			continue
		}
		visited[turn] = true
		shifted := make([]float64, len(angle))
		for row := range angle {
			shifted[row] = angle[row] - turn
		}
		if _, err := addLine(p, s.time, shifted, style); err != nil {
			return err
		}
	}
	return nil
}
