package sde

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"antipode/sde/internal/runtest"
	"antipode/sphere"
	"antipode/sphere/must"

	"gonum.org/v1/gonum/floats"
)

// stratonovichTerm is ItoTerm in the sense of Stratonovich: another drift, the same process.
func (c Cell) stratonovichTerm() Term[Stratonovich] {
	return c.Model.equation().stratonovich(c.newAttention())
}

// limits returns one cell for each kind of limit, attention and noise, with the identity and with another B.
func limits(r *rand.Rand, tokens, dim int) []Cell {
	var cells []Cell
	for _, model := range []Model{TransformerSDE{Sigma: 0.8}, HybridSDE{Epsilon: 1.1}} {
		for _, attention := range []Attention{Softmax, Unnormalized} {
			for _, noise := range []Noise{CommonNoise, IndependentNoise} {
				c := Cell{Model: withNoise(model, noise), Attention: attention, Tokens: tokens, Dim: dim,
					Beta: 1.3, Depth: 20, Start: UniformStart{}}
				cells = append(cells, c)
				c.Interaction = gaussianMatrix(r, dim)
				sphere.Normalize(c.Interaction, c.Interaction)
				cells = append(cells, c)
			}
		}
	}
	return cells
}

func limitName(c Cell) string {
	return fmt.Sprintf("%v %v %v %v N=%d d=%d B=%t", c.Model, parametersOf(c.Model).scheme, c.Attention,
		parametersOf(c.Model).noise, c.Tokens, c.Dim, c.Interaction != nil)
}

// drift and column are the drift of a term and its diffusion on a unit vector.
func drift[C Calculus](term Term[C], x []float64) []float64 {
	b := make([]float64, len(x))
	term.Increment(b, x, 1, make([]float64, term.NoiseLen()))
	return b
}

func column[C Calculus](term Term[C], x []float64, k int) []float64 {
	g, unit := make([]float64, len(x)), make([]float64, term.NoiseLen())
	unit[k] = 1
	term.Increment(g, x, 0, unit)
	return g
}

// radialDrift is -½ Σ_k |g_i[e_k]|² Y_i, which an equation of Itô has on the sphere.
func radialDrift(term Term[Ito], x []float64) []float64 {
	b := make([]float64, len(x))
	_, d := term.Shape()
	for k := range term.NoiseLen() {
		g := column(term, x, k)
		for i := 0; i < len(x); i += d {
			floats.AddScaled(b[i:i+d], -0.5*floats.Dot(g[i:i+d], g[i:i+d]), x[i:i+d])
		}
	}
	return b
}

// The drifts of both forms differ by ½ Σ_k Dg_k[g_k], here by central differences of
// the diffusion along each of its own columns. Their error is 10^-10: that of h² times
// third derivatives, and of rounding over h = 10^-5.
func TestStratonovichDriftAgainstDifferencesOfTheDiffusion(t *testing.T) {
	const h = 1e-5
	r := rand.New(rand.NewPCG(6, 1))
	for k := range 4 {
		for _, c := range limits(r, 1+r.IntN(5), 1+r.IntN(6)) {
			if k > 1 && is[TransformerSDE](c.Model) {
				c.Model = with(c.Model, func(p *parameters) {
					p.covariance = Covariance{A: 0.9, B: 0.5, C: 0.3}
				})
			}
			must.Do(t, c.Validate())
			x := uniformTokens(r, c.Tokens, c.Dim)
			ito := c.ItoTerm()
			want := drift(ito, x)
			floats.Add(want, radialDrift(ito, x))
			for k := range ito.NoiseLen() {
				g := column(ito, x, k)
				plus := column(ito, runtest.Displaced(x, h, g, c.Dim), k)
				floats.Sub(plus, column(ito, runtest.Displaced(x, -h, g, c.Dim), k))
				floats.AddScaled(want, -0.5/(2*h), plus)
			}
			got := drift(c.stratonovichTerm(), x)
			if !floats.EqualApprox(got, want, 1e-8) {
				t.Errorf("%s: drift %v, want %v", limitName(c), got, want)
			}
		}
	}
}

// Both forms have the same diffusion, and (6) and (8) are what the paper says.
func TestTermsEqualTheirDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 2))
	for range 4 {
		for _, c := range limits(r, 1+r.IntN(5), 1+r.IntN(6)) {
			d := c.Dim
			x := uniformTokens(r, c.Tokens, d)
			noise := make([]float64, c.IncrementLen())
			for k := range noise {
				noise[k] = r.NormFloat64()
			}
			ito, stratonovich := make([]float64, len(x)), make([]float64, len(x))
			c.stratonovichTerm().Increment(stratonovich, x, 0, noise)
			c.ItoTerm().Increment(ito, x, 0, noise)
			if !slices.Equal(ito, stratonovich) {
				t.Errorf("%s: two diffusions", limitName(c))
			}
			const dt = 0.3
			c.ItoTerm().Increment(ito, x, dt, noise)
			floats.AddScaled(ito, dt, radialDrift(c.ItoTerm(), x))
			if want := definition(c, x, dt, noise); !floats.EqualApprox(ito, want, 1e-13) {
				t.Errorf("%s: %v, want %v", limitName(c), ito, want)
			}
		}
	}
}

// definition is (6) or (8) in the paper's symbols.
func definition(c Cell, x []float64, dt float64, noise []float64) (increment []float64) {
	d, field, p := c.Dim, fieldByMatrices(c, x), parametersOf(c.Model)
	for i := range c.Tokens {
		y, a := x[i*d:(i+1)*d], field.RawRowView(i)
		own := noise
		if p.noise == IndependentNoise {
			own = noise[i*len(noise)/c.Tokens : (i+1)*len(noise)/c.Tokens]
		}
		push, ya, aa := make([]float64, d), floats.Dot(y, a), floats.Dot(a, a)
		if is[TransformerSDE](c.Model) {
			for k := range d {
				push[k] = p.sigma * floats.Dot(own[k*d:(k+1)*d], a)
			}
		} else {
			for k := range d {
				push[k] = p.epsilon * own[0] * a[k]
			}
		}
		radial := floats.Dot(y, push)
		for k := range d {
			b := -float64(d-1) * p.sigma * p.sigma / 2 * aa * y[k]
			if is[HybridSDE](c.Model) {
				b = p.epsilon*p.epsilon*(1.5*ya*ya*y[k]-0.5*aa*y[k]-ya*a[k]) + a[k] - ya*y[k]
			}
			increment = append(increment, b*dt+push[k]-radial*y[k])
		}
	}
	return increment
}

// With constant attention the drift of (6) is the correction, all of it: one token that
// attends to itself.
func TestNoStratonovichDriftOfOneToken(t *testing.T) {
	c := Cell{Model: TransformerSDE{Sigma: 1}, Tokens: 1, Dim: 5, Beta: 2, Depth: 1, Start: UniformStart{}}
	x := uniformTokens(rand.New(rand.NewPCG(6, 3)), 1, 5)
	for _, v := range drift(c.stratonovichTerm(), x) {
		if !(math.Abs(v) <= 1e-15) {
			t.Errorf("drift %v", v)
		}
	}
}

// A term of one calculus is not one of the other: the rule by which the compiler
// refuses steppers.NewHeun(c.ItoTerm(), dt) and steppers.NewEuler(c.stratonovichTerm(), dt).
func TestTheCalculusIsPartOfTheType(t *testing.T) {
	for _, c := range limits(rand.New(rand.NewPCG(6, 4)), 2, 3) {
		if _, fits := any(c.ItoTerm()).(Term[Stratonovich]); fits {
			t.Errorf("%s: an Itô term passes as one of Stratonovich", limitName(c))
		}
		if _, fits := any(c.stratonovichTerm()).(Term[Ito]); fits {
			t.Errorf("%s: a Stratonovich term passes as one of Itô", limitName(c))
		}
	}
}
