package overlap

import "antipode/sphere/elementary"

// A chain is a finite-volume form of the Fokker-Planck equation on a uniform grid of
// u = atanh z: the flux between neighbours is -Δ(mass/speed)/Δ(scale), so that mass
// moves like a birth-and-death process with the hitting probabilities and the
// stationary ratios of the diffusion. Both ends of the grid reflect.
type chain struct {
	first, width float64   // node i is at first + i·width
	up, down     []float64 // rates to the next node and to the one before
	// inverse pivots of the last step, and the parts of masses they send on
	inverse, onwards []float64
}

// newChain returns the chain of nodes nodes.
func (d *Diffusion) newChain(first, width float64, nodes int) *chain {
	column := func() []float64 { return make([]float64, nodes) }
	c := &chain{first, width, column(), column(), column(), column()}
	half := func(i int) float64 { return 0.5 * d.model.variance(positionOf(c.node(i))) / (width * width) }
	here := half(0)
	for i := range nodes - 1 {
		rise := d.rise(c.node(i), width)
		next := half(i + 1)
		c.up[i] = here * bernoulli(-rise)
		c.down[i+1] = next * bernoulli(rise)
		here = next
	}
	return c
}

// rise returns h(u+width) - h(u) by the rule of three Gauss nodes.
func (d *Diffusion) rise(u, width float64) float64 {
	const offset = 0.3872983346207417 // sqrt(3/5)/2
	left := d.model.slope(positionOf(u + float64((0.5-offset)*width)))
	middle := d.model.slope(positionOf(u + float64(0.5*width)))
	right := d.model.slope(positionOf(u + float64((0.5+offset)*width)))
	return width * (float64(5*(left+right)) + float64(8*middle)) / 18
}

// bernoulli returns x/(e^x - 1), which is 1 at 0.
func bernoulli(x float64) float64 {
	if x == 0 {
		return 1
	}
	return x / elementary.Expm1(x)
}

func (c *chain) node(i int) float64 { return c.first + float64(float64(i)*c.width) }

// step moves the masses on in a number of steps of length t by the implicit Euler
// method: it solves
//
//	(1 + t(up_i + down_i)) new_i - t up_(i-1) new_(i-1) - t down_(i+1) new_(i+1) = mass_i.
//
// The elimination has no subtraction: rest is what a pivot would be without the
// rate upwards, 1 + t down_i rest_(i-1)/pivot_(i-1). So masses stay positive, and
// their sum keeps its relative accuracy however great the rates are.
func (c *chain) step(mass []float64, t float64, times int) {
	last := len(mass) - 1
	rest := 1.0
	for i := range last {
		up := float64(t * c.up[i])
		inverse := 1 / (rest + up)
		c.inverse[i], c.onwards[i] = inverse, up*inverse
		rest = 1 + float64(t*c.down[i+1]*rest*inverse)
	}
	for range times {
		m := mass[0]
		for i, onwards := range c.onwards[:last] {
			m = mass[i+1] + float64(m*onwards)
			mass[i+1] = m
		}
		m /= rest
		mass[last] = m
		for i := last - 1; i >= 0; i-- {
			m = (mass[i] + float64(t*c.down[i+1]*m)) * c.inverse[i]
			mass[i] = m
		}
	}
}
