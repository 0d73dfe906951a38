//go:build long

package weak

import (
	"math"
	"math/rand/v2"

	"antipode/overlap"
	"antipode/sde"
)

// pair is the overlap of two tokens under recursion (4) with Gaussian value matrices, as
// a chain of its own that draws neither tokens nor matrices. S = X¹+X² and D = X¹-X² are
// orthogonal with |S|²+|D|² = 4, and a layer takes them to V(S) = |S|(s + bg) and V(D) =
// |D|(e + ch), b and c as in finitedepth.Layer at any overlap, before both tokens are
// normalised. It needs the components of the Gaussian vectors g and h along s and e, and
// the Gram matrix of the rest.
type pair struct {
	dim, depth int
	attention  sde.Attention
	beta       float64
	random     *rand.Rand
	ss, dd     float64 // |S|² and |D|²
}

// start draws independent uniform tokens.
func (c *pair) start() {
	first := c.random.NormFloat64()
	z := first / math.Sqrt(first*first+c.chiSquared(c.dim-1))
	c.ss, c.dd = 2*(1+z), 2*(1-z)
}

// chiSquared draws χ² of k degrees of freedom, 0 for k < 1.
func (c *pair) chiSquared(k int) float64 {
	product := 1.0
	for i := 1; i < k; i += 2 {
		product *= 1 - c.random.Float64()
	}
	sum := -2 * math.Log(product)
	if k > 0 && k%2 == 1 {
		x := c.random.NormFloat64()
		sum += x * x
	}
	return sum
}

// amplitudes returns b and c.
func (c *pair) amplitudes() (b, amplitude float64) {
	ratio := math.Exp(-c.beta * c.dd / 2) // q/p
	p := 1 / (1 + ratio)
	if c.attention == sde.Unnormalized {
		p = 0.5 * math.Exp(c.beta)
	}
	scale := p / math.Sqrt(float64(c.depth))
	return scale * (1 + ratio), -scale * math.Expm1(-c.beta*c.dd/2)
}

// step takes the chain through a layer. It returns what moved u = atanh z = log(|S|/|D|)
// to the first order in the Gaussians, with its variance, and to the second order less its
// mean.
func (c *pair) step() (first, variance, second float64) {
	b, a := c.amplitudes()
	normal := c.random.NormFloat64
	g1, g2, h1, h2, h3 := b*normal(), b*normal(), a*normal(), a*normal(), 0.0
	length, rest := 0.0, 0.0
	if c.dim > 2 {
		length, h3 = b*math.Sqrt(c.chiSquared(c.dim-2)), a*normal()
		rest = h3*h3 + a*a*c.chiSquared(c.dim-3)
	}
	z := (c.ss - c.dd) / 4
	bb, aa, n := b*b, a*a, float64(c.dim)
	first, variance = g1-h2, bb+aa
	second = 0.5*(g2*g2+length*length-g1*g1-h1*h1-rest+h2*h2+z*(h1+g2)*(h1+g2)) -
		0.5*((n-2)*(bb-aa)+z*(bb+aa))

	ss := c.ss * ((1+g1)*(1+g1) + g2*g2 + length*length)
	dd := c.dd * (h1*h1 + (1+h2)*(1+h2) + rest)
	sd := math.Sqrt(c.ss*c.dd) * ((1+g1)*h1 + g2*(1+h2) + length*h3)
	n1, n2 := math.Sqrt(ss+dd+2*sd)/2, math.Sqrt(ss+dd-2*sd)/2
	sum, difference := (1/n1+1/n2)/2, -sd/((n1+n2)*n1*n2)/2
	c.ss = sum*sum*ss + difference*difference*dd + 2*sum*difference*sd
	c.dd = sum*sum*dd + difference*difference*ss + 2*sum*difference*sd
	return first, variance, second
}

// potential is the antipodal probability of the limit as a function of u: it is almost a
// martingale of the chain, so what the Gaussians of a layer do to it in the first two
// orders, less its mean, takes most of the noise out of an outcome and no bias in.
type potential struct {
	slope []float64 // at u = -extent + k/perUnit
}

const (
	perUnit = 64
	extent  = 15
)

func newPotential(d *overlap.Diffusion) *potential {
	p := &potential{}
	whole := d.LogScale(-1)
	for k := range 2*extent*perUnit + 1 {
		z := math.Tanh(float64(k)/perUnit - extent)
		p.slope = append(p.slope, -math.Exp(d.LogScaleDensity(z)-whole)*(1-z)*(1+z))
	}
	return p
}

// at returns the first two derivatives at u.
func (p *potential) at(u float64) (slope, curvature float64) {
	x := (u + extent) * perUnit
	if !(x >= 0 && x < float64(len(p.slope)-1)) {
		return 0, 0
	}
	k := int(x)
	rise := p.slope[k+1] - p.slope[k]
	return p.slope[k] + (x-float64(k))*rise, rise * perUnit
}

// estimate returns the probability of the antipodal outcome at the horizon and its
// standard error, and the plain fraction of this outcome. A trajectory ends where it would come back to the
// tolerance with a probability of about e^-22: the scale density falls like exp(-(1-(d-2)/cosh 2β)|u|) at
// -1 and exp(-(d-1)u) at +1.
func (c *pair) estimate(d *overlap.Diffusion, horizon float64, trajectories int) (mean, deviation,
	fraction float64) {
	v := newPotential(d)
	uniform := d.AntipodalUniform().Value
	threshold := math.Atanh(-1 + horizonTolerance)
	low := threshold - 22/(1-float64(c.dim-2)/math.Cosh(2*c.beta))
	high := -threshold + 22/float64(c.dim-1)
	layers := int(horizon * float64(c.depth))
	var sum, square float64
	for range trajectories {
		c.start()
		u := 0.5 * math.Log(c.ss/c.dd)
		begin, _ := d.AntipodalFrom(math.Tanh(u))
		y := uniform - begin.Value
		for layer := 0; layer < layers && low < u && u < high; layer++ {
			slope, curvature := v.at(u)
			first, variance, second := c.step()
			y -= slope*(first+second) + 0.5*curvature*(first*first-variance)
			u = 0.5 * math.Log(c.ss/c.dd)
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

// horizonTolerance is that of the outcomes.
const horizonTolerance = 1e-3
