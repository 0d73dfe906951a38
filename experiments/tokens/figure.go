package tokens

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"antipode/data"
	"antipode/experiments/figure"
	"antipode/experiments/run"
	"antipode/experiments/setting"
	"antipode/experiments/theory"
	"antipode/experiments/wording"
	"antipode/internal/lists"
	"antipode/overlap"
)

// Draw implements run.Experiment. The figure of experiment tokens shows the probability of an antipodal pair
// of tokens against β, with a line for each of up to six numbers of tokens, and the theory of two tokens. If
// there are more than two tokens, a second panel shows how unequal the sizes of two opposite clusters are.
func (*Experiment) Draw(table *data.Table) (*figure.Figure, error) {
	k := New()
	rows, err := run.ReadRows[Row](k, table)
	if err != nil {
		return nil, err
	}
	p := figure.NewPlot(
		fmt.Sprintf("At least one antipodal pair at time %g, with 95 %% intervals", k.Horizon),
		"inverse temperature β", "P(antipodal pair)")
	key := &figure.Key{}
	numbers := figure.DistinctOf(rows, func(r Row) float64 { return float64(r.Tokens) })
	drawn := figure.Spread(numbers, len(figure.SeriesColors))
	for i, n := range drawn {
		var x, y []float64
		var points figure.Intervals
		for _, r := range series(rows, int32(n)) {
			x, y = append(x, r.Beta), append(y, r.PAntipodalPair)
			points.Add(r.Beta, r.PAntipodalPair, r.Low, r.High)
		}
		stroke := figure.SeriesStroke(i, 1)
		p.Line(x, y, stroke)
		p.Dots(i, points)
		key.Add(fmt.Sprintf("N = %g", n), stroke, figure.SeriesGlyph(i))
	}
	k.addTheory(p, key, rows)
	addThreeTokens(p, key, series(rows, 3))
	top := lists.Max(0.0, rows, func(r Row) float64 { return r.High })
	p.Y.Range(0, min(1.03, 1.05*top+0.01))
	parameters := fmt.Sprintf(
		"%s attention, %s values, d = %d, %s a cell, depth %d, tolerance %g",
		k.Attention, k.Law, k.Dim, wording.Count(k.Trajectories, "trajectory"), k.Depth, k.Tolerance) +
		setting.SigmaText(k.Sigma) +
		k.Interaction.Caption() + k.beside().Caption()
	text := run.Caption(table, parameters) + figure.NotDrawn("N", numbers, drawn)
	imbalances := k.imbalances(rows, drawn)
	if imbalances == nil {
		return figure.Single(760, 430, figure.Panel{Plot: p, Key: key}, text)
	}
	return figure.Aligned(figure.Width, 430, [][]*figure.Plot{{p, imbalances}}, key, text)
}

// imbalances plots the mean imbalance of two opposite clusters, the difference of their sizes relative to the
// number of tokens, against β. The numbers of tokens are those of drawn above two. The plot is nil if no
// number in drawn is above two.
func (k *Experiment) imbalances(rows []Row, drawn []float64) *figure.Plot {
	p := figure.NewPlot(fmt.Sprintf("Imbalance of two opposite clusters at time %g", k.Horizon),
		"inverse temperature β", "mean imbalance |n₊ - n₋| / N")
	some := false
	for i, n := range drawn {
		var x, y []float64
		var points figure.Intervals
		for _, r := range series(rows, int32(n)) {
			if n == 2 || r.Antipodal == 0 || r.Imbalance != r.Imbalance {
				continue
			}
			x, y, some = append(x, r.Beta), append(y, r.Imbalance), true
			if low, high := r.ImbalanceInterval(r.Antipodal); low == low {
				points.Add(r.Beta, r.Imbalance, low, high)
			}
		}
		p.Line(x, y, figure.SeriesStroke(i, 1))
		p.Dots(i, points)
	}
	if !some {
		return nil
	}
	p.Y.Range(0, 1)
	return p
}

// series returns the rows with the given number of tokens, in the order of β.
func series(rows []Row, tokens int32) []Row {
	series := lists.Filter(rows, func(r Row) bool { return r.Tokens == tokens })
	slices.SortFunc(series, func(a, b Row) int { return cmp.Compare(a.Beta, b.Beta) })
	return series
}

// addThreeTokens adds to a plot the theoretical probability that, of three tokens, one is opposite to the
// other two at the horizon, if the table has this probability. The simulated fraction of antipodal pairs is
// larger if two of the three tokens are antipodal but the third token has not joined a cluster yet.
func addThreeTokens(p *figure.Plot, key *figure.Key, rows []Row) {
	var x, y []float64
	known := false
	for _, r := range rows {
		x, y = append(x, r.Beta), append(y, r.ThreeTokens.Antipodal)
		known = known || r.ThreeTokens.Antipodal == r.ThreeTokens.Antipodal
	}
	if known {
		stroke := figure.Stroke{Color: figure.SeriesColors[1], Width: 1.4, Dashes: figure.Dotted}
		p.BrokenLine(x, y, stroke)
		key.Add("N = 3, theory of two against one", stroke)
	}
}

// addTheory adds to a plot the line of the antipodal probability of two tokens at infinite depth and horizon,
// if the table has two tokens and B is the identity.
func (k *Experiment) addTheory(p *figure.Plot, key *figure.Key, rows []Row) {
	pair := slices.ContainsFunc(rows, func(r Row) bool { return r.Tokens == 2 })
	if !k.Interaction.Identity() || !pair || len(k.Beta) < 2 {
		return
	}
	betas := figure.DistinctOf(rows, func(r Row) float64 { return r.Beta })
	x, y := figure.Trace(func(beta float64) float64 {
		// At infinite horizon, the antipodal probability is the same for both kinds of attention.
		d, err := overlap.New(int(k.Dim), beta, overlap.Softmax, 1)
		if err != nil {
			return math.NaN()
		}
		return theory.LimitProbability(d)
	}, betas[0], betas[len(betas)-1], theory.LineWidth)
	stroke := figure.Stroke{Color: figure.SeriesColors[0], Width: 1.4, Dashes: figure.Dotted}
	p.Line(x, y, stroke)
	key.Add("N = 2, limit", stroke)
}
