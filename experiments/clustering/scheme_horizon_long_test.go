//go:build long

package clustering

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"antipode/overlap"
	"antipode/sde"

	"gonum.org/v1/gonum/floats"
)

// schemePair is two tokens under eq. (6), advanced by a scheme, with what takes the noise out
// of their outcome.
type schemePair struct {
	cell      sde.Cell
	diffusion *overlap.Diffusion
	potential *potential
	term      sde.Term[sde.Ito]
	stepper   sde.Stepper
	path      *sde.BrownianSequence
	x         []float64
	field     []float64
	change    []float64 // without retraction
	increment []float64
}

func newSchemePair(c sde.Cell, d *overlap.Diffusion, seed uint64) *schemePair {
	numbers := func(n int) []float64 { return make([]float64, n) }
	return &schemePair{
		cell: c, diffusion: d, potential: newPotential(d), term: c.ItoTerm(), stepper: sde.NewStepper(c),
		path: sde.NewBrownianPath(seed, c.ID(), c.Depth, c.IncrementLen()).Sequence(0),
		x:    numbers(2 * c.Dim), field: numbers(2 * c.Dim), change: numbers(2 * c.Dim), increment: numbers(c.IncrementLen()),
	}
}

// u is atanh of the overlap, by |S| and |D|, the lengths of the sum and difference.
func (p *schemePair) u() float64 {
	ss, dd := 0.0, 0.0
	for k := range p.cell.Dim {
		s, d := p.x[k]+p.x[p.cell.Dim+k], p.x[k]-p.x[p.cell.Dim+k]
		ss, dd = ss+s*s, dd+d*d
	}
	return 0.5 * math.Log(ss/dd)
}

// step takes a step. It returns what moved u to the first order in the noise, with its
// variance, and to the second order less its mean: with v_i = σ P_i[ΔW A_i], Z moves by
//
//	<v₁,x₂> + <x₁,v₂> + <v₁,v₂> - ½(|v₁|²+|v₂|²) Z
//
// under a scheme with retraction or along a geodesic, and u” = 2Z/(1-Z²)². Heun has other
// terms of the second order, whose noise stays.
func (p *schemePair) step(t *testing.T) (first, variance, second float64) {
	d := p.cell.Dim
	p.path.Next(p.increment)
	p.term.Increment(p.change, p.x, 0, p.increment)
	p.cell.Field(p.field, p.x)
	x1, x2, v1, v2, a1, a2 := p.x[:d], p.x[d:], p.change[:d], p.change[d:], p.field[:d], p.field[d:]
	dt, n := 1/float64(p.cell.Depth), float64(d)
	z := floats.Dot(x1, x2)
	width := 1 - z*z
	squares := floats.Dot(a1, a1) + floats.Dot(a2, a2)
	first = (floats.Dot(v1, x2) + floats.Dot(x1, v2)) / width
	variance = p.diffusion.Variance(z) * dt / (width * width)
	second = floats.Dot(v1, v2) - (n-2+z*z)*floats.Dot(a1, a2)*dt
	second -= 0.5 * z * (floats.Dot(v1, v1) + floats.Dot(v2, v2) - (n-1)*squares*dt)
	second = second/width + z*(first*first-variance)
	if err := p.stepper.Step(p.x, p.increment); err != nil {
		t.Error(err)
	}
	return first, variance, second
}

// estimate is pair.estimate for the tokens under a scheme. Beyond |u| = 12 they are taken to
// stay: they would come back to the tolerance with a probability below e^-6 in infinite time.
func (p *schemePair) estimate(t *testing.T, horizon float64, trajectories int) (mean, deviation, fraction float64) {
	const far = 12
	uniform, threshold := p.diffusion.AntipodalUniform().Value, math.Atanh(-1+horizonTolerance)
	random := rand.New(rand.NewPCG(p.cell.ID(), 1))
	var sum, square float64
	for trajectory := range trajectories {
		p.path.Restart(int64(trajectory))
		if err := p.cell.Start.Fill(p.x, p.cell.Dim, int64(trajectory), random.NormFloat64); err != nil {
			t.Fatal(err)
		}
		u := p.u()
		begin, _ := p.diffusion.AntipodalFrom(math.Tanh(u))
		y := uniform - begin.Value
		for k := 0; k < int(horizon*float64(p.cell.Depth)) && math.Abs(u) < far; k++ {
			slope, curvature := p.potential.at(u)
			first, variance, second := p.step(t)
			y -= slope*(first+second) + 0.5*curvature*(first*first-variance)
			u = p.u()
		}
		if u <= threshold {
			y++
			fraction++
		}
		sum, square = sum+y, square+y*y
	}
	n := float64(trajectories)
	mean = sum / n
	return mean, math.Sqrt((square/n - mean*mean) / n), fraction / n
}

// The probability of the antipodal outcome at a horizon, under each scheme of eq. (6), at depth
// 100 and 400, is that of the Fokker-Planck equation up to a bound of 1.5/depth. The plain
// fractions agree with the estimates that the limit takes part in.
//
// Sixty comparisons at 4.5 standard errors: joint false-alarm probability 4e-4. They do not
// tell the bias at one depth from that at another.
func TestSchemesAtTheHorizon(t *testing.T) {
	schemes := sde.TransformerSDE.Schemes()
	for _, c := range [5]struct {
		dim       int
		beta      float64
		attention sde.Attention
		horizon   float64
	}{
		{3, 1, sde.Softmax, 10},
		{4, 1, sde.Softmax, 10},
		{4, 1.5, sde.Softmax, 10},
		{5, 1.5, sde.Softmax, 8},
		{3, 0.7, sde.Unnormalized, 6},
	} {
		t.Run(fmt.Sprintf("d=%d,beta=%g,%v", c.dim, c.beta, c.attention), func(t *testing.T) {
			t.Parallel()
			d, err := overlap.New(c.dim, c.beta, overlap.Attention(c.attention), 1)
			if err != nil {
				t.Fatal(err)
			}
			laws, err := d.EvolveUniform([]float64{c.horizon}, 1e-6)
			if err != nil {
				t.Fatal(err)
			}
			theory := laws[0].Antipodal(horizonTolerance).Value
			for _, scheme := range schemes {
				at := func(depth, trajectories int) (shift, deviation float64) {
					cell := sde.Cell{Model: sde.TransformerSDE, Scheme: scheme, Attention: c.attention, Tokens: 2,
						Dim: c.dim, Beta: c.beta, Sigma: 1, Depth: depth, Start: sde.UniformStart{}}
					mean, deviation, fraction := newSchemePair(cell, d, 1).estimate(t, c.horizon, trajectories)
					binomial := math.Sqrt(mean * (1 - mean) / float64(trajectories))
					if off := (fraction - mean) / math.Hypot(binomial, deviation); math.Abs(off) > 4.5 {
						t.Errorf("%v at depth %d: %.4f, without noise %.4f: %.1f standard errors", scheme, depth, fraction, mean, off)
					}
					if math.Abs(mean-theory) > 4.5*deviation+1.5/float64(depth) {
						t.Errorf("%v at depth %d: %.4f ± %.4f, theory %.4f", scheme, depth, mean, deviation, theory)
					}
					return mean - theory, deviation
				}
				a, da := at(100, 1600)
				b, db := at(400, 400)
				t.Logf("%v: theory %.5f, shift × depth: %.3f ± %.3f at 100, %.3f ± %.3f at 400", scheme, theory, 100*a, 100*da, 400*b, 400*db)
			}
		})
	}
}
