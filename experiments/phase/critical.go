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
//
// With unnormalized attention, whose clock is faster, the growth rate divided by the clock is nearly linear
// in t. The values of β are then equidistant, because the clock changes most near t = 1. The growth rate is
// simulated near its zero twice, because the first simulation may be far from a zero near the end of the
// range.
const (
	growthTime    = 10.   // length of a trajectory in units of time
	largestGrowth = 64    // largest dimension for which the growth rate is simulated
	largestSquare = 0.99  // largest t
	leastWindow   = 0.06  // least half-width in t of the second simulation, which gives a slope
	mostWindow    = 0.2   // greatest half-width in t, over which the growth rate is nearly linear
	normal95      = 1.960 // half of a 95 % interval, in standard errors

	largestBeta = 3.   // largest β with unnormalized attention
	betaWindow  = 0.25 // half-width in β of the later simulations with unnormalized attention
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
// critical β or an end of its interval is beyond the simulated range.
func (p *Experiment) critical(ctx context.Context, options run.Options, dim int) (critical, error) {
	first, second := max(4, min(64, p.Trajectories/64)), max(16, min(512, p.Trajectories/16))
	at, err := p.zero(ctx, options, dim, p.wholeRange(), first)
	for range p.refinements() {
		if err != nil || !(at.t > -0.2 && at.t < 1) {
			return noCritical, err
		}
		at, err = p.zero(ctx, options, dim, p.near(at), second)
	}
	if err != nil || !(at.high >= 0 && at.high < 1) {
		return noCritical, err
	}
	return critical{betaOf(at.t), betaOf(at.low), betaOf(at.high)}, nil
}

// refinements returns the number of simulations near the zero of the growth rate.
func (p *Experiment) refinements() int {
	if p.Attention == sde.Unnormalized {
		return 2
	}
	return 1
}

// wholeRange returns the values of t of the first simulation.
func (p *Experiment) wholeRange() []float64 {
	if p.Attention == sde.Unnormalized {
		return lists.Map(spread(0, largestBeta, 10), squareOf)
	}
	return spread(0, largestSquare, 10)
}

// near returns values of t around a zero of the growth rate.
func (p *Experiment) near(at zero) []float64 {
	if p.Attention == sde.Unnormalized {
		from := max(0, min(largestBeta-2*betaWindow, betaOf(at.t)-betaWindow))
		return lists.Map(spread(from, from+2*betaWindow, 5), squareOf)
	}
	half := max(leastWindow, min(mostWindow, 1.5*(at.high-at.low)))
	width := float64(2 * half)
	from := max(0, min(largestSquare-width, at.t-half))
	return spread(from, from+width, 5)
}

// zero is an estimate of the t at which the growth rate is 0, with the ends of its 95 % interval.
type zero struct{ t, low, high float64 }

// zero estimates the zero of the growth rate from the given number of trajectories for each t.
func (p *Experiment) zero(
	ctx context.Context, options run.Options, dim int, t []float64, trajectories int64,
) (at zero, err error) {
	g, err := p.growths(ctx, options, dim, t, trajectories)
	if err == nil {
		at.t, at.low, at.high = g.line().root()
	}
	return at, err
}

// squareOf returns t = tanh²β, with the same bits on every machine.
func squareOf(beta float64) float64 {
	root := -elementary.Expm1(-2*beta) / (1 + elementary.Exp(-2*beta))
	return root * root
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

// growths holds mean growth rates of the displacement of two tokens from opposite positions, for several t =
// tanh²β. A growth rate is per unit of time and divided by the clock. The variance of the mean growth rate of
// a t is variance/clock, where the field variance is nearly equal for all t.
type growths struct {
	t, clock, mean []float64
	variance       float64
}

// clock returns the rate of the clock at a given t = tanh²β, in units of the clock of softmax attention. The
// weights of unnormalized attention are cosh β = (1-t)^-½ times those of softmax, so that at infinite depth
// the clock is 1/(1-t) times as fast. In a layer with much noise, the growth of a displacement no longer
// increases with the noise σ²/(1-t)/L per coordinate. With the number 1.5, the quotient of growth rate and
// clock is nearly linear in t for Gaussian matrices at all depths from 5 to 1000.
func (p *Experiment) clock(dim int, t float64) float64 {
	if p.Attention != sde.Unnormalized {
		return 1
	}
	noise := p.Sigma * p.Sigma * p.Covariance.OrGinibre().A / float64(p.Depth)
	return 1 / (1 - t + float64(1.5*float64(dim)*noise))
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
		clock := p.clock(dim, t[k])
		g.t, g.clock, g.mean = append(g.t, t[k]), append(g.clock, clock), append(g.mean, sum/n/clock)
		g.variance += (squares[k] - sum*sum/n) / (n - 1) / n / float64(len(t)) / clock
	}
	return g, nil
}

// line is a least squares line, height + slope (t - middle), through growth rates, which are weighted by the
// inverses of their variances. The estimates of height and slope are independent, and their variances are
// heightVariance and slopeVariance.
type line struct{ middle, height, slope, heightVariance, slopeVariance float64 }

func (g growths) line() (l line) {
	n, squares := 0., 0.
	for _, weight := range g.clock {
		n += weight
	}
	for k, weight := range g.clock {
		l.middle += weight * g.t[k] / n
		l.height += weight * g.mean[k] / n
	}
	for k, weight := range g.clock {
		squares += float64(weight * (g.t[k] - l.middle) * (g.t[k] - l.middle))
		l.slope += float64(weight * (g.t[k] - l.middle) * g.mean[k])
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
