package stack

import (
	"math"

	"antipode/overlap/propagation"
	"antipode/sphere/elementary"
)

// hidden describes the MLP's hidden layer for two normalised tokens, as a function of the cosine of the
// tokens.
type hidden struct {
	variance float64 // variance w of pre-activations
	bias     float64 // part of the variance that is due to biases
	gated    bool
	phi      func(x float64) float64
	kernel   func(rho float64) float64 // kernel E φφ of the activation at a correlation
	slope    func(rho float64) float64 // E φ'φ' of the activation at a correlation
}

func newHidden(s Architecture) *hidden {
	a, variance := s.Activation, s.Hidden2+s.Bias2
	h := &hidden{variance: variance, bias: s.Bias2, gated: s.Gated, phi: a.function()}
	if a <= GELU {
		closed := propagation.Activation(a)
		h.kernel = func(rho float64) float64 { return closed.Kernel(variance, variance*rho) }
		h.slope = func(rho float64) float64 { return closed.Slope(variance, variance*rho) }
		if a == ReLU && variance == 0 { // networks have φ'(0) = 0
			h.slope = func(float64) float64 { return 0 }
		}
		return h
	}
	h.expand(a)
	return h
}

// expand sets kernel and slope to Hermite expansions. Expansions need the more terms the larger the variance
// w is. For large w, only the difference from a similar function with a closed form is expanded: from
// xΦ(x/c) = c GELU(x/c), with c = 1 for GELUTanh and c = π/√3 for SiLU. Then SiLU and xΦ(x/c) have the same
// integral of their difference from ReLU. The terms that are left out contribute less than 1e-3 of the
// kernel and slope.
func (h *hidden) expand(a Activation) {
	variance := h.variance
	squares := hermiteSquares(h.phi, math.Sqrt(variance))
	// Below this variance, the derivatives of the activation at 0 determine the slope, to rounding.
	const least = 1e-40
	w := max(variance, least)
	slopes := squares
	if variance < least {
		slopes = hermiteSquares(h.phi, math.Sqrt(w))
	}
	derivative := make([]float64, len(slopes)-1)
	for n := range derivative {
		derivative[n] = float64(float64(n+1)*slopes[n+1]) / w
	}
	h.kernel = func(rho float64) float64 { return horner(squares, rho) }
	h.slope = func(rho float64) float64 { return horner(derivative, rho) }
	if variance <= fewTerms || a == Linear {
		return
	}
	c := 1.
	if a == SiLU {
		c = math.Pi / math.Sqrt(3)
	}
	gelu, scaled := GELU.function(), variance/float64(c*c)
	similar := hermiteSquares(func(x float64) float64 { return float64(c * gelu(x/c)) }, math.Sqrt(variance))
	for n := range min(len(squares), len(similar)) { // terms that are negligible were left out
		squares[n] -= similar[n]
		if n > 0 {
			derivative[n-1] = float64(float64(n)*squares[n]) / w
		}
	}
	h.kernel = func(rho float64) float64 {
		return float64(c*c*propagation.GELU.Kernel(scaled, scaled*rho)) + horner(squares, rho)
	}
	h.slope = func(rho float64) float64 {
		return propagation.GELU.Slope(scaled, scaled*rho) + horner(derivative, rho)
	}
}

// fewTerms is a variance of pre-activations up to which hermiteTerms are sufficient for kernel and slope to
// several digits.
const fewTerms = 16

// correlation returns the correlation of the pre-activations of two tokens with cosine rho.
func (h *hidden) correlation(rho float64) float64 {
	if h.bias == 0 {
		return rho
	}
	return (float64((h.variance-h.bias)*rho) + h.bias) / h.variance
}

// gram returns E hh', the mean product of the values h and h' of a hidden activation for two tokens with
// cosine rho.
func (h *hidden) gram(rho float64) float64 {
	rho = h.correlation(rho)
	if h.gated {
		return float64(h.kernel(rho) * h.variance * rho)
	}
	return h.kernel(rho)
}

// derivativeGram returns the derivative of gram with respect to the covariance of the pre-activations: the
// mean product of the derivatives of the hidden activations of two tokens with respect to their
// pre-activations.
func (h *hidden) derivativeGram(rho float64) float64 {
	rho = h.correlation(rho)
	if h.gated {
		return float64(h.slope(rho)*h.variance*rho) + h.kernel(rho)
	}
	return h.slope(rho)
}

func (a Activation) function() func(x float64) float64 {
	switch a {
	case ReLU:
		return func(x float64) float64 { return max(x, 0) }
	case Tanh:
		return tanh
	case Erf:
		return elementary.Erf
	case GELU:
		return func(x float64) float64 { return 0.5 * x * (1 + elementary.Erf(x/math.Sqrt2)) }
	case GELUTanh:
		return func(x float64) float64 {
			return 0.5 * x * (1 + tanh(math.Sqrt(2/math.Pi)*(x+float64(0.044715*x*x*x))))
		}
	case SiLU:
		return func(x float64) float64 { return x / (1 + elementary.Exp(-x)) }
	}
	return func(x float64) float64 { return x }
}

// tanh returns the hyperbolic tangent (e^(2x)-1)/(e^(2x)+1), which is ±1 to the last bit beyond |x| = 20.
func tanh(x float64) float64 {
	e := elementary.Expm1(2 * min(math.Abs(x), 20))
	return math.Copysign(e/(e+2), x)
}

// hermiteTerms is the number of Hermite polynomials in the expansion of an activation; coefficient n of
// GELUTanh and SiLU falls at least as fast as e^(-π√(n/w)) for pre-activations of variance w.
const hermiteTerms = 240

// hermiteSquares returns the squared coefficients aₙ² of the activation φ(ag) in the orthonormal Hermite
// polynomials of a standard normal g, so that E φ(ag)φ(ag') = Σ aₙ² ρⁿ for standard normal g and g' of
// correlation ρ (Mehler). Each aₙ is the integral of φ(ax) with the polynomial and the normal density,
// computed by the trapezoidal rule. Its steps resolve features of φ of width 1/4.
func hermiteSquares(phi func(float64) float64, a float64) []float64 {
	const reach = 40
	step := 1 / max(16, math.Ceil(4*a))
	coefficients := make([]float64, hermiteTerms)
	for k := -reach / step; float64(k*step) <= reach; k++ {
		x := float64(k * step)
		last, now := 0.0, elementary.Exp(-0.25*x*x)/math.Sqrt(math.Sqrt(2*math.Pi))
		weight := float64(step*phi(float64(a*x))) * now
		for n := range coefficients {
			coefficients[n] += float64(weight * now)
			next := (float64(x*now) - float64(math.Sqrt(float64(n))*last)) / math.Sqrt(float64(n+1))
			last, now = now, next
		}
	}
	total := 0.0
	for n, c := range coefficients {
		coefficients[n] = float64(c * c)
		total += coefficients[n]
	}
	const negligible = 1e-22 // also when multiplied by n
	for n := len(coefficients); n > 2 && coefficients[n-1] <= negligible*total; n-- {
		coefficients = coefficients[:n-1]
	}
	return coefficients
}

func horner(coefficients []float64, x float64) float64 {
	sum := 0.0
	for n := len(coefficients) - 1; n >= 0; n-- {
		sum = float64(sum*x) + coefficients[n]
	}
	return sum
}

// HiddenSquare returns the mean square of the output of a hidden unit of the MLP, over random weights, for
// normalised tokens.
func (k *Stack) HiddenSquare() float64 { return k.hidden.gram(1) }
