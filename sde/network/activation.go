package network

import (
	"math"

	"antipode/sphere/elementary"
)

// Activation is the non-linearity φ of the MLP.
type Activation int

// The activations. Erf is the error function itself; GELU is xΦ(x) with Φ the normal
// distribution function.
const (
	ReLU Activation = iota
	Tanh
	Erf
	GELU
	Linear
)

// ActivationNames are the names, in the order of the constants.
var ActivationNames = []string{"relu", "tanh", "erf", "gelu", "linear"}

// String is the name.
func (a Activation) String() string { return ActivationNames[a] }

// functions returns φ and its derivative; that of ReLU at 0 is 0.
func (a Activation) functions() (value, slope func(x float64) float64) {
	switch a {
	case ReLU:
		return func(x float64) float64 { return max(x, 0) }, step
	case Tanh:
		return tanh, func(x float64) float64 { y := tanh(x); return (1 - y) * (1 + y) }
	case Erf:
		return elementary.Erf, func(x float64) float64 {
			return 2 / math.SqrtPi * elementary.Exp(-float64(x*x))
		}
	case GELU:
		return func(x float64) float64 { return x * normal(x) }, func(x float64) float64 {
			return normal(x) + float64(x*math.Sqrt(0.5/math.Pi)*elementary.Exp(-float64(0.5*x*x)))
		}
	}
	return func(x float64) float64 { return x }, func(float64) float64 { return 1 }
}

func step(x float64) float64 {
	if x > 0 {
		return 1
	}
	return 0
}

// tanh is (e^(2x)-1)/(e^(2x)+1); beyond 20 it is 1 to the last bit.
func tanh(x float64) float64 {
	e := elementary.Expm1(2 * min(math.Abs(x), 20))
	return math.Copysign(e/(e+2), x)
}

// normal is the normal distribution function.
func normal(x float64) float64 { return float64(0.5 * (1 + elementary.Erf(x*math.Sqrt2/2))) }
