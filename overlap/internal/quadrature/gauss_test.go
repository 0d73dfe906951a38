package quadrature

import (
	"math"
	"math/big"
	"testing"

	"antipode/overlap/internal/overlaptest"

	"gonum.org/v1/gonum/integrate/quad"
)

// The constants are the zeros of the Legendre polynomial of degree 16 and the weights 2/((1-x²) P'(x)²),
// rounded to float64: Newton's method with 200 bits gives the same.
func TestGaussConstants(t *testing.T) {
	for i := range positiveNodes {
		x := overlaptest.BigNumber(positiveNodes[i])
		for range 4 {
			value, slope := bigLegendre(x)
			x.Sub(x, new(big.Float).Quo(value, slope))
		}
		_, slope := bigLegendre(x)
		weight := new(big.Float).Sub(overlaptest.BigNumber(1), new(big.Float).Mul(x, x))
		weight.Mul(weight, slope).Mul(weight, slope)
		weight.Quo(overlaptest.BigNumber(2), weight)
		if node, _ := x.Float64(); node != positiveNodes[i] {
			t.Errorf("node %d is %v, want %v", i, positiveNodes[i], node)
		}
		if w, _ := weight.Float64(); w != positiveWeights[i] {
			t.Errorf("weight %d is %v, want %v", i, positiveWeights[i], w)
		}
	}
}

// bigLegendre returns the Legendre polynomial of the highest degree and its derivative.
func bigLegendre(x *big.Float) (value, slope *big.Float) {
	multiply := func(a float64, b, c *big.Float) *big.Float {
		p := new(big.Float).Mul(b, c)
		return p.Mul(p, overlaptest.BigNumber(a))
	}
	before, p := overlaptest.BigNumber(1), x
	for k := 1.0; k < Order; k++ {
		next := new(big.Float).Sub(multiply(2*k+1, x, p), multiply(k, before, overlaptest.BigNumber(1)))
		before, p = p, next.Quo(next, overlaptest.BigNumber(k+1))
	}
	slope = multiply(Order, new(big.Float).Sub(new(big.Float).Mul(x, p), before), overlaptest.BigNumber(1))
	return p, slope.Quo(slope, new(big.Float).Sub(new(big.Float).Mul(x, x), overlaptest.BigNumber(1)))
}

// Gonum's rule of the same order has the same nodes and weights.
func TestGaussRuleAgainstGonum(t *testing.T) {
	var node, weight [Order]float64
	quad.Legendre{}.FixedLocations(node[:], weight[:], -1, 1)
	for i := range node {
		near(t, "node", Gauss.Node[i], node[Order-1-i], 1e-15)
		near(t, "weight", Gauss.Weight[i], weight[Order-1-i], 1e-15)
	}
}

func TestGaussRuleIntegratesPolynomials(t *testing.T) {
	for degree := range 2 * Order {
		power := float64(degree + 1)
		var value, antiderivative [Order]float64
		for i, x := range Gauss.Node {
			value[i] = math.Pow(x, float64(degree))
		}
		near(t, "integral of a power", Gauss.Integral(&value), (1-math.Pow(-1, power))/power, 1e-15)
		if degree >= Order {
			continue // beyond the polynomial through the nodes
		}
		Gauss.Antiderivative(&antiderivative, &value)
		for i, x := range Gauss.Node {
			near(t, "antiderivative of a power", antiderivative[i],
				(math.Pow(x, power)-math.Pow(-1, power))/power, 3e-15)
		}
	}
}

func TestUnresolved(t *testing.T) {
	for degree := range Order {
		var value [Order]float64
		for i, x := range Gauss.Node {
			value[i] = legendre(x)[degree]
		}
		want := 0.0
		if degree >= Order-2 {
			want = 1
		}
		near(t, "last coefficients of a Legendre polynomial", Gauss.Unresolved(&value), want, 2e-14)
	}
}

// Derivatives of Legendre polynomials satisfy (1-x²) P'_n = n (P_(n-1) - x P_n).
func TestSlopesOfLegendrePolynomials(t *testing.T) {
	const x = 0.3
	p := legendre(x)
	for n, got := range legendreSlopes(&p) {
		want := 0.0
		if n > 0 {
			want = float64(n) * (p[n-1] - x*p[n]) / (1 - x*x)
		}
		if !(math.Abs(got-want) <= 1e-12) {
			t.Errorf("of degree %d: %v, want %v", n, got, want)
		}
	}
}
