package activation

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"antipode/sphere/elementary"
)

// An Activation is the non-linearity φ of an MLP.
type Activation int

// The activations of an MLP. Erf is the error function. GELU is xΦ(x) with Φ the normal distribution
// function, not the approximation of Φ by tanh. Hermite3 is x³-3x, the Hermite polynomial of degree 3.
const (
	Linear Activation = iota
	Tanh
	Erf
	Sin
	ReLU
	GELU
	Hermite3
)

// Names are the names of the activations, in the order of the constants from Linear on.
var Names = []string{"linear", "tanh", "erf", "sin", "relu", "gelu", "hermite3"}

// String returns the name of the activation, and "Activation(n)" for any other value n.
func (a Activation) String() string {
	if a < 0 || int(a) >= len(Names) {
		return fmt.Sprintf("Activation(%d)", int(a))
	}
	return Names[a]
}

// Parse returns the activation with the given name, or an error if no activation has this name.
func Parse(name string) (Activation, error) {
	if k := slices.Index(Names, name); k >= 0 {
		return Activation(k), nil
	}
	return 0, fmt.Errorf("activation %q is not known: it must be one of %s", name, strings.Join(Names, ", "))
}

// Labels returns the names of all activations in the order of the constants, as labels for a table
// column.
func (Activation) Labels() []string { return Names }

// UnmarshalText sets the activation to that with the given name. The error of UnmarshalText is that of Parse.
func (a *Activation) UnmarshalText(text []byte) error {
	parsed, err := Parse(string(text))
	if err == nil {
		*a = parsed
	}
	return err
}

// MarshalText returns the name of the activation, or an error if the activation is undefined.
func (a Activation) MarshalText() ([]byte, error) {
	_, err := Parse(a.String())
	return []byte(a.String()), err
}

// Odd reports whether the activation φ is odd, φ(-x) = -φ(x).
func (a Activation) Odd() bool { return a != ReLU && a != GELU }

// At returns the activation φ(x) for finite x, with the same bits on every machine. At returns NaN for an
// undefined activation.
func (a Activation) At(x float64) float64 {
	switch a {
	case Linear:
		return x
	case Tanh:
		return tanh(x)
	case Erf:
		return elementary.Erf(x)
	case Sin:
		sine, _ := elementary.SinCos(x)
		return sine
	case ReLU:
		return max(x, 0)
	case GELU:
		return 0.5 * x * (1 + elementary.Erf(float64(x*(1/math.Sqrt2))))
	case Hermite3:
		return x * (float64(x*x) - 3)
	}
	return math.NaN()
}

// tanh returns the hyperbolic tangent of x, computed from e^(-2|x|) - 1, without cancellation or overflow.
func tanh(x float64) float64 {
	lost := elementary.Expm1(-2 * math.Abs(x))
	return math.Copysign(lost/(2+lost), x)
}
