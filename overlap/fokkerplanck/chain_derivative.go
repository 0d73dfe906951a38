package fokkerplanck

import (
	"math"

	"antipode/overlap/internal/line"
	"antipode/overlap/internal/special"
	"antipode/sphere/elementary"
)

// rateDerivatives holds the derivatives of the rates of a chain with respect to a parameter, on a grid that
// does not depend on the parameter.
type rateDerivatives struct {
	up, down []float64
	arrived  [][3]complex128 // derivative of the mass that the elimination has sent to a node, for each pole
}

// newRateDerivatives returns the derivatives of the rates of newChain with respect to a parameter, given the
// derivatives by of slope and variance of the diffusion d.
func newRateDerivatives(d, by *line.Diffusion, g grid, s scheme) *rateDerivatives {
	r := &rateDerivatives{make([]float64, g.nodes), make([]float64, g.nodes), make([][3]complex128, g.nodes)}
	half := func(i int) (value, slope float64) {
		x := g.node(i)
		at, cell := line.Of(sinhMap(x)), g.width*sinhMapSlope(x)
		return 0.5 * d.Variance(at) / cell, 0.5 * by.Variance(at) / cell
	}
	u := sinhMap(g.node(0))
	here, hereBy := half(0)
	for i := range g.nodes - 1 {
		to := sinhMap(g.node(i + 1))
		across, middle := to-u, float64(0.5*(u+to))
		rise, riseBy := d.Rise(u, across), by.Rise(u, across)
		factor := s.fluxRates(rise, middle)
		downBy := s.downDerivative(rise, middle)
		next, nextBy := half(i + 1)
		r.up[i] = (float64(hereBy*factor.up) + float64(here*(downBy+1)*riseBy)) / across
		r.down[i+1] = (float64(nextBy*factor.down) + float64(next*downBy*riseBy)) / across
		here, hereBy, u = next, nextBy, to
	}
	if g.absorbs.left {
		r.up[0] = 0
	}
	if g.absorbs.right {
		r.down[g.nodes-1] = 0
	}
	return r
}

// downDerivative returns the derivative of the rate down of fluxRates with respect to the rise of h. The
// derivative of the rate up with respect to the rise is greater by 1.
func (s scheme) downDerivative(rise, u float64) float64 {
	slope := bernoulliDerivative(rise)
	if s == central {
		const far = 10
		slope = -0.5 + (slope+0.5)/(1+elementary.Exp(far-math.Abs(u)))
	}
	return slope
}

// bernoulliDerivative returns the derivative of the Bernoulli function x/(e^x - 1), computed near 0 from a
// power series.
func bernoulliDerivative(x float64) float64 {
	if math.Abs(x) > 0.3 {
		b := bernoulli(x)
		return b * ((1 - b - x) / x)
	}
	square := float64(x * x)
	sum := 1.0 / 4790016
	for _, coefficient := range [...]float64{-1.0 / 151200, 1.0 / 5040, -1.0 / 180, 1.0 / 6} {
		sum = float64(sum*square) + coefficient
	}
	return float64(sum*x) - 0.5
}

// stepDerivatives advances the derivatives of the masses of a chain by a time t, after step has advanced the
// masses by t. For each pole θ of the Padé approximation, the derivatives solve the equations of the masses
// with another right-hand side,
//
//	(θ - tA) new' = mass' + t A' new,
//
// where mass' is the derivative of the masses before the step, new are the masses after the step, and A' new
// consists of the differences, from one node to the next, of the fluxes J_i = up'_i new_i - down'_(i+1)
// new_(i+1). If the rates are large, rounding errors would dominate the differences of fluxes. So the
// elimination works with the sum of the mass that has arrived at node i and tJ_i. Node i-1 contributes
// rest_(i-1)/pivot_(i-1) times tJ_(i-1) to the sum at node i.
func (c *chain) stepDerivatives(massBy []float64, t float64) {
	last := len(massBy) - 1
	rest, arrived := [3]complex128{}, [3]complex128{}
	for j, p := range poles {
		rest[j], arrived[j] = p.theta, complex(massBy[0], 0)
	}
	for i := range last {
		e, next := &c.eliminated[i], &c.eliminated[i+1]
		c.derivatives.arrived[i] = arrived
		up, down := float64(t*c.up[i]), float64(t*c.down[i+1])
		for j := range poles {
			flux := special.Scaled(float64(t*c.derivatives.up[i]), e.sent[j]) -
				special.Scaled(float64(t*c.derivatives.down[i+1]), next.sent[j])
			stays := special.Product(rest[j], e.inverse[j])
			arrived[j] = complex(massBy[i+1], 0) + special.Product(stays, flux) +
				special.Scaled(up, special.Product(arrived[j], e.inverse[j]))
			c.derivatives.arrived[i][j] -= flux
			rest[j] = poles[j].theta + special.Scaled(down, stays)
		}
	}
	for j := range poles {
		arrived[j] = special.Product(arrived[j], special.Reciprocal(rest[j]))
	}
	massBy[last] = poleSum(&arrived)
	for i := last - 1; i >= 0; i-- {
		e, down := &c.eliminated[i], float64(t*c.down[i+1])
		for j := range poles {
			total := c.derivatives.arrived[i][j] + special.Scaled(down, arrived[j])
			arrived[j] = special.Product(total, e.inverse[j])
		}
		massBy[i] = poleSum(&arrived)
	}
}
