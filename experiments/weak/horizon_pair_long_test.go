//go:build long

package weak

import (
	"math"
	"math/rand/v2"

	"antipode/overlap"
	"antipode/sde"
)

// pair is the chain of the overlap of two tokens under recursion (4) with Gaussian value matrices,
// implemented independently of the packages, without drawing tokens or matrices. S = X¹+X² and D = X¹-X² are
// orthogonal with |S|²+|D|² = 4. A layer maps S to S + |S|bg and D to D + |D|ch, where g and h are
// independent standard Gaussian vectors and b and c depend on the overlap as in finitedepth.Layer; then both
// tokens are normalised. The chain needs the components of g and h along S and D, and the Gram matrix of the
// remaining components.
type pair struct {
	dim, depth int
	attention  sde.Attention
	beta       float64
	random     *rand.Rand
	ss, dd     float64 // |S|² and |D|²
}

// start sets the chain to the overlap of two independent uniform tokens.
func (c *pair) start() {
	first := c.random.NormFloat64()
	z := first / math.Sqrt(first*first+c.chiSquared(c.dim-1))
	c.ss, c.dd = 2*(1+z), 2*(1-z)
}

// chiSquared draws a χ² number with k degrees of freedom, which is 0 for k < 1.
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

// amplitudes returns the coefficients b and c at the current overlap. p and q are a token's weights for
// itself and for the other token.
func (c *pair) amplitudes() (b, amplitude float64) {
	ratio := math.Exp(-c.beta * c.dd / 2) // q/p
	p := 1 / (1 + ratio)
	if c.attention == sde.Unnormalized {
		p = 0.5 * math.Exp(c.beta)
	}
	scale := p / math.Sqrt(float64(c.depth))
	return scale * (1 + ratio), -scale * math.Expm1(-c.beta*c.dd/2)
}

// step advances the chain by one layer. It returns two parts of the change of u = atanh z = log(|S|/|D|): the
// part of first order in the Gaussian numbers, with its variance, and the part of second order minus its
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

// potential is the probability of the antipodal outcome in the limit, as a function of u. It is nearly a
// martingale of the chain. So subtracting from an outcome the changes of potential to first and second order
// in the Gaussian numbers of each layer, minus their means, removes most of the noise and adds no bias.
type potential struct {
	slope []float64 // derivative by u at u = -extent + k/perUnit
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

// at returns the first two derivatives by u, interpolated linearly; 0 outside the table.
func (p *potential) at(u float64) (slope, curvature float64) {
	x := (u + extent) * perUnit
	if !(x >= 0 && x < float64(len(p.slope)-1)) {
		return 0, 0
	}
	k := int(x)
	rise := p.slope[k+1] - p.slope[k]
	return p.slope[k] + (x-float64(k))*rise, rise * perUnit
}

// estimate returns the probability of the antipodal outcome at the horizon with its standard error, and the
// plain fraction of trajectories with this outcome. A trajectory is stopped early where it would return to
// the tolerance with a probability of about e^-22 only: the scale density falls like exp(-(1-(d-2)/cosh
// 2β)|u|) towards -1 and like exp(-(d-1)u) towards +1.
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

// horizonTolerance is the tolerance of the outcomes in 1-|Z|.
const horizonTolerance = 1e-3
