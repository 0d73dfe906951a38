package exactlaw

import (
	"math"

	"antipode/sphere/elementary"
	"antipode/sphere/memo"
)

// A chebyshev is a rule for polynomial interpolation on [0, 1] at Chebyshev nodes.
type chebyshev struct {
	nodes   []float64
	cosines [][]float64 // cosines[i][k] is the Chebyshev polynomial T_k at node i
}

// chebyshevRules holds the rules for interpolation at Chebyshev nodes, indexed by the number of nodes.
var chebyshevRules = memo.Of(0, newChebyshevRule)

func newChebyshevRule(order int) *chebyshev {
	c := &chebyshev{make([]float64, order), make([][]float64, order)}
	for i := range order {
		angle := math.Pi * (float64(i) + 0.5) / float64(order)
		_, x := elementary.SinCos(angle)
		c.nodes[i] = 0.5 * (1 + x)
		for k := range order {
			_, cosine := elementary.SinCos(float64(k) * angle)
			c.cosines[k] = append(c.cosines[k], cosine)
		}
	}
	return c
}

// interpolate returns the polynomial with the given values at the Chebyshev nodes.
func (c *chebyshev) interpolate(values []float64) polynomial {
	order := len(c.nodes)
	p := make(polynomial, order)
	for k := range p {
		sum := 0.0
		for i, v := range values {
			sum += float64(v * c.cosines[k][i])
		}
		p[k] = 2 * sum / float64(order)
	}
	p[0] *= 0.5
	return p
}

// mostNodes is the largest number of Chebyshev nodes in each variable of a densityTable.
const mostNodes = 16

// A polynomial holds the Chebyshev coefficients of a polynomial on [0, 1].
type polynomial []float64

// at evaluates the polynomial at x in [0, 1] by Clenshaw's recurrence.
func (p polynomial) at(x float64) float64 {
	t := float64(2*x) - 1
	var b1, b2 float64
	for k := len(p) - 1; k > 0; k-- {
		b1, b2 = p[k]+float64(2*t*b1)-b2, b1
	}
	return p[0] + float64(t*b1) - b2
}

// powers returns the coefficients of the polynomial with respect to powers of 2x-1.
func (p polynomial) powers() []float64 {
	sum := make([]float64, len(p))
	last, t := make([]float64, len(p)), make([]float64, len(p)) // the Chebyshev polynomials T_(k-1) and T_k
	for k, c := range p {
		next := make([]float64, len(p))
		switch k {
		case 0:
			next[0] = 1
		case 1:
			next[1] = 1
		default:
			for i := range k + 1 {
				if i > 0 {
					next[i] = 2 * t[i-1]
				}
				next[i] -= last[i]
			}
		}
		last, t = t, next
		for i, x := range t {
			sum[i] += float64(c * x)
		}
	}
	return sum
}

// shortened omits the last Chebyshev coefficients of the polynomial as long as they are below negligible.
func (p polynomial) shortened(negligible float64) polynomial {
	for len(p) > 0 && math.Abs(p[len(p)-1]) < negligible {
		p = p[:len(p)-1]
	}
	return p
}
