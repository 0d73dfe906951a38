package sde

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"antipode/sde/internal/steppers"
	"antipode/sphere/must"
)

// moments returns the mean and the covariance of a step of the cell from x, times L and
// up to order 1/L, without drawing: a step f(ξ) with independent ξ_k of standard
// deviation s has the mean f(0) + ½ Σ_k (f(s e_k) + f(-s e_k) - 2f(0)) and the
// covariance Σ_k δ_k δ_kᵀ, δ_k = ½ (f(s e_k) - f(-s e_k)), but for higher powers of
// 1/L. Rounding adds 2^-52 L.
func moments(t *testing.T, c Cell, stepper Stepper, x []float64) (mean []float64, covariance *mat.SymDense) {
	t.Helper()
	deviation := 1 / math.Sqrt(float64(c.Depth))
	switch m := c.Model.(type) {
	case Transformer:
		deviation = m.Sigma
	case Hybrid:
		deviation = 1
	}
	noise := make([]float64, stepper.IncrementLen())
	step := func() []float64 {
		y := slices.Clone(x)
		must.Do(t, stepper.Step(y, noise))
		floats.Sub(y, x)
		return y
	}
	depth := float64(c.Depth)
	still := step()
	mean = make([]float64, len(x))
	covariance = mat.NewSymDense(len(x), nil)
	floats.AddScaled(mean, depth, still)
	for k := range noise {
		noise[k] = deviation
		plus := step()
		noise[k] = -deviation
		minus := step()
		noise[k] = 0
		for i := range mean {
			mean[i] += depth * (plus[i] + minus[i] - 2*still[i]) / 2
		}
		floats.Sub(plus, minus)
		covariance.SymRankOne(covariance, depth/4, mat.NewVecDense(len(plus), plus))
	}
	return mean, covariance
}

// generator is the drift and the covariance of (6) or (8) at x, from the paper's
// symbols.
func generator(c Cell, x []float64) (mean []float64, covariance *mat.SymDense) {
	c.Model = c.Model.Limit()
	p := parametersOf(c.Model)
	d, n := c.Dim, c.Tokens
	field := fieldByMatrices(c, x)
	covariance = mat.NewSymDense(n*d, nil)
	projector := func(i int) *mat.Dense {
		y := mat.NewVecDense(d, x[i*d:(i+1)*d])
		p := mat.NewDense(d, d, nil)
		for k := range d {
			p.Set(k, k, 1)
		}
		p.RankOne(p, -1, y, y)
		return p
	}
	for i := range n {
		for j := range i + 1 {
			if i != j && p.noise == IndependentNoise {
				continue
			}
			var block, left, right mat.Dense
			if is[TransformerSDE](c.Model) {
				block.Mul(projector(i), projector(j))
				block.Scale(p.sigma*p.sigma*floats.Dot(field.RawRowView(i), field.RawRowView(j)), &block)
			} else {
				left.Mul(projector(i), mat.NewVecDense(d, field.RawRowView(i)))
				right.Mul(projector(j), mat.NewVecDense(d, field.RawRowView(j)))
				block.Mul(&left, right.T())
				block.Scale(p.epsilon*p.epsilon, &block)
			}
			for a := range d {
				for b := range d {
					if i != j || a >= b {
						covariance.SetSym(i*d+a, j*d+b, block.At(a, b))
					}
				}
			}
		}
	}
	return definition(c, x, 1, make([]float64, c.IncrementLen())), covariance
}

// distances are the largest differences of the moments of a stepper's step from the
// generator of a cell.
func distances(t *testing.T, c Cell, stepper Stepper, x []float64) (inMean, inCovariance float64) {
	mean, covariance := moments(t, c, stepper, x)
	wantMean, want := generator(c, x)
	var difference mat.Dense
	difference.Sub(covariance, want)
	return floats.Distance(mean, wantMean, math.Inf(1)), floats.Norm(difference.RawMatrix().Data, math.Inf(1))
}

// generatorTolerance is far above the terms of higher order at depth 2^20, about 50·2^-20, and far below the
// effect of a defect.
const (
	generatorDepth     = 1 << 20
	generatorTolerance = 1e-3
)

// The mean and covariance of one step of every scheme, and of both recursions, are those
// of the generator: exact moments, all entries, for up to five tokens in six
// dimensions, both attentions and with B.
func TestOneStepHasTheMomentsOfTheGenerator(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 1))
	for _, size := range [][2]int{{5, 6}, {1 + r.IntN(5), 1 + r.IntN(6)}, {1 + r.IntN(5), 1 + r.IntN(6)}} {
		for _, c := range limits(r, size[0], size[1]) {
			c.Depth = generatorDepth
			x := uniformTokens(r, c.Tokens, c.Dim)
			cells := []Cell{}
			limit := parametersOf(c.Model)
			for _, scheme := range c.Model.Schemes() {
				c.Model = withScheme(c.Model, scheme)
				cells = append(cells, c)
			}
			if limit.noise == CommonNoise {
				if is[TransformerSDE](c.Model) {
					c.Model = limit.of(Transformer{})
				} else {
					c.Model = limit.of(Hybrid{})
				}
				cells = append(cells, c)
			}
			for _, c := range cells {
				if m, v := distances(t, c, NewStepper(c),
					x); !(m < generatorTolerance && v < generatorTolerance) {
					t.Errorf("%s: mean off by %.2g, covariance by %.2g", limitName(c), m, v)
				}
			}
		}
	}
}

// changedTerm is a term with a defect.
type changedTerm[C Calculus] struct {
	Term[C]
	change func(dst, x []float64, dt float64)
}

func (s changedTerm[C]) Increment(dst, x []float64, dt float64, noise []float64) {
	s.Term.Increment(dst, x, dt, noise)
	s.change(dst, x, dt)
}

// Defects that the test above must find: σ off by 1 %, half of the Stratonovich drift, no Stratonovich drift,
// no covariance between tokens, no radial drift.
func TestMomentsShowDefects(t *testing.T) {
	c := Cell{Model: TransformerSDE{Sigma: 0.8}, Tokens: 3, Dim: 4, Beta: 1.3, Depth: generatorDepth,
		Start: UniformStart{}}
	x := uniformTokens(rand.New(rand.NewPCG(8, 2)), c.Tokens, c.Dim)
	const dt = 1. / generatorDepth
	drifts := func(share float64) Stepper {
		plain := c.stratonovichTerm()
		change := func(dst, x []float64, dt float64) { floats.AddScaled(dst, -share*dt, drift(plain, x)) }
		return steppers.NewHeun(changedTerm[Stratonovich]{c.stratonovichTerm(), change}, dt)
	}
	louder, apart := c, c
	louder.Model = with(c.Model, func(p *parameters) { p.sigma *= 1.01 })
	apart.Model = withNoise(c.Model, IndependentNoise)
	for what, stepper := range map[string]Stepper{
		"σ off by 1 %":                NewStepper(louder),
		"half the Stratonovich drift": drifts(0.5),
		"no Stratonovich drift":       drifts(1),
		"tokens uncorrelated":         NewStepper(apart),
		"no radial drift":             NewNaive(c.ItoTerm(), dt),
	} {
		m, v := distances(t, c, stepper, x)
		t.Logf("%s: mean off by %.2g, covariance by %.2g", what, m, v)
		if max(m, v) < 3*generatorTolerance {
			t.Errorf("%s: goes unnoticed", what)
		}
	}
}
