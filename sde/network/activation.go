package network

import (
	"math"

	"antipode/sde/internal/kernels"
	"antipode/sphere/elementary"
)

// Activation is the non-linearity φ of the hidden layer of an MLP.
type Activation int

// The activations map x to φ(x). Erf is the error function, GELU is xΦ(x) with Φ the normal distribution
// function, GELUTanh is the approximation ½x(1 + tanh(√(2/π)(x + 0.044715x³))), and SiLU is x/(1+e^(-x)).
const (
	ReLU Activation = iota
	Tanh
	Erf
	GELU
	Linear
	GELUTanh
	SiLU
)

// ActivationNames are the names of the activations, in the order of the constants.
var ActivationNames = []string{"relu", "tanh", "erf", "gelu", "linear", "gelu-tanh", "silu"}

// String returns the name of the activation.
func (a Activation) String() string { return ActivationNames[a] }

// apply writes the activation φ(x) of every entry x of src to dst.
func (a Activation) apply(dst, src []float64) {
	dst = dst[:len(src)]
	switch a {
	case ReLU:
		for k, x := range src {
			dst[k] = max(x, 0)
		}
	case Linear:
		copy(dst, src)
	case GELUTanh, SiLU:
		exponent := func(x float64) float64 { return -2 * tanhArgument(x) }
		if a == SiLU {
			exponent = func(x float64) float64 { return -x }
		}
		logistic(dst, src, exponent)
		for k, x := range src {
			dst[k] *= x
		}
	default:
		value := a.function()
		for k, x := range src {
			dst[k] = value(x)
		}
	}
}

// chain applies the chain rule: it multiplies derivatives by φ'(x), for every entry x of src. The derivative
// of ReLU at 0 is taken to be 0.
func (a Activation) chain(derivatives, src []float64) {
	derivatives = derivatives[:len(src)]
	switch a {
	case ReLU:
		for k, x := range src {
			kept := uint64(0) // a branch would be mispredicted half of the time
			if x > 0 {
				kept = math.MaxUint64
			}
			derivatives[k] = math.Float64frombits(math.Float64bits(derivatives[k]) & kept)
		}
	case Linear:
	default:
		slope := a.slope()
		for k, x := range src {
			derivatives[k] *= slope(x)
		}
	}
}

func (a Activation) function() func(x float64) float64 {
	switch a {
	case Tanh:
		return tanh
	case Erf:
		return elementary.Erf
	}
	return func(x float64) float64 { return x * distribution(x) }
}

func (a Activation) slope() func(x float64) float64 {
	switch a {
	case Tanh:
		return func(x float64) float64 { y := tanh(x); return (1 - y) * (1 + y) }
	case Erf:
		return func(x float64) float64 {
			return 2 / math.SqrtPi * elementary.Exp(-float64(x*x))
		}
	case GELU:
		return func(x float64) float64 {
			return distribution(x) + float64(x*math.Sqrt(0.5/math.Pi)*elementary.Exp(-float64(0.5*x*x)))
		}
	case SiLU:
		return func(x float64) float64 {
			share := 1 / (1 + elementary.Exp(-x))
			return math.FMA(float64(x*share), 1-share, share)
		}
	}
	return func(x float64) float64 { // derivative of x/(1+e^(-2u)) with u = tanhArgument(x)
		share := 1 / (1 + elementary.Exp(-2*tanhArgument(x)))
		slope := math.Sqrt(2/math.Pi) * (1 + float64(3*gelu*x*x))
		return math.FMA(float64(2*x*share*(1-share)), slope, share)
	}
}

// tanhArgument returns √(2/π)(x + 0.044715x³), the argument of tanh in GELUTanh.
func tanhArgument(x float64) float64 {
	return math.Sqrt(2/math.Pi) * x * (1 + float64(gelu*x*x))
}

const gelu = 0.044715

// logistic writes 1/(1+e^exponent(x)) for every entry x of src.
func logistic(dst, src []float64, exponent func(x float64) float64) {
	const together = 512 // number of entries processed at a time, so that they stay in the cache
	for first := 0; first < len(src); first += together {
		part := dst[first:min(first+together, len(src))]
		for k := range part {
			part[k] = exponent(src[first+k])
		}
		kernels.Exponentials(part, 1)
		for k, x := range part {
			part[k] = 1 / (1 + x)
		}
	}
}

// tanh returns (e^(2x)-1)/(e^(2x)+1), with the sign of x; beyond |x| = 20 tanh x is ±1 to the last bit.
func tanh(x float64) float64 {
	e := elementary.Expm1(2 * min(math.Abs(x), 20))
	return math.Copysign(e/(e+2), x)
}

// distribution is the distribution function of a standard normal variable.
func distribution(x float64) float64 { return float64(0.5 * (1 + elementary.Erf(x*math.Sqrt2/2))) }
