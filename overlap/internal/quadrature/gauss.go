// Package quadrature integrates functions of one variable on Gauss-Legendre panels, and finds zeros of
// functions of one variable.
package quadrature

import (
	"math"
)

// Order is the number of Gauss-Legendre nodes of a Rule and of a Panel.
const Order = 16

// The positive nodes of the 16-point Gauss-Legendre rule on [-1, 1], outermost node first, and the weights of
// these nodes.
var (
	positiveNodes = [Order / 2]float64{
		0.9894009349916499326, 0.94457502307323257608, 0.86563120238783174388, 0.7554044083550030339,
		0.61787624440264374845, 0.45801677765722738634, 0.28160355077925891323, 0.095012509837637440185,
	}
	positiveWeights = [Order / 2]float64{
		0.027152459411754094852, 0.062253523938647892863, 0.09515851168249278481, 0.12462897125553387205,
		0.14959598881657673208, 0.16915651939500253819, 0.18260341504492358887, 0.18945061045506849629,
	}
)

// A Rule represents a function on [-1, 1] by the values of the function at the Gauss-Legendre nodes, which
// determine the interpolating polynomial of degree Order-1.
type Rule struct {
	Node, Weight [Order]float64
	// cumulative[i][j] is the contribution of value j to the integral from -1 to node i.
	cumulative [Order][Order]float64
	// last[k][j] is the contribution of value j to the Legendre coefficient of degree Order-2+k.
	last [2][Order]float64
	// Slope[i][j] is the contribution of value j to the derivative at node i. First[j] is the contribution of
	// value j to the value at -1, and Final[j] the contribution of value j to the value at 1.
	Slope        [Order][Order]float64
	First, Final [Order]float64
}

// Gauss is the Gauss-Legendre rule with Order nodes.
var Gauss = newRule()

// newRule constructs the Gauss-Legendre rule from the positive nodes. The Legendre coefficient of degree k is
// (2k+1)/2 Σ_j weight_j P_k(node_j) value_j, since the rule is exact for products of two polynomials of
// degree below Order, and ∫_{-1}^x P_k = (P_{k+1}(x) - P_{k-1}(x))/(2k+1).
func newRule() *Rule {
	var rule Rule
	for j := range Order / 2 {
		rule.Node[j], rule.Weight[j] = -positiveNodes[j], positiveWeights[j]
		rule.Node[Order-1-j], rule.Weight[Order-1-j] = positiveNodes[j], positiveWeights[j]
	}
	for j := range Order {
		pj := legendre(rule.Node[j])
		for k := range 2 {
			degree := Order - 2 + k
			rule.last[k][j] = 0.5 * float64(2*degree+1) * rule.Weight[j] * pj[degree]
		}
		sign := 1.0
		for k := range Order {
			c := float64(0.5 * float64(2*k+1) * rule.Weight[j] * pj[k])
			rule.Final[j] += c
			rule.First[j] += float64(sign * c)
			sign = -sign
		}
		for i := range Order {
			pi := legendre(rule.Node[i])
			for k, d := range legendreSlopes(&pi) {
				rule.Slope[i][j] += float64(0.5 * float64(2*k+1) * rule.Weight[j] * pj[k] * d)
			}
			sum := rule.Node[i] + 1
			for k := 1; k < Order; k++ {
				sum += float64(pj[k] * (pi[k+1] - pi[k-1]))
			}
			rule.cumulative[i][j] = 0.5 * rule.Weight[j] * sum
		}
	}
	return &rule
}

// legendre returns the Legendre polynomials of degrees 0 to Order at x.
func legendre(x float64) (p [Order + 1]float64) {
	p[0], p[1] = 1, x
	for k := 1; k < Order; k++ {
		p[k+1] = (float64(float64(2*k+1)*x*p[k]) - float64(float64(k)*p[k-1])) / float64(k+1)
	}
	return p
}

// legendreSlopes returns the derivatives of the Legendre polynomials of degrees below Order, computed from
// the values of the polynomials by P'_(k+1) = P'_(k-1) + (2k+1)P_k.
func legendreSlopes(p *[Order + 1]float64) (d [Order]float64) {
	d[1] = 1
	for k := 1; k < Order-1; k++ {
		d[k+1] = d[k-1] + float64(float64(2*k+1)*p[k])
	}
	return d
}

// Integral returns the integral over [-1, 1] of a function with the given values at the nodes.
func (r *Rule) Integral(value *[Order]float64) float64 {
	return Dot(&r.Weight, value)
}

// Antiderivative stores in into the integrals, from -1 to every node, of a function with the given values at
// the nodes.
func (r *Rule) Antiderivative(into, value *[Order]float64) {
	for i := range into {
		into[i] = Dot(&r.cumulative[i], value)
	}
}

// Unresolved returns the sum |c_{Order-2}| + |c_{Order-1}| of the sizes of the last two Legendre coefficients
// of a function with the given values at the nodes. As the Legendre coefficients of an analytic function fall
// geometrically, this sum exceeds the interpolation error unless the panel is far too long.
func (r *Rule) Unresolved(value *[Order]float64) float64 {
	return math.Abs(Dot(&r.last[0], value)) + math.Abs(Dot(&r.last[1], value))
}

// Dot returns the inner product of two lists of values at the nodes, with the same bits on every machine.
func Dot(a, b *[Order]float64) float64 {
	var even, odd float64
	for j := 0; j < Order; j += 2 {
		even += float64(a[j] * b[j])
		odd += float64(a[j+1] * b[j+1])
	}
	return even + odd
}
