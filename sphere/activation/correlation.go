package activation

import (
	"fmt"
	"math"

	"antipode/sphere/elementary"
)

// LargestVariance is the largest variance of pre-activations that NewCorrelation accepts, and
// LeastVariance is the smallest.
const (
	LargestVariance = 1e4
	LeastVariance   = 1e-4
)

// A Correlation is φ̂, the correlation of the outputs of a wide MLP for two unit vectors. ReLU and GELU are
// sums of x/2 and an even function. So their φ̂ is the sum of a linear part and an even part. For all other
// activations φ̂ is odd. A Correlation does not change, and is safe for concurrent use.
type Correlation struct {
	activation Activation
	variance   float64
	linear     float64                  // value of the linear part at z = 1
	moment     float64                  // E φ²
	fall       func(at overlap) float64 // (1-f(z))/(1-z) for z ≥ 0; f is the other part, f(1) = 1
}

// An overlap is z in [0, 1] together with u = atanh z, 1+z and 1-z; 1-z is accurate near z = 1.
type overlap struct{ u, z, above, below float64 }

// NewCorrelation returns the correlation of an activation for pre-activations of the given variance w. It
// is an error if the activation is undefined or the variance is not from LeastVariance to
// LargestVariance.
func NewCorrelation(a Activation, variance float64) (*Correlation, error) {
	if a < 0 || int(a) >= len(Names) {
		return nil, fmt.Errorf("%v is not allowed: it must be one of %v", a, Names)
	}
	if !(variance >= LeastVariance && variance <= LargestVariance) {
		return nil, fmt.Errorf("variance %v of pre-activations is not allowed: it must be from %v to %v",
			variance, LeastVariance, LargestVariance)
	}
	c := &Correlation{activation: a, variance: variance}
	switch a {
	case Linear:
		c.linear, c.moment = 1, variance
	case Tanh:
		c.tanh()
	case Erf:
		c.erf()
	case Sin:
		c.sine()
	case ReLU:
		c.relu()
	case GELU:
		c.gelu()
	case Hermite3:
		c.hermite()
	}
	return c, nil
}

// Moment returns E φ(√w g)².
func (c *Correlation) Moment() float64 { return c.moment }

// Odd reports whether φ̂(-z) = -φ̂(z).
func (c *Correlation) Odd() bool { return c.activation.Odd() }

// Slope returns φ̂'(1) = w E φ'²/E φ².
func (c *Correlation) Slope() float64 {
	if c.activation == Linear {
		return 1
	}
	return c.linear + float64((1-c.linear)*c.fall(overlap{math.Inf(1), 1, 2, 0}))
}

// Opposite returns 1 + φ̂(-1), which is 0 if φ is odd and positive otherwise.
func (c *Correlation) Opposite() float64 {
	if c.Odd() {
		return 0
	}
	return 2 * (1 - c.linear)
}

// Reach returns the |u|, u = atanh z, beyond which Shares equal their limits to rounding. It is greater
// for ReLU, whose even part has a term of order (1-z)^(1/2).
func (c *Correlation) Reach() float64 {
	if c.activation == ReLU {
		return 40
	}
	return 24 + float64(0.5*elementary.Log1p(100*c.variance))
}

// At returns φ̂(z) for z in [-1, 1].
func (c *Correlation) At(z float64) float64 {
	if c.activation == Linear {
		return z
	}
	size := math.Abs(z)
	at := overlap{math.Inf(1), size, 1 + size, 1 - size}
	if size < 1 {
		at.u = 0.5 * elementary.Log1p(2*size/(1-size))
	}
	other := 1 - float64(at.below*c.fall(at))
	if z < 0 && c.Odd() {
		other = -other
	}
	return float64(c.linear*z) + float64((1-c.linear)*other)
}

// Shares returns, for z = tanh u,
//
//	own = (1 - zφ̂(z))/(1-z²), shared = (φ̂(z) - z)/(1-z²),
//
// which are accurate near both ends. If the activation is odd, both have finite limits at the ends. Otherwise
// both grow like 1/(1+z) near -1, and are +Inf where 1+z underflows.
func (c *Correlation) Shares(u float64) (own, shared float64) {
	if c.activation == Linear {
		return 1, 0
	}
	t := elementary.Exp(-2 * math.Abs(u))
	at := overlap{math.Abs(u), (1 - t) / (1 + t), 2 / (1 + t), 2 * t / (1 + t)}
	fall := c.fall(at)
	if u >= 0 || c.Odd() {
		own = (1 + float64(at.z*fall)) / at.above
		shared = math.Copysign(1, u) * (1 - fall) / at.above
	} else {
		value := 1 - float64(at.below*fall)
		own = (1 + float64(at.z*value)) / at.above / at.below
		shared = (value + at.z) / at.above / at.below
	}
	rest := 1 - c.linear
	return c.linear + float64(rest*own), rest * shared
}

// erf sets φ̂ = arcsin(sz)/arcsin s with s = 2w/(1+2w).
func (c *Correlation) erf() {
	s := 2 * c.variance / (1 + float64(2*c.variance))
	a := arcsine{s, math.Sqrt(1+float64(4*c.variance)) / (1 + float64(2*c.variance))}
	whole := a.whole()
	c.moment = 2 / math.Pi * whole
	c.fall = func(at overlap) float64 { return a.fall(at) / whole }
}

// sine sets φ̂ = sinh(wz)/sinh w; 1-φ̂ is 2 cosh(½w(1+z)) sinh(½w(1-z))/sinh w.
func (c *Correlation) sine() {
	whole := -elementary.Expm1(-2 * c.variance)
	c.moment = 0.5 * whole
	c.fall = func(at overlap) float64 {
		quotient := c.variance
		if at.below > 0 {
			quotient = -elementary.Expm1(-float64(c.variance*at.below)) / at.below
		}
		return quotient * (1 + elementary.Exp(-float64(c.variance*at.above))) / whole
	}
}

// hermite sets φ̂ = (a₁z + a₃z³)/(a₁+a₃). For y = √w g, y³-3y is 3√w(w-1) g + w^(3/2) (g³-3g).
func (c *Correlation) hermite() {
	w := c.variance
	first, third := float64(9*w*(w-1)*(w-1)), float64(6*w*w*w)
	c.moment = first + third
	c.fall = func(at overlap) float64 {
		return (first + float64(third*(1+at.z+float64(at.z*at.z)))) / c.moment
	}
}

// relu decomposes ReLU into half its argument and half the absolute value, with
// E|x||y| = (2w/π)(√(1-z²) + z arcsin z). With z = cos θ, the even part f has 1-f = 1 - z - (sin θ - θ
// cos θ)/(π/2).
func (c *Correlation) relu() {
	c.linear, c.moment = 0.5, 0.5*c.variance
	c.fall = func(at overlap) float64 {
		if at.below == 0 {
			return 1
		}
		sine := math.Sqrt(float64(at.above * at.below))
		return 1 - segment(elementary.Atan2(sine, at.z), sine, at.z)/(0.5*math.Pi*at.below)
	}
}

// segment returns sin θ - θ cos θ, computed from its series for small angles.
func segment(angle, sine, cosine float64) float64 {
	if angle > 0.5 {
		return sine - float64(angle*cosine)
	}
	square := float64(angle * angle)
	term, sum := angle*square/6, 0.0 // θ^(2k+1)/(2k+1)!
	for k := 1.0; k < 9; k++ {
		sum += float64(2 * k * term)
		term *= -square / ((2*k + 2) * (2*k + 3))
	}
	return sum
}

// gelu decomposes GELU into half its argument and the even function ½x erf(x/√2). For the even function, with
// s = w/(1+w),
//
//	E = (w/2π) g(z), g(z) = z arcsin sz + s (1+(1-2s)z²)/√(1-s²z²).
func (c *Correlation) gelu() {
	w := c.variance
	s := w / (1 + w)
	a := arcsine{s, math.Sqrt(1+2*w) / (1 + w)}
	whole := a.whole() + 2*s*a.root/(1+s)
	even := w * whole / (2 * math.Pi)
	c.moment = float64(0.25*w) + even
	c.linear = 0.25 * w / c.moment
	c.fall = func(at overlap) float64 {
		root := a.rootAt(at)
		bend := 2*a.root*s*s/((1+s)*(root+a.root)) + 1 - 2*s
		return (a.fall(at) + a.at(at) + float64(s*at.above*bend/root)) / whole
	}
}
