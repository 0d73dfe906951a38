package threetokens

import (
	"errors"
	"fmt"
	"math"

	"antipode/overlap"
	"antipode/sphere/elementary"
)

// A Law contains the probabilities of the outcomes of three tokens at one time. In Single all overlaps
// are ≥ 1-τ for the tolerance τ; in TwoAgainstOne one is, and the other two are ≤ -1+τ. For the basins,
// overlaps need only be positive or negative. Errors are estimates, and +Inf if no grid was fine enough.
type Law struct {
	Time                            float64 // in units of time
	Single, TwoAgainstOne           overlap.Probability
	SingleBasin, TwoAgainstOneBasin overlap.Probability
}

// Limits of the arguments of Uniform.
const (
	LargestDim     = 200
	LargestBeta    = 20
	LeastTolerance = 1e-9
	GreatestTime   = 1e15
)

// Uniform returns the laws, at increasing times, of three tokens that start independent and uniform on
// the unit sphere of R^dim, under softmax or unnormalized attention and value matrices of standard
// deviation sigma. Tolerance is that of the outcomes, and accuracy is the requested error of a
// probability. At most five grids are used, and each probability reports its actual error. It is an error
// if dim is not from 2 to LargestDim, beta not from 0 to LargestBeta, tolerance not from LeastTolerance
// to 0.5, accuracy not from 1e-6 to 0.1, sigma not positive and finite, or a time not positive,
// increasing and at most GreatestTime.
func Uniform(
	dim int, beta float64, attention overlap.Attention, sigma float64,
	times []float64, tolerance, accuracy float64,
) ([]Law, error) {
	if err := check(dim, beta, attention, sigma, times, tolerance, accuracy); err != nil {
		return nil, err
	}
	t := tokens{dim, beta, attention, sigma}
	var coarse []Law
	moved := make([][]float64, len(times)) // distance of the law on each grid from that on the previous grid
	height := floor
	for level := range grids {
		g := newGrid(t, resolutionOf(dim, level, tolerance), height(beta, level))
		if size := float64(g.size()); coarse != nil && float64(g.rows)*size*size*size > mostWork {
			break
		}
		fine := g.laws(times, tolerance)
		if math.IsNaN(fine[0].Single.Value) {
			if level > 1 {
				break
			}
			height = stable
			fine = newGrid(t, g.resolution, height(beta, level)).laws(times, tolerance)
		}
		worst := 0.0
		for i := range fine {
			if coarse != nil {
				moved[i] = append(moved[i], distance(&fine[i], &coarse[i]))
			}
			failure := estimate(moved[i])
			for _, p := range fine[i].all() {
				p.Error = failure
			}
			worst = max(worst, failure)
		}
		coarse = fine
		if worst <= accuracy {
			break
		}
	}
	return coarse, nil
}

const (
	// grids is the greatest number of grids.
	grids = 5
	// mostWork limits the number of rows of a grid times the cube of the number of states in a row. A
	// change of the step length takes a time proportional to this product; with 1e9 a law takes up to ten
	// seconds.
	mostWork = 1e9
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

// resolutionOf returns the resolution of a level. The ranges extend beyond the tolerance until the
// probability to return from there is small.
func resolutionOf(dim, level int, tolerance float64) resolution {
	finer := math.Pow(1.25, float64(level))
	within := elementary.Log(2 / tolerance)
	back := 10 / float64(dim-1)
	r := resolution{
		closeness: 14 + 3*level + min(4, dim/8),
		across:    5 + level,
		width:     0.3 / math.Sqrt(1+float64(dim)/20) / finer,
		length:    within + max(6, back) + 2*float64(level),
		top:       float64(0.5*within) + max(1, back) + float64(float64(level)*min(1, 0.3*back)),
		steps:     8 + 2*level,
	}
	switch {
	case dim == 2: // cells are few
		r.closeness, r.width = 18+2*level, 0.15/math.Pow(1.5, float64(level))
	case dim <= 4: // x is often close to 1
		r.across = 7 + level
	case dim >= 20: // x is rarely close to 1
		r.across = min(7, 6+level)
	}
	return r
}

// floor returns the height of a level. Two tokens opposite to one leave overlap -1 at r of order e^(-2β).
func floor(beta float64, level int) height {
	return height{min(0.1, max(elementary.Exp(-2*beta), 1e-6)) * math.Pow(1.3, float64(1-level))}
}

// stable returns a height with which the scheme is always stable. If ε is much smaller, two tokens that
// have not yet merged move the third by many times r. With the larger ε, two tokens opposite to one leave
// overlap -1 too early, which matters only at times of the order of their lifetime.
func stable(beta float64, level int) height { return height{max(floor(beta, level).epsilon, 1e-4)} }

// laws returns the laws on a grid without error estimates, or NaN if the grid is too coarse. Values may
// lie outside [0, 1] by their error.
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
		all[i].Single.Value, all[i].TwoAgainstOne.Value = g.outcomes(masses[i], tolerance)
		all[i].SingleBasin.Value, all[i].TwoAgainstOneBasin.Value = g.outcomes(masses[i], 1)
	}
	return all
}

func (l *Law) all() []*overlap.Probability {
	return []*overlap.Probability{&l.Single, &l.TwoAgainstOne, &l.SingleBasin, &l.TwoAgainstOneBasin}
}

// estimate returns the error on the finest of several grids, given the distance of each law from that on
// the previous grid. It is twice the sum of all further changes, if changes continue to fall by the same
// factor as last. The factor is limited to [½, ⅘], and assumed to be ⅔ after a single change. As two
// grids may agree by chance, the last change is replaced by its geometric mean with the one before if
// that is greater.
func estimate(moved []float64) float64 {
	const rounding, reserve = 1e-8, 2
	last := len(moved) - 1
	if last < 0 || math.IsInf(moved[last], 1) {
		return math.Inf(1)
	}
	ratio, change := 2.0/3, moved[last]
	if last > 0 {
		before := moved[last-1]
		ratio = min(0.8, max(0.5, change/before))
		change = max(change, math.Sqrt(change*min(before, 1)))
	}
	return rounding + float64(reserve*change*ratio/(1-ratio))
}

// distance returns the greatest difference of two laws, or +Inf if one is not known. As two grids may
// agree in one probability by chance, all four probabilities get the error of the worst.
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
