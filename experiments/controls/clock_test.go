package controls

import (
	"math"
	"math/rand/v2"
	"testing"

	"antipode/internal/longtest"
	"antipode/overlap"
	"antipode/sde"
	"antipode/sphere"
	"antipode/sphere/must"
)

// theory is a one-dimensional diffusion that is claimed to be the limit of the overlap.
type theory struct {
	drift, variance func(z float64) float64
}

// limit returns the diffusion that package overlap has for a cell.
func limit(t *testing.T, c sde.Cell) theory {
	t.Helper()
	attention := overlap.Softmax
	if c.Attention == sde.Unnormalized {
		attention = overlap.Unnormalized
	}
	d := must.Get(overlap.New(c.Dim, c.Beta, attention, c.Model.(sde.Transformer).Sigma))(t)
	return theory{d.Drift, d.Variance}
}

// wrongTheories are theories with a defect, by name. The dimension appears in the drift as d-2 only and not
// at all in the variance, so that a theory with d-1 for d-2 is that of the next dimension.
var wrongTheories = []struct {
	name string
	mean bool // whether the defect is in the drift; otherwise it is in the variance
	of   func(t *testing.T, c sde.Cell) theory
}{
	{"drift with d-1 for d-2", true, func(t *testing.T, c sde.Cell) theory {
		c.Dim++
		return limit(t, c)
	}},
	{"drift with its sign flipped", true, func(t *testing.T, c sde.Cell) theory {
		right := limit(t, c)
		return theory{func(z float64) float64 { return -right.drift(z) }, right.variance}
	}},
	{"diffusion without √2, as in (21)", false, func(t *testing.T, c sde.Cell) theory {
		right := limit(t, c)
		return theory{right.drift, func(z float64) float64 { return right.variance(z) / 2 }}
	}},
}

// clockDepth is so large that one layer is an infinitesimal step: see stepMoments.against.
const clockDepth = 1 << 26

// clockCells returns the cells in which one step is compared with the limit: two tokens at overlaps across
// (-1, 1), in several dimensions, with both kinds of attention.
func clockCells() []sde.Cell {
	var cells []sde.Cell
	for _, attention := range []sde.Attention{sde.Softmax, sde.Unnormalized} {
		for _, c := range []struct {
			dim  int
			beta float64
		}{{2, 1}, {3, 0.7}, {5, 1.5}} {
			for _, z := range []float64{-0.95, -0.7, -0.35, 0, 0.35, 0.7, 0.95} {
				cell := transformer(2, c.dim, c.beta, attention, clockDepth)
				cell.Start = sde.PairStart{Overlap: z}
				cells = append(cells, cell)
			}
		}
	}
	return cells
}

const clockDraws = 4000

// against compares the mean and the variance of one step of Z from given overlaps with the drift and the
// variance of a theory, and returns the p-values of both comparisons.
//
// In powers of L^{-1/2} the new overlap is z + ℓ₁L^{-1/2} + ℓ₂/L + ..., where terms of odd order are odd in
// V. A step by V and one by -V separate them. Half the sum of the two changes is ℓ₂/L: its mean is the drift,
// and its standard deviation is of the same size. Half the difference is ℓ₁L^{-1/2}: for Gaussian V it is
// normal, with the variance of the theory. The next terms are smaller by a factor of |VA|²/L, here 10^-5 or
// less; the rounding of an overlap contributes 10^-16·L = 10^-8. Both are far below the relative standard
// error of about 1/63.
//
// Each cell gives a score of the mean (Student's, of 4000 draws) and a score of the variance (χ² with 4000
// degrees of freedom). The sum of 42 squared scores is 42 ± 9 for right code and raises an alarm from 101 on.
// A defect adds the squares of the amounts by which it shifts the scores. In the variance that is
// 42·(0.1025)²·2000 = 880 for a σ that is 5 % off, and 42·2000 for the √2. In the mean it is 247 for that σ,
// 9.8·10³ for d-1 and 9.4·10⁴ for the sign. As the sum has a standard deviation of 2√880 = 59 or 2√247 = 31,
// the power is 1-10^-40 or 1-10^-8 for σ, and more for the others.
func (m stepMoments) against(
	t *testing.T, claim func(*testing.T, sde.Cell) theory,
) (mean, variance float64) {
	t.Helper()
	var means, variances []float64
	for k, c := range clockCells() {
		z := c.Start.(sde.PairStart).Overlap
		claimed := claim(t, c)
		deviation := math.Sqrt((m[k].evenSquare - m[k].even*m[k].even) / clockDraws)
		means = append(means, (m[k].even-claimed.drift(z))/deviation)
		variances = append(variances, (m[k].odd/claimed.variance(z)-1)*math.Sqrt(clockDraws/2.))
	}
	return chiSquared(means), chiSquared(variances)
}

// stepMoments has, for each of clockCells, the means of e, of e² and of L·o², where e is L times half the sum
// of the two changes of a step (by V and by -V), and o is half their difference.
type stepMoments []struct{ even, evenSquare, odd float64 }

// stepsOf draws steps from each of clockCells and returns their moments.
func stepsOf(t *testing.T, step makeStepper, seed uint64) stepMoments {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 1))
	cells := clockCells()
	moments := make(stepMoments, len(cells))
	for k, c := range cells {
		m, change := &moments[k], changes(t, step(c), c, r)
		for range clockDraws {
			plus, minus := change()
			e, o := clockDepth*(plus+minus)/2, (plus-minus)/2
			m.even += e / clockDraws
			m.evenSquare += e * e / clockDraws
			m.odd += clockDepth * o * o / clockDraws
		}
	}
	return moments
}

// changes returns a function that draws an increment and returns how one step changes the overlap of two
// tokens, by this increment and by its negative.
func changes(t *testing.T, stepper sde.Stepper, c sde.Cell, r *rand.Rand) func() (plus, minus float64) {
	d := c.Dim
	start, x := make([]float64, 2*d), make([]float64, 2*d)
	increment := make([]float64, stepper.IncrementLen())
	step := func() float64 {
		copy(x, start)
		must.Do(t, stepper.Step(x, increment))
		return sphere.Dot(x[:d], x[d:]) - sphere.Dot(start[:d], start[d:])
	}
	return func() (plus, minus float64) {
		must.Do(t, c.Start.Fill(start, d, 0, r.NormFloat64))
		gaussians(increment, r)
		plus = step()
		for k := range increment {
			increment[k] = -increment[k]
		}
		return plus, step()
	}
}

const (
	meanOfAStep     = "one-step mean against the drift"
	varianceOfAStep = "one-step variance against the theory's"
)

func TestOneStepAgainstDriftAndVariance(t *testing.T) {
	longtest.Only(t)
	notShort(t)
	steps := stepsOf(t, sde.NewStepper, 32)
	mean, variance := steps.against(t, limit)
	mustPass(t, meanOfAStep, mean)
	mustPass(t, varianceOfAStep, variance)
	for _, defect := range wrongSteppers {
		mean, variance := stepsOf(t, defect.make, 32).against(t, limit)
		mustDetect(t, defect.name, meanOfAStep, mean)
		mustDetect(t, defect.name, varianceOfAStep, variance)
	}
	for _, defect := range wrongTheories {
		mean, variance := steps.against(t, defect.of)
		if defect.mean {
			mustDetect(t, defect.name, meanOfAStep, mean)
		} else {
			mustDetect(t, defect.name, varianceOfAStep, variance)
		}
	}
}

// engineStep returns the p-value of the comparison of the variance for steps and increments of the engine
// itself, which stepsOf does not use. The square of a change of the overlap times L has the variance as its
// mean, up to drift²/L.
func engineStep(t *testing.T, change func(c *sde.Cell)) float64 {
	t.Helper()
	type row struct{ start, change float64 }
	cells := clockCells()
	for i := range cells {
		change(&cells[i])
	}
	sums := make([]float64, len(cells))
	ensemble := &sde.Ensemble[row]{
		Cells: cells, Trajectories: clockDraws, Layers: 1, Seed: 33, Times: []int64{0, 1},
		Observer: func(cell int) func(*row, *sde.View) {
			d := cells[cell].Dim
			return func(r *row, v *sde.View) {
				x := v.Tokens()
				r.start, r.change = sphere.Dot(x[:d], x[d:]), sphere.Dot(x[:d], x[d:])-r.start
			}
		},
		Reduce: func(cell int, _ int64, r row) error {
			sums[cell] += clockDepth * r.change * r.change / clockDraws
			return nil
		},
	}
	must.Do(t, ensemble.Run(t.Context()))
	var scores []float64
	for i, c := range clockCells() {
		ratio := sums[i] / limit(t, c).variance(c.Start.(sde.PairStart).Overlap)
		scores = append(scores, (ratio-1)*math.Sqrt(clockDraws/2.))
	}
	return chiSquared(scores)
}

// The increments that the engine draws have the right size. The false-alarm rate and the power are those of
// stepMoments.against.
func TestEngineStepAgainstVariance(t *testing.T) {
	notShort(t)
	const detector = "one-step variance of the engine"
	mustPass(t, detector, engineStep(t, func(*sde.Cell) {}))
	mustDetect(t, "σ 5 % too large", detector,
		engineStep(t, func(c *sde.Cell) { c.Model = sde.Transformer{Sigma: 1.05} }))
	mustDetect(t, "σ 5 % too small", detector,
		engineStep(t, func(c *sde.Cell) { c.Model = sde.Transformer{Sigma: 0.95} }))
}
