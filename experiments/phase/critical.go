package phase

import (
	"context"
	"math"

	"antipode/experiments/run"
	"antipode/internal/lists"
	"antipode/sde"
	"antipode/sphere/elementary"
)

// critical is an estimate of the critical β above which two opposite tokens attract each other, with a 95 %
// confidence interval. The estimate uses simulation alone. The fields of a critical are either all null or
// all not null.
type critical struct{ Beta, Low, High float64 }

var noCritical = critical{math.NaN(), math.NaN(), math.NaN()}

// The growth rate of a displacement of two tokens from opposite positions changes its sign at the critical β.
// The growth rate is simulated first for β over the whole range, and then for β near the zero of the growth
// rate. The values of β are equidistant in t = tanh²β, because the growth rate is nearly linear in t. With
// softmax attention and infinite depth, the growth rate is exactly (d-3)/2 - t (d-1)/2 in dimension d.
const (
	growthTime    = 10.   // length of a trajectory in units of time
	largestGrowth = 64    // largest dimension for which the growth rate is simulated
	largestSquare = 0.99  // largest t
	leastWindow   = 0.06  // least half-width in t of the second simulation, which gives a slope
	mostWindow    = 0.2   // greatest half-width in t, over which the growth rate is nearly linear
	normal95      = 1.960 // half of a 95 % interval, in standard errors
)

// criticals holds the estimates of the critical β of a run, by dimension. The estimate of a dimension is
// computed when the first row of that dimension is written.
type criticals struct {
	p       *Experiment
	ctx     context.Context
	options run.Options
	known   map[int]critical
}

// of returns the estimate of the critical β in a dimension. The estimate is null if the growth rate is not
// simulated.
func (c *criticals) of(dim int) (at critical, err error) {
	at, known := c.known[dim]
	if !known {
		at = noCritical
		if dim <= largestGrowth && c.p.Interaction.Identity() && c.p.beside().None() {
			at, err = c.p.critical(c.ctx, c.options, dim)
		}
		c.known[dim] = at
	}
	return at, err
}

// critical estimates the critical β in a dimension. The estimate is null if there is no critical β, or if the
// critical β is too close to an end of the simulated range.
func (p *Experiment) critical(ctx context.Context, options run.Options, dim int) (critical, error) {
	first, err := p.growths(ctx, options, dim, spread(0, largestSquare, 10),
		max(4, min(64, p.Trajectories/64)))
	if err != nil {
		return noCritical, err
	}
	zero := first.line()
	t, low, high := zero.root()
	if !(t > -0.2 && t < 1) {
		return noCritical, nil
	}
	half := max(leastWindow, min(mostWindow, 1.5*(high-low)))
	width := float64(2 * half)
	from := max(0, min(largestSquare-width, t-half))
	second, err := p.growths(ctx, options, dim, spread(from, from+width, 5),
		max(16, min(512, p.Trajectories/16)))
	if err != nil {
		return noCritical, err
	}
	zero = second.line()
	t, low, high = zero.root()
	if !(t < 1 && high >= 0 && low < 1) {
		return noCritical, nil
	}
	return critical{betaOf(t), betaOf(low), betaOf(high)}, nil
}

// betaOf returns β = artanh √t, where t is first restricted to [0, 1]. The logarithm in betaOf gives the same
// bits on every machine, because a cell whose β differs in its last bit has other random numbers. Because
// fused operations give other bits, no product in this file is fused with a sum.
func betaOf(t float64) float64 {
	root := math.Sqrt(max(0, min(1, t)))
	return 0.5 * elementary.Log1p(2*root/(1-root))
}

// spread returns count equidistant numbers from low to high.
func spread(low, high float64, count int) (values []float64) {
	return lists.Of(count, func(k int) float64 {
		return low + float64((high-low)*float64(k)/float64(count-1))
	})
}

// growths holds mean growth rates, per unit of time, of the displacement of two tokens from opposite
// positions, for several t = tanh²β. The field variance is the variance of one of these mean rates, which is
// nearly equal for all t.
type growths struct {
	t, mean  []float64
	variance float64
}

// growths simulates the given number of trajectories for each t = tanh²β and measures their growth rates.
func (p *Experiment) growths(
	ctx context.Context, options run.Options, dim int, t []float64, trajectories int64,
) (g growths, err error) {
	e := &sde.Ensemble[float64]{Trajectories: trajectories, Layers: int64(growthTime) * p.Depth,
		Seed: options.Seed, Workers: options.Workers}
	for _, at := range t {
		c := p.cell(dim, betaOf(at))
		c.Method, c.Tangent, c.Start = sde.Tokens, true, sde.OppositeStart{First: 1, Second: 1}
		e.Cells = append(e.Cells, c)
	}
	sums, squares := make([]float64, len(t)), make([]float64, len(t))
	e.Observer = func(int) func(*float64, *sde.View) {
		return func(row *float64, v *sde.View) { _, *row = v.Growth() }
	}
	e.Reduce = func(cell int, _ int64, growth float64) error {
		sums[cell] += growth / growthTime
		squares[cell] += growth / growthTime * growth / growthTime
		return nil
	}
	if err := e.Run(ctx); err != nil {
		return g, err
	}
	n := float64(trajectories)
	for k, sum := range sums {
		g.t, g.mean = append(g.t, t[k]), append(g.mean, sum/n)
		g.variance += (squares[k] - sum*sum/n) / (n - 1) / n / float64(len(t))
	}
	return g, nil
}

// line is a least squares line, height + slope (t - middle), through growth rates. The estimates of height
// and slope are independent, and their variances are heightVariance and slopeVariance.
type line struct{ middle, height, slope, heightVariance, slopeVariance float64 }

func (g growths) line() (l line) {
	n, squares := float64(len(g.t)), 0.
	for k, t := range g.t {
		l.middle += t / n
		l.height += g.mean[k] / n
	}
	for k, t := range g.t {
		squares += float64((t - l.middle) * (t - l.middle))
		l.slope += float64((t - l.middle) * g.mean[k])
	}
	l.slope /= squares
	l.heightVariance, l.slopeVariance = g.variance/n, g.variance/squares
	return l
}

// root returns the zero of a least squares line with the 95 % confidence interval of Fieller (1954). The
// interval consists of all t at which 0 is within 1.96 standard errors of the line. The zero is NaN unless
// the line decreases significantly.
func (l line) root() (t, low, high float64) {
	a := float64(l.slope*l.slope) - float64(normal95*normal95*l.slopeVariance)
	if l.slope >= 0 || a <= 0 {
		return math.NaN(), math.NaN(), math.NaN()
	}
	b, c := float64(l.height*l.slope), float64(l.height*l.height)-float64(normal95*normal95*l.heightVariance)
	half := math.Sqrt(max(0, float64(b*b)-float64(a*c))) / a
	return l.middle - l.height/l.slope, l.middle - b/a - half, l.middle - b/a + half
}
