package overlap

import (
	"math"

	"antipode/overlap/internal/line"
	"antipode/overlap/internal/quadrature"
	"antipode/sphere/elementary"
)

// A Stationary is the stationary law of the overlap, to which the law of the overlap converges from every
// start inside (-1, 1) if no end attracts. The stationary density in z is proportional to 1/(Variance(z)
// s(z)), where s is the density of the scale function. Results of Stationary are accurate to 1e-10; the error
// of a density is relative to the maximum of the density. A Stationary is immutable.
type Stationary struct {
	d        *Diffusion
	left     []weighedPanel // panels from u = 0 downwards
	right    []weighedPanel // panels from u = 0 upwards
	level    float64        // the greatest h; masses are multiplied by exp(-level)
	mass     float64        // total stationary mass of panels and tails
	low, top float64        // the masses below and above all panels
}

// A weighedPanel is an interval of u = atanh z with the stationary density exp(h)/γ² at the nodes of the
// interval.
type weighedPanel struct {
	quadrature.Panel
	first  float64 // h at the start of the panel
	weight [quadrature.Order]float64
}

// Stationary returns the stationary law of the overlap. The second result of Stationary is false if the
// overlap has no stationary law: if an end attracts or is at its threshold, or without noise. The second
// result is also false if the density is so steep that mostPanels panels do not cover one side of u = 0.
func (d *Diffusion) Stationary() (*Stationary, bool) {
	minus, plus := d.line.Minus, d.line.Plus
	recurrent := plus.Slope < 0 && (minus.Enterable || minus.Slope > 0)
	if d.line.Velocity != nil || !recurrent {
		return nil, false
	}
	s := &Stationary{d: d}
	var covered [2]bool
	s.right, covered[0] = s.march(plus.Reach)
	s.left, covered[1] = s.march(-minus.Reach)
	if covered != [2]bool{true, true} {
		return nil, false
	}
	for _, panels := range [][]weighedPanel{s.left, s.right} {
		for _, p := range panels {
			s.level = max(s.level, p.first, p.first-p.WholeRise)
		}
	}
	s.low = s.beyond(s.left, minus.Slope-minus.Variance)
	s.top = s.beyond(s.right, -plus.Slope)
	s.mass = s.low + s.top + s.expectation(func(float64) float64 { return 1 })
	return s, true
}

// mostPanels bounds the number of panels on each side of u = 0. A panel covers a change of h by at most
// quadrature.Steepest.
const mostPanels = 1 << 16

// march returns panels that cover the interval from 0 to u. The second result is false if mostPanels panels
// do not cover the interval.
func (s *Stationary) march(u float64) (panels []weighedPanel, covered bool) {
	side := math.Copysign(1, u)
	h := 0.0
	for p := (quadrature.Panel{Width: 0.25 * side}); p.Start != u; p.Advance() {
		if len(panels) == mostPanels {
			return nil, false
		}
		p.Shorten(math.Abs(u - p.Start))
		w := s.weigh(p, h)
		p = w.Panel
		panels = append(panels, w)
		h -= w.WholeRise
	}
	return panels, true
}

// weigh shortens the panel p until the Gauss-Legendre nodes resolve the stationary density exp(h)/γ² on the
// panel.
func (s *Stationary) weigh(p quadrature.Panel, first float64) weighedPanel {
	falling := func(u float64) float64 { return -line.Bounded(s.d.line.Slope(line.Of(u))) }
	for {
		p.Fit(falling, quadrature.Steepest)
		p.Mass()
		w := weighedPanel{Panel: p, first: first}
		greatest := 0.0
		for i := range w.weight {
			w.weight[i] = 1 / s.d.line.Variance(line.Of(p.Position(i)))
			greatest = max(greatest, w.weight[i])
		}
		if quadrature.Gauss.Unresolved(&w.weight) <= 1e-10*greatest ||
			math.Abs(p.Width) < quadrature.Narrowest {
			for i := range w.weight {
				w.weight[i] *= p.Density[i]
			}
			return w
		}
		p.Width *= 0.5
	}
}

// beyond returns the stationary mass beyond the last of the panels, where the density falls exponentially in
// |u| at the given rate.
func (s *Stationary) beyond(panels []weighedPanel, rate float64) float64 {
	last := panels[len(panels)-1]
	end := line.Of(last.Start + last.Width)
	return elementary.Exp(last.first-last.WholeRise-s.level) / s.d.line.Variance(end) / rate
}

// integral returns the integral ∫ f exp(h)/γ² du over a panel.
func (s *Stationary) integral(w *weighedPanel, f func(z float64) float64) float64 {
	var values [quadrature.Order]float64
	for i := range values {
		values[i] = w.weight[i] * f(line.Of(w.Position(i)).Z)
	}
	size := float64(0.5 * math.Abs(w.Width) * quadrature.Gauss.Integral(&values))
	return size * elementary.Exp(w.first-s.level)
}

func (s *Stationary) expectation(f func(z float64) float64) float64 {
	sum := 0.0
	for _, panels := range [][]weighedPanel{s.left, s.right} {
		for i := range panels {
			sum += s.integral(&panels[i], f)
		}
	}
	return sum
}

// Expectation returns the mean of f(Z) under the stationary law of the overlap Z; f must be smooth on [-1,
// 1].
func (s *Stationary) Expectation(f func(z float64) float64) float64 {
	return (float64(s.low*f(-1)) + float64(s.top*f(1)) + s.expectation(f)) / s.mass
}

// Mean returns the mean overlap under the stationary law.
func (s *Stationary) Mean() float64 { return s.Expectation(func(z float64) float64 { return z }) }

// Density returns the stationary density of the overlap at z in (-1, 1); Density panics for other z.
func (s *Stationary) Density(z float64) float64 {
	log := -s.d.LogScaleDensity(z) - s.level - elementary.Log(s.d.Variance(z))
	return elementary.Exp(log) / s.mass
}

// Below returns the stationary probability P(Z ≤ z) of the overlap Z for z in [-1, 1]; Below panics for other
// z.
func (s *Stationary) Below(z float64) float64 {
	line.MustBeOverlap(z)
	switch z {
	case -1:
		return 0
	case 1:
		return 1
	}
	u := line.Atanh(z)
	one := func(float64) float64 { return 1 }
	panels, beyond, side := s.left, s.low, -1.0
	if u > 0 {
		panels, beyond, side = s.right, s.top, 1
	}
	outside := beyond
	for i := range panels {
		p := &panels[i]
		end := p.Start + p.Width
		switch {
		case side*p.Start >= side*u:
			outside += s.integral(p, one)
		case side*end > side*u:
			part := s.weigh(quadrature.Panel{Start: p.Start, Width: u - p.Start}, p.first)
			outside += s.integral(p, one) - s.integral(&part, one)
		}
	}
	if u > 0 {
		return 1 - outside/s.mass
	}
	return outside / s.mass
}
