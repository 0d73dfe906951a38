package threetokens

import (
	"errors"
	"fmt"
	"math"

	"antipode/overlap"
	"antipode/sphere/elementary"
)

// A Law contains the probabilities of the outcomes of three tokens at one time. Single is the probability
// that all three overlaps are at least 1-τ, for the tolerance τ. TwoAgainstOne is the probability that one
// overlap is at least 1-τ and the other two overlaps are at most -1+τ. SingleBasin is the probability that
// all overlaps are positive; TwoAgainstOneBasin is the probability that one overlap is positive and the other
// two overlaps are negative. The errors of a Law are estimates, and +Inf if no grid was fine enough.
type Law struct {
	Time                            float64 // in units of time
	Single, TwoAgainstOne           overlap.Probability
	SingleBasin, TwoAgainstOneBasin overlap.Probability
	kink, kinkBasin                 float64 // of TwoAgainstOne and TwoAgainstOneBasin; 0 in a result
}

// Limits of the arguments dim, beta, tolerance and times of Uniform.
const (
	LargestDim     = 200
	LargestBeta    = 20
	LeastTolerance = 1e-9
	GreatestTime   = 1e15
)

// Uniform returns the laws of three tokens at increasing times. The tokens start independent and uniform on
// the unit sphere of R^dim; the entries of value matrices have standard deviation sigma. The argument
// tolerance is the tolerance of the outcomes. The argument accuracy is the requested error of a probability.
// Uniform uses at most five grids, and each probability of a Law has the estimated error that was reached.
// Uniform uses all processors of Go (GOMAXPROCS) and up to two gigabytes of memory. Uniform returns an error
// if dim is not from 2 to LargestDim, if beta is not from 0 to LargestBeta, or if sigma is not positive and
// finite. Uniform returns an error if σ², or e^(2β) σ² for unnormalized attention, exceeds about 1e287, near
// the end of float64. Uniform returns an error if tolerance is not from LeastTolerance to 0.5, or if
// accuracy is not from 1e-6 to 0.1. Times must be positive, increasing and at most GreatestTime.
func Uniform(
	dim int, beta float64, attention overlap.Attention, sigma float64,
	times []float64, tolerance, accuracy float64,
) ([]Law, error) {
	if err := check(dim, beta, attention, sigma, times, tolerance, accuracy); err != nil {
		return nil, err
	}
	t := tokens{dim, beta, attention, sigma}
	return t.refine(times, tolerance, accuracy, mostWork), nil
}

// refine returns the laws on the coarsest grid whose estimated errors are at most accuracy. If no grid up to
// the greatest work is fine enough, refine returns the laws on the finest grid.
func (t tokens) refine(times []float64, tolerance, accuracy, greatest float64) []Law {
	dim, beta := t.dim, t.beta
	var coarse []Law
	moved := make([][]float64, len(times)) // distance of the law on each grid from that on the previous grid
	height := floor
	for level := range grids {
		g := newGrid(t, resolutionOf(dim, beta, level, tolerance), height(beta, level))
		if level > 1 && g.work(times) > greatest {
			break
		}
		fine := g.laws(times, tolerance)
		if math.IsNaN(fine[0].Single.Value) {
			if level > 1 {
				break
			}
			height = stable
			g = newGrid(t, g.resolution, height(beta, level))
			fine = g.laws(times, tolerance)
		}

		worst, common := 0.0, g.unresolved(tolerance)
		for i := range fine {
			if coarse != nil {
				moved[i] = append(moved[i], distance(&fine[i], &coarse[i]))
			}
			failure := estimate(moved[i]) + common
			for _, p := range fine[i].all() {
				p.Error = failure
			}
			worst = max(worst, failure)
		}
		coarse = fine
		// In high dimension, grids after the second have no more nodes of x.
		if worst <= accuracy || level > 2 && common > accuracy {
			break
		}
	}
	for i := range coarse {
		coarse[i].integrateKinks()
	}
	return coarse
}

// integrateKinks adds the changes kink and kinkBasin to their probabilities where the estimated error might
// not cover them: where they exceed four fifths of it. Other probabilities stay as earlier versions computed
// them.
func (l *Law) integrateKinks() {
	for p, change := range map[*overlap.Probability]float64{
		&l.TwoAgainstOne: l.kink, &l.TwoAgainstOneBasin: l.kinkBasin,
	} {
		if math.Abs(change) > 0.8*p.Error {
			p.Value += change
		}
	}
	l.kink, l.kinkBasin = 0, 0
}

const (
	// grids is the greatest number of grids that Uniform uses.
	grids = 5
	// mostWork bounds the work of the third and of finer grids: with 1.2e10 the law of three tokens takes up
	// to ten seconds.
	mostWork = 1.2e10
)

func check(
	dim int, beta float64, attention overlap.Attention, sigma float64,
	times []float64, tolerance, accuracy float64,
) error {
	if _, err := overlap.New(dim, beta, attention, sigma); err != nil {
		return err
	}
	switch {
	case dim > LargestDim:
		return fmt.Errorf("threetokens: dimension %d is not allowed: it must be at most %d", dim, LargestDim)
	case beta > LargestBeta:
		return fmt.Errorf("threetokens: beta %v is not allowed: it must be at most %d", beta, LargestBeta)
	case !(tolerance >= LeastTolerance && tolerance <= 0.5):
		return fmt.Errorf("threetokens: tolerance %v is not allowed: it must be from %v to 0.5",
			tolerance, LeastTolerance)
	case !(accuracy >= 1e-6 && accuracy <= 0.1):
		return fmt.Errorf("threetokens: accuracy %v is not allowed: it must be from 1e-6 to 0.1", accuracy)
	case !((&tokens{dim, beta, attention, sigma}).clock() > 1e-290):
		return fmt.Errorf("threetokens: times are not available: "+
			"the variance per unit of time at sigma %v is beyond float64", sigma)
	case len(times) == 0:
		return errors.New("threetokens: no time is given")
	}
	before := 0.0
	for _, time := range times {
		if !(time > before && time <= GreatestTime) {
			return fmt.Errorf("threetokens: time %v is not allowed: "+
				"times must be positive, increasing and at most %v", time, GreatestTime)
		}
		before = time
	}
	return nil
}

// resolutionOf returns the resolution of the grid of a level. The ranges of q and y extend so far beyond the
// tolerance that the probability to return from the ends of the ranges is small. In low dimension x is often
// near 1, where two tokens may be opposite. In high dimension x is rarely near 1, and tokens that come close
// merge at once, so eight nodes of x are enough up to 50 dimensions. At given q and y, the density of
// uniform tokens varies with x on the scale 1/√dim, and more nodes resolve it in more dimensions.
func resolutionOf(dim int, beta float64, level int, tolerance float64) resolution {
	step, within := float64(level), elementary.Log(2/tolerance)
	back := 10 / float64(dim-1)
	r := resolution{
		closeness: 20 + 4*level,
		across:    6 + level,
		width:     0.15 * math.Pow(1.25, -step) / math.Sqrt(1+float64(dim)/60),
		length:    within + max(7, back) + float64(2.5*step),
		top:       float64(0.5*within) + max(1, back) + float64(step*min(1, 0.3*back)),
		steps:     9 + level,
	}
	switch {
	case dim == 2: // in two dimensions the states of a grid are few
		r.closeness, r.width = 24+12*level, 0.15*math.Pow(1.5, -step)
	case dim <= 8:
		r.closeness, r.across, r.width = 16+3*level, 7+2*level, 0.12*math.Pow(1.3, -step)
	case narrow(dim):
		r.closeness, r.across = 22+4*level, min(8, 7+level)+(dim-1)/50
		r.length = within + 4.4 + float64(0.4*step)
		r.width *= 1.25
	}
	r.width *= 1 + shareOf(beta)
	return r
}

// shareOf returns the share of a height, which grows with β: if ε is far below bend, a greater share keeps
// the cells of the grid narrow beyond bend.
func shareOf(beta float64) float64 { return min(4, max(0, beta-2)) }

// floor returns the height of the grid of a level, whose ε is of the order e^(-2β), as is the r = cot(ω/2) by
// which two merged tokens and a third token leave overlap -1.
func floor(beta float64, level int) height {
	epsilon := min(0.1, max(elementary.Exp(-2*beta), 1e-6)) * math.Pow(1.3, float64(1-level))
	return height{epsilon, shareOf(beta)}
}

// stable returns the height of the grid of a level with an ε not below 1e-4, for which the scheme is always
// stable. With a smaller ε the scheme may be unstable, as two tokens that have not merged move the third
// token by many times r. With an ε above e^(-2β), two tokens opposite to a third token leave overlap -1 too
// soon, which matters at times of the order of the lifetime of two tokens against one.
func stable(beta float64, level int) height {
	h := floor(beta, level)
	h.epsilon = max(h.epsilon, 1e-4)
	return h
}

// laws returns the laws of three tokens computed on the grid, without error estimates, or with NaN if the
// grid is too coarse. The errors of probabilities may move them out of [0, 1].
func (g *grid) laws(times []float64, tolerance float64) []Law {
	masses := g.evolve(times)
	all := make([]Law, len(times))
	for i, time := range times {
		all[i].Time = time
		if masses == nil {
			for _, p := range all[i].all() {
				p.Value = math.NaN()
			}
			continue
		}
		all[i] = g.law(masses[i], tolerance)
		all[i].Time = time
	}
	return all
}

// law returns the law of given masses of the states, without a time and without error estimates.
func (g *grid) law(mass []float64, tolerance float64) (l Law) {
	l.Single.Value, l.TwoAgainstOne.Value = g.outcomes(mass, tolerance)
	l.SingleBasin.Value, l.TwoAgainstOneBasin.Value = g.outcomes(mass, 1)
	l.kink, l.kinkBasin = g.kink(mass, tolerance), g.kink(mass, 1)
	return l
}

// unresolved returns the greatest change of a probability at the start by more nodes of x. In high dimension
// few nodes of x are affordable, so that all grids may have nearly the same error.
func (g *grid) unresolved(tolerance float64) float64 {
	if !narrow(g.dim) {
		return 0
	}
	n := g.resolution
	n.across += 4
	more := newGrid(g.tokens, n, g.height)
	a, b := g.law(g.start(), tolerance), more.law(more.start(), tolerance)
	return distance(&a, &b)
}

func (l *Law) all() []*overlap.Probability {
	return []*overlap.Probability{&l.Single, &l.TwoAgainstOne, &l.SingleBasin, &l.TwoAgainstOneBasin}
}

// estimate returns the estimated error of the law on the finest of some grids, given the distance moved of
// the law on each grid from the law on the grid before. The estimated error is twice the sum of the changes
// by all finer grids, if changes fall by a constant factor. The constant factor is the ratio of the last two
// distances, but at least a third and at most three fifths; for a single distance the factor is three fifths.
// As two grids may agree by chance, the geometric mean of the last two distances replaces the last distance
// if it is greater. For a single distance, the typical error of the first grid takes the place of the
// distance before.
func estimate(moved []float64) float64 {
	const rounding, reserve, most, first = 1e-8, 2, 0.6, 3e-4
	last := len(moved) - 1
	if last < 0 || math.IsInf(moved[last], 1) {
		return math.Inf(1)
	}
	ratio, change, before := most, moved[last], first
	if last > 0 {
		before = min(moved[last-1], 1)
		if before > 0 {
			ratio = min(most, max(1.0/3, change/before))
		}
	}
	change = max(change, math.Sqrt(change*before))
	return rounding + float64(reserve*change*ratio/(1-ratio))
}

// distance returns the greatest difference of the four probabilities of two laws, or +Inf if a probability is
// NaN. The greatest difference stands for all four probabilities, as two grids may agree in one probability
// by chance.
func distance(a, b *Law) (worst float64) {
	for k, p := range a.all() {
		difference := math.Abs(p.Value - b.all()[k].Value)
		if math.IsNaN(difference) {
			return math.Inf(1)
		}
		worst = max(worst, difference)
	}
	return worst
}
