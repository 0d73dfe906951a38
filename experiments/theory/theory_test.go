package theory

import (
	"math"
	"testing"

	"antipode/overlap"
	"antipode/overlap/exactlaw"
	"antipode/sde"
	"antipode/sphere/must"
)

// Each kind of attention has the same meaning and the same name in the simulation and in the theory.
func TestAttention(t *testing.T) {
	for k, name := range sde.AttentionNames {
		a := sde.Attention(k)
		if got := Attention(a).String(); got != name || a.String() != name {
			t.Errorf("%v of the simulation is %s of the theory, want %s", a, got, name)
		}
	}
	if Attention(sde.Softmax) != overlap.Softmax || Attention(sde.Unnormalized) != overlap.Unnormalized {
		t.Error("the kinds of attention are exchanged")
	}
	defer func() {
		if recover() == nil {
			t.Error("a kind that does not exist is accepted")
		}
	}()
	Attention(2)
}

// A probability with a large error is replaced by NaN; the other one stays.
func TestDepthOfOutcomes(t *testing.T) {
	nan := math.NaN()
	p := func(value, error float64) overlap.Probability {
		return overlap.Probability{Value: value, Error: error}
	}
	for _, c := range []struct {
		antipodal, single overlap.Probability
		want              Depth
	}{
		{p(0.2, 1e-7), p(0.5, 3e-7), Depth{0.2, 0.5, 3e-7}},
		{p(0.2, 4e-7), p(0.5, 3e-7), Depth{0.2, 0.5, 4e-7}},
		{p(0.2, 1e-7), p(0.5, 1), Depth{0.2, nan, 1e-7}}, {p(0.2, nan), p(0.5, 3e-7), Depth{nan, 0.5, 3e-7}},
		{p(0.2, 1), p(0.5, 1), Depth{nan, nan, nan}},
	} {
		got := DepthOf(exactlaw.Outcomes{Antipodal: c.antipodal, Single: c.single})
		for k, v := range []float64{got.Antipodal, got.Single, got.Error} {
			if want := []float64{c.want.Antipodal, c.want.Single, c.want.Error}[k]; v != want &&
				!(math.IsNaN(v) && math.IsNaN(want)) {
				t.Errorf("%+v: %+v, want %+v", c, got, c.want)
			}
		}
	}
}

// The variance of the diffusion at z, and the drift of the flow, written out with the weights p and q of a
// token for itself and for the other one: for (6), |A|² = p²+2pqz+q², and so on.
func TestDiffusion(t *testing.T) {
	const dim, beta, z, sigma, epsilon = 5, 0.8, 0.3, 0.7, 1.1
	for _, attention := range []sde.Attention{sde.Softmax, sde.Unnormalized} {
		p, q := math.Exp(beta), math.Exp(beta*z)
		if total := p + q; attention == sde.Softmax {
			p, q = p/total, q/total
		} else {
			p, q = p/2, q/2
		}
		y := 1 - z*z
		hybrid := 4 * epsilon * epsilon * q * q * y * y
		for _, c := range []struct {
			model    sde.Model
			variance float64
		}{
			{sde.Hybrid{Law: sde.Rademacher, Epsilon: epsilon}, hybrid},
			{sde.HybridSDE{Epsilon: epsilon, Scheme: sde.Heun}, hybrid},
			{sde.Flow{}, 0},
			{sde.Transformer{Law: sde.Uniform, Sigma: sigma}, transformerVariance(p, q, z, sigma)},
			{sde.TransformerSDE{Sigma: sigma, Scheme: sde.Geodesic}, transformerVariance(p, q, z, sigma)},
		} {
			d := must.Get(Diffusion(sde.Cell{Model: c.model, Attention: attention, Tokens: 2, Dim: dim,
				Beta:  beta,
				Depth: 7}))(t)
			if got := d.Variance(z); !(math.Abs(got-c.variance) <= 1e-12) {
				t.Errorf("%v, %#v: variance %v, want %v", attention, c.model, got, c.variance)
			}
			if flow, is := c.model.(sde.Flow); is {
				if got := d.Drift(z); !(math.Abs(got-2*q*y) <= 1e-12) {
					t.Errorf("%v, %#v: drift %v, want %v", attention, flow, got, 2*q*y)
				}
			}
		}
	}
}

// transformerVariance returns the variance of dZ = σ(<X₂,P₁ dW A₁> + <X₁,P₂ dW A₂>) per unit of time: with u₁
// = X₂-zX₁ and u₂ = X₁-zX₂ it is σ²|u₁A₁ᵀ + u₂A₂ᵀ|².
func transformerVariance(p, q, z, sigma float64) float64 {
	square, product := p*p+2*p*q*z+q*q, z*(p*p+q*q)+2*p*q // |A|² and <A₁,A₂>
	length, angle := 1-z*z, -z*(1-z*z)                    // |u|² and <u₁,u₂>
	return sigma * sigma * 2 * (length*square + angle*product)
}
