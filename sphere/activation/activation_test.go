package activation

import (
	"math"
	"testing"
)

var all = []Activation{Linear, Tanh, Erf, Sin, ReLU, GELU, Hermite3}

// phi returns φ and its derivative, from package math; at the kink of ReLU, the derivative is the root of
// its mean square.
func phi(a Activation, x float64) (value, slope float64) {
	switch a {
	case Tanh:
		c := math.Cosh(x)
		return math.Tanh(x), 1 / (c * c)
	case Erf:
		return math.Erf(x), 2 / math.Sqrt(math.Pi) * math.Exp(-x*x)
	case Sin:
		return math.Sin(x), math.Cos(x)
	case ReLU:
		if x == 0 {
			return 0, math.Sqrt2 / 2
		}
		return max(x, 0), (1 + math.Copysign(1, x)) / 2
	case GELU:
		cumulative := math.Erfc(-x/math.Sqrt2) / 2
		return x * cumulative, cumulative + x*math.Exp(-x*x/2)/math.Sqrt(2*math.Pi)
	case Hermite3:
		return x*x*x - 3*x, 3*x*x - 3
	}
	return x, 1
}

// An undefined activation has no value.
func TestUndefinedActivation(t *testing.T) {
	for _, a := range []Activation{-1, Activation(len(all))} {
		if got := a.At(1); !math.IsNaN(got) {
			t.Errorf("activation %d: %v", a, got)
		}
	}
}

func TestValuesAgainstPackageMath(t *testing.T) {
	for _, a := range all {
		for _, x := range []float64{0, math.Copysign(0, -1), 1e-300, -1e-9, 0.3, -0.3, 1, -2.5, 7, -30, 400} {
			want, _ := phi(a, x)
			if got := a.At(x); !(math.Abs(got-want) <= 1e-14*(1+math.Abs(x)*math.Abs(want))) {
				t.Errorf("%v(%g) = %.17g, want %.17g", a, x, got, want)
			}
			if got := a.At(-x); a.Odd() && got != -a.At(x) {
				t.Errorf("%v(%g) = %g is not minus %g", a, -x, got, a.At(x))
			}
		}
	}
}

// The mixture of normal distributions equals tanh at every point.
func TestTanhIsItsMixture(t *testing.T) {
	for _, y := range []float64{0, 1e-9, 0.01, 0.3, 1, 2.7, 6, 15, 40} {
		sum := 0.0
		for k, v := range Scales {
			sum += Probabilities[k] * math.Erf(y/math.Sqrt(2*v))
		}
		if !(math.Abs(sum-math.Tanh(y)) <= 1e-14) {
			t.Errorf("y = %g: %.17g, tanh %.17g", y, sum, math.Tanh(y))
		}
	}
}

func TestNames(t *testing.T) {
	for _, a := range all {
		if got, err := Parse(a.String()); err != nil || got != a {
			t.Errorf("%v is parsed as %v, %v", a, got, err)
		}
	}
	const want = `activation "swish" is not known: ` +
		`it must be one of linear, tanh, erf, sin, relu, gelu, hermite3`
	if _, err := Parse("swish"); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	if got := Activation(9).String(); got != "Activation(9)" {
		t.Error(got)
	}
}
