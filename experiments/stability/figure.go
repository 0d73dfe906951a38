package stability

import (
	"fmt"
	"math"

	"antipode/data"
	"antipode/experiments/figure"
	"antipode/experiments/run"
	"antipode/experiments/setting"
	"antipode/experiments/theory"
	"antipode/experiments/wording"
	"antipode/internal/lists"
)

// Draw implements run.Experiment. The figure of experiment stability shows against β the lifetime and the
// decay time of opposite clusters of unequal size, on a logarithmic scale, and the exponents of clusters of
// equal size. Dots show the simulation and lines the theory, for up to six combinations of cluster sizes and
// dimension.
func (*Experiment) Draw(table *data.Table) (*figure.Figure, error) {
	s := New()
	rows, err := s.readRows(table)
	if err != nil {
		return nil, err
	}
	key := &figure.Key{}
	lives, equal := s.divide(rows)
	livesPanels, text, err := drawn(lives, key, s.livesPanels)
	if err != nil {
		return nil, err
	}
	equalPanels, more, err := drawn(equal, key, s.equalClustersPanels)
	if err != nil {
		return nil, err
	}
	tolerance, depth := "", ""
	if len(lives) > 0 {
		tolerance = fmt.Sprintf(", tolerance %g", s.Tolerance)
	}
	if len(equal) > 0 {
		depth = ", of exponents " + s.depthText()
	}
	caption := run.Caption(table, fmt.Sprintf("%s attention, %s values%s%s, %s a dot, depth %d%s, 95 %% "+
		"intervals; dots simulated, lines theory%s", s.Attention, s.Law, setting.SigmaText(s.Sigma),
		s.beside().Caption(), wording.Count(s.Trajectories, "trajectory"), s.Depth, tolerance, depth))
	return figure.Pairs(append(livesPanels, equalPanels...), key, caption+text+more)
}

// drawn returns the panels for up to six of the series of rows, and a text about the series that are left
// out. If there are no rows, there are no panels.
func drawn(
	rows []Row, key *figure.Key, panels func(shown [][]Row, key *figure.Key) ([]figure.Panel, error),
) (made []figure.Panel, left string, err error) {
	if len(rows) == 0 {
		return nil, "", nil
	}
	all := run.Groups(rows, func(r Row) Clusters { // by cluster sizes and dimension
		r.Clusters.Beta = 0
		return r.Clusters
	})
	shown := figure.Spread(all, len(figure.SeriesColors))
	if len(shown) < len(all) {
		left = fmt.Sprintf("; not drawn: %d of %d pairs of masses and dimensions", len(all)-len(shown),
			len(all))
	}
	made, err = panels(shown, key)
	return made, left, err
}

// depthText states whether the theoretical exponents hold at the simulated depth or at infinite depth.
func (s *Experiment) depthText() string {
	if s.exact() {
		return "at this depth"
	}
	return "in the limit of infinite depth"
}

// livesPanels returns the plots of lifetimes and of decay times of clusters of unequal size against β.
func (s *Experiment) livesPanels(shown [][]Row, key *figure.Key) ([]figure.Panel, error) {
	lines := make([]theoryLine, len(shown))
	for i, series := range shown {
		var err error
		if lines[i], err = s.theory(series); err != nil {
			return nil, err
		}
	}
	left := s.times(shown, lines, key, 0, "Lifetime: mean time of the overlap from -1 to 0")
	right := s.times(shown, lines, key, 1, "Decay time: inverse of the final rate at which clusters merge")
	low, high := min(left.Y.Low, right.Y.Low), max(left.Y.High, right.Y.High)
	low, high = decades(low, high)
	for _, p := range []*figure.Plot{left, right} {
		p.Y.Range(low, high)
	}
	return []figure.Panel{{Plot: left}, {Plot: right}}, nil
}

// decades widens a range of a logarithmic axis so that its ends are thirds of decades. If the range contains
// no power of ten, its ends become powers of ten.
func decades(low, high float64) (float64, float64) {
	if !(low < high) {
		return low / 10, low * 10
	}
	parts := 3.
	if math.Ceil(math.Log10(low)) > math.Floor(math.Log10(high)) {
		parts = 1
	}
	return math.Pow(10, math.Floor(parts*math.Log10(low))/parts),
		math.Pow(10, math.Ceil(parts*math.Log10(high))/parts)
}

// times returns the plot of lifetimes against β if which is 0, or of decay times if which is 1.
func (s *Experiment) times(
	shown [][]Row, lines []theoryLine, key *figure.Key, which int, title string,
) *figure.Plot {
	p := figure.NewPlot(title, "inverse temperature β", "units of time")
	p.Y.Logarithmic = true
	for i, series := range shown {
		var points figure.Intervals
		for _, r := range series {
			y, low, high := r.Lifetime, r.LifetimeLow, r.LifetimeHigh
			if which == 1 {
				y = r.DecayTime
				low, high = decayInterval(y, r.Trajectories)
			}
			if math.IsNaN(high) { // without an upper end, only the lower half is drawn
				high = y
			}
			if low > 0 { // low is not null
				points.Add(r.Beta, y, low, high)
			}
		}
		style := figure.SeriesStroke(i, 1.2)
		p.BrokenLine(lines[i].beta, lines[i].times[which], style)
		key.Add(seriesName(series[0], len(s.Dim)), addDots(p, i, points, style)...)
	}
	return p
}

// addDots adds the points of a series to a plot, if the series has points. addDots returns the samples of the
// series for the legend: the line and, if there are points, a dot.
func addDots(p *figure.Plot, series int, points figure.Intervals, line figure.Stroke) []figure.Sample {
	if len(points.Points) == 0 {
		return []figure.Sample{line}
	}
	p.Dots(series, points)
	return []figure.Sample{line, figure.SeriesGlyph(series)}
}

// theoryLine holds the theoretical lifetimes (times[0]) and decay times (times[1]) over the range of β of a
// series.
type theoryLine struct {
	beta  []float64
	times [2][]float64
}

// along returns the clusters of a series at equally spaced β, over the range for which the theory is plotted.
func along(series []Row, steps int) []Clusters {
	low, high := theory.LineRange(figure.DistinctOf(series, func(r Row) float64 { return r.Beta }))
	return lists.Of(steps+1, func(i int) Clusters {
		c := series[0].Clusters
		c.Beta = low + (high-low)*float64(i)/float64(steps)
		return c
	})
}

// theory returns the theoretical lifetimes and decay times of a series.
func (s *Experiment) theory(series []Row) (line theoryLine, err error) {
	for _, c := range along(series, 24) {
		diffusion, err := s.diffusion(c)
		if err != nil {
			return line, err
		}
		times, err := timesOf(diffusion)
		if err != nil {
			return line, err
		}
		line.beta = append(line.beta, c.Beta)
		for which, time := range times {
			line.times[which] = append(line.times[which], time)
		}
	}
	return line, nil
}
