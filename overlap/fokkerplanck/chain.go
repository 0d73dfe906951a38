package fokkerplanck

import (
	"math"

	"antipode/overlap/internal/line"
	"antipode/overlap/internal/special"
	"antipode/sphere/elementary"
)

// A chain is a finite-volume discretisation of the Fokker-Planck equation on a grid: probability mass moves
// between neighbouring nodes as in a birth-and-death process. A chain conserves mass: mass that reaches a
// wall of the grid stays at the wall or is reflected.
type chain struct {
	grid
	up, down    []float64 // rates to the next and to the previous node
	eliminated  []eliminated
	derivatives *rateDerivatives // nil if no derivatives are requested
}

// eliminated is the result of the elimination of a node of a chain, for each pole of the Padé approximation:
// the inverse pivot, and the mass that the elimination has sent to the node. After a step of the chain, the
// field sent holds the solution.
type eliminated struct{ inverse, sent [3]complex128 }

// A scheme determines the flux of probability between neighbouring nodes of a chain from the masses of both
// nodes.
type scheme bool

const (
	// scharfetterGummel takes the coefficients of the diffusion as constant between neighbouring nodes. The
	// chain of this scheme has the hitting probabilities and the ratios of stationary masses of the
	// diffusion.
	scharfetterGummel scheme = false
	// central computes the flux by central differences, from the mean of the masses of neighbouring nodes;
	// the law must be smooth.
	central scheme = true
)

// newChain returns the chain that discretises a diffusion on a grid.
func newChain(d *line.Diffusion, g grid, s scheme) *chain {
	c := &chain{g, make([]float64, g.nodes), make([]float64, g.nodes), make([]eliminated, g.nodes), nil}
	half := func(i int) float64 { // half the variance times the factor from the mass of a node to its density
		x := g.node(i)
		return 0.5 * d.Variance(line.Of(sinhMap(x))) / (g.width * sinhMapSlope(x))
	}
	here, u := half(0), sinhMap(g.node(0))
	for i := range g.nodes - 1 {
		to := sinhMap(g.node(i + 1))
		across := to - u
		rise := d.Rise(u, across)
		factor := s.fluxRates(rise, float64(0.5*(u+to)))
		next := half(i + 1)
		c.up[i] = here / across * factor.up
		c.down[i+1] = next / across * factor.down
		here, u = next, to
	}
	if g.absorbs.left {
		c.up[0] = 0
	}
	if g.absorbs.right {
		c.down[g.nodes-1] = 0
	}
	return c
}

// rates are the rates up and down between two neighbouring nodes of a chain, up to a factor. In the scheme
// scharfetterGummel, up is the Bernoulli function x/(e^x - 1) at x = -rise, and down is the Bernoulli
// function at x = rise.
type rates struct{ up, down float64 }

// fluxRates returns the rates between two neighbouring nodes about u, if h increases by rise from the lower
// to the upper node. For |u| far above 10, where the grid need not resolve the law, the scheme central uses
// the rates of scharfetterGummel: central differences would produce oscillations that travel to smaller |u|.
func (s scheme) fluxRates(rise, u float64) rates {
	down := bernoulli(rise)
	if s == central {
		const far = 10
		excess := down + float64(0.5*rise) - 1
		down = 1 - float64(0.5*rise) + excess/(1+elementary.Exp(far-math.Abs(u)))
	}
	return rates{down + rise, down}
}

// bernoulli returns the Bernoulli function x/(e^x - 1), which is 1 at 0.
func bernoulli(x float64) float64 {
	if x == 0 {
		return 1
	}
	return x / elementary.Expm1(x)
}

// step advances the masses of a chain by a time t: it multiplies them by r(tA), where r is the Padé
// approximation of the exponential and A the generator of the chain, pole by pole. The equations of the three
// poles are solved side by side, so that the processor computes while a division of another pole is not
// finished.
func (c *chain) step(mass []float64, t float64) {
	last := len(mass) - 1
	rest, sent := [3]complex128{}, [3]complex128{}
	for j, p := range poles {
		rest[j], sent[j] = p.theta, complex(mass[0], 0)
	}
	for i := range last {
		e := &c.eliminated[i]
		up, down, m := float64(t*c.up[i]), float64(t*c.down[i+1]), mass[i+1]
		e.sent = sent
		for j := range poles {
			inverse := special.Reciprocal(rest[j] + complex(up, 0))
			e.inverse[j] = inverse
			sent[j] = complex(m, 0) + special.Scaled(up, special.Product(sent[j], inverse))
			rest[j] = poles[j].theta + special.Scaled(down, special.Product(rest[j], inverse))
		}
	}
	for j := range poles {
		sent[j] = special.Product(sent[j], special.Reciprocal(rest[j]))
	}
	c.eliminated[last].sent = sent
	mass[last] = poleSum(&sent)
	for i := last - 1; i >= 0; i-- {
		e, down := &c.eliminated[i], float64(t*c.down[i+1])
		for j := range poles {
			sent[j] = special.Product(e.sent[j]+special.Scaled(down, sent[j]), e.inverse[j])
		}
		e.sent = sent
		mass[i] = poleSum(&sent)
	}
}

// poleSum returns the sum of the solutions of all poles of the Padé approximation and of their complex
// conjugates, multiplied by the weights of the poles.
func poleSum(solution *[3]complex128) float64 {
	sum := 0.0
	for j, p := range poles {
		sum += float64(real(p.weight)*real(solution[j])) - float64(imag(p.weight)*imag(solution[j]))
	}
	return 2 * sum
}
