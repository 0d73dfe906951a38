package tokens

import (
	"fmt"
	"math"
	"slices"

	"antipode/data"
	"antipode/experiments/figure"
	"antipode/experiments/internal/interaction"
	"antipode/experiments/internal/theory"
	"antipode/overlap"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Draw implements Experiment: the probability of an antipodal pair against β, a line for
// each of up to six numbers of tokens, and the theory of two tokens.
func (*Tokens) Draw(table *data.Table) (*figure.Figure, error) {
	k, c, err := readTokens(table)
	if err != nil {
		return nil, err
	}
	p := figure.NewPlot(fmt.Sprintf("At least one antipodal pair at time %g, with 95 %% intervals", k.Horizon), "inverse temperature β", "P(antipodal pair)")
	key := &figure.Key{}
	numbers := figure.Distinct(c.tokens)
	drawn := figure.Spread(numbers, len(figure.SeriesColors))
	for i, n := range drawn {
		points, line := c.series(int32(n))
		joined, err := figure.AddLine(p, line[0], line[1], draw.LineStyle{Color: figure.SeriesColors[i], Width: 1, Dashes: figure.SeriesDashes[i]})
		if err != nil {
			return nil, err
		}
		dots, err := figure.AddDots(p, i, points)
		if err != nil {
			return nil, err
		}
		key.Add(fmt.Sprintf("N = %g", n), joined, dots)
	}
	if err := k.addTheory(p, key, c); err != nil {
		return nil, err
	}
	p.Y.Min, p.Y.Max = 0, min(1.03, 1.05*slices.Max(c.high)+0.01)
	parameters := fmt.Sprintf("%s attention, %s values, d = %d, %d trajectories a cell, depth %d, tolerance %g",
		k.Attention, k.Law, k.Dim, k.Trajectories, k.Depth, k.Tolerance) + interaction.Text(k.Interaction)
	seed, _ := table.Schema.Value(data.KeySeed)
	text := figure.RunCaption("tokens", parameters, seed) + figure.NotDrawn("N", numbers, drawn)
	return &figure.Figure{Width: 760, Height: 430, Paint: func(canvas draw.Canvas) {
		canvas = figure.Caption(canvas, text)
		key.DrawBeside(p, draw.Crop(canvas, 8, -8, 0, -8))
	}}, nil
}

// series are the points of one number of tokens, in the order of β, with intervals and
// as x and y.
func (c *tokensCells) series(n int32) (points *figure.Intervals, xy [2][]float64) {
	var at []int
	for k := range c.beta {
		if c.tokens[k] == n {
			at = append(at, k)
		}
	}
	slices.SortFunc(at, func(a, b int) int {
		if c.beta[a] < c.beta[b] {
			return -1
		}
		return 1
	})
	points = &figure.Intervals{}
	for _, k := range at {
		points.Add(c.beta[k], c.estimate[k], c.low[k], c.high[k])
		xy[0], xy[1] = append(xy[0], c.beta[k]), append(xy[1], c.estimate[k])
	}
	return points, xy
}

// addTheory adds the limit's line of two tokens, if they are there and B is the
// identity.
func (k *Tokens) addTheory(p *plot.Plot, key *figure.Key, c *tokensCells) error {
	if k.Interaction != interaction.Identity || !slices.Contains(c.tokens, 2) || len(k.Beta) < 2 {
		return nil
	}
	x, y := figure.Trace(func(beta float64) float64 {
		d, err := overlap.New(int(k.Dim), beta, overlap.Softmax, 1) // the same for both attentions
		if err != nil {
			return math.NaN()
		}
		return theory.LimitProbability(d)
	}, slices.Min(c.beta), slices.Max(c.beta), theory.LineWidth)
	line, err := figure.AddLine(p, x, y, draw.LineStyle{Color: figure.SeriesColors[0], Width: 1.4, Dashes: []vg.Length{1.5, 2.5}})
	if err == nil {
		key.Add("N = 2, limit", line)
	}
	return err
}
