package stability

import (
	"fmt"
	"math"

	"antipode/data"
	"antipode/experiments/figure"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg/draw"
)

// Draw implements Experiment: lifetime and decay time against β on a logarithmic scale,
// dots for the simulation and lines for the theory, of up to six pairs of masses and
// dimensions.
func (*Experiment) Draw(table *data.Table) (*figure.Figure, error) {
	s, c, err := readStability(table)
	if err != nil {
		return nil, err
	}
	var lines []theoryLine
	for _, series := range c.series() {
		line, err := c.theory(s, series)
		if err != nil {
			return nil, err
		}
		lines = append(lines, line)
	}
	key := &figure.Key{}
	left, err := c.times(s, lines, key, 0, "Lifetime: mean time of the overlap from -1 to 0")
	if err != nil {
		return nil, err
	}
	right, err := c.times(s, lines, key, 1, "Decay time: inverse of the final rate of coming together")
	if err != nil {
		return nil, err
	}
	low, high := min(left.Y.Min, right.Y.Min), max(left.Y.Max, right.Y.Max)
	low, high = decades(low, high)
	for _, p := range []*plot.Plot{left, right} {
		p.Y.Min, p.Y.Max = low, high
	}
	seed, _ := table.Schema.Value(data.KeySeed)
	text := figure.RunCaption("stability", fmt.Sprintf("%s attention, %s values, %d trajectories a dot, depth %d, tolerance %g, 95 %% intervals; dots simulated, lines theory",
		s.Attention, s.Law, s.Trajectories, s.Depth, s.Tolerance), seed)
	if all, drawn := len(c.allSeries()), len(c.series()); drawn < all {
		text += fmt.Sprintf("; not drawn: %d of %d pairs of masses and dimensions", all-drawn, all)
	}
	return figure.Panels([]figure.Panel{{Plot: left}, {Plot: right}}, key, text), nil
}

// decades widens a range to thirds of decades, or to whole ones if it holds no power of ten.
func decades(low, high float64) (float64, float64) {
	if !(low < high) {
		return low / 10, low * 10
	}
	parts := 3.
	if math.Ceil(math.Log10(low)) > math.Floor(math.Log10(high)) {
		parts = 1
	}
	return math.Pow(10, math.Floor(parts*math.Log10(low))/parts), math.Pow(10, math.Ceil(parts*math.Log10(high))/parts)
}

// times is the plot of lifetimes (which = 0) or decay times (1).
func (c *stabilityCells) times(s *Experiment, lines []theoryLine, key *figure.Key, which int, title string) (*plot.Plot, error) {
	p := figure.NewPlot(title, "inverse temperature β", "units of time")
	p.Y.Scale, p.Y.Tick.Marker = plot.LogScale{}, figure.LogTicks{}
	for i, series := range c.series() {
		points := &figure.Intervals{}
		for _, k := range series {
			y, low, high := c.lifetime[k], c.low[k], c.high[k]
			if which == 1 {
				y = c.decayTime[k]
				low, high = decayInterval(y, c.trajectories[k])
			}
			if low > 0 { // not null
				points.Add(c.beta[k], y, low, high)
			}
		}
		k := series[0]
		name := fmt.Sprintf("%d and %d tokens", c.m1[k], c.m2[k])
		if len(s.Dim) > 1 {
			name += fmt.Sprintf(", d = %d", c.dim[k])
		}
		style := draw.LineStyle{Color: figure.SeriesColors[i], Width: 1.2, Dashes: figure.SeriesDashes[i]}
		if err := figure.AddBroken(p, lines[i].beta, lines[i].times[which], style); err != nil {
			return nil, err
		}
		legend := []plot.Thumbnailer{&plotter.Line{LineStyle: style}}
		if len(points.XYs) > 0 {
			dots, err := figure.AddDots(p, i, points)
			if err != nil {
				return nil, err
			}
			legend = append(legend, dots)
		}
		key.Add(name, legend...)
	}
	return p, nil
}

// allSeries are the cells of each pair of masses and dimension.
func (c *stabilityCells) allSeries() (all [][]int) {
	for k := range c.m1 {
		if k == 0 || c.m1[k] != c.m1[k-1] || c.m2[k] != c.m2[k-1] || c.dim[k] != c.dim[k-1] {
			all = append(all, nil)
		}
		all[len(all)-1] = append(all[len(all)-1], k)
	}
	return all
}

// series are up to six of them.
func (c *stabilityCells) series() (shown [][]int) {
	all := c.allSeries()
	indices := make([]float64, len(all))
	for i := range indices {
		indices[i] = float64(i)
	}
	for _, i := range figure.Spread(indices, len(figure.SeriesColors)) {
		shown = append(shown, all[int(i)])
	}
	return shown
}

// theoryLine is what the theory says over the β of a series: lifetimes and decay times.
type theoryLine struct {
	beta  []float64
	times [2][]float64
}

func (c *stabilityCells) theory(s *Experiment, series []int) (line theoryLine, err error) {
	low, high := math.Inf(1), math.Inf(-1)
	for _, k := range series {
		low, high = min(low, c.beta[k]), max(high, c.beta[k])
	}
	if low == high { // a line all the same
		low, high = max(0, low-0.25), low+0.25
	}
	const points = 24
	for i := range points + 1 {
		k, beta := series[0], low+(high-low)*float64(i)/points
		diffusion, err := s.diffusion(int(c.m1[k]), int(c.m2[k]), int(c.dim[k]), beta)
		if err != nil {
			return line, err
		}
		times, err := timesOf(diffusion)
		if err != nil {
			return line, err
		}
		line.beta = append(line.beta, beta)
		for which, time := range times {
			line.times[which] = append(line.times[which], time)
		}
	}
	return line, nil
}
