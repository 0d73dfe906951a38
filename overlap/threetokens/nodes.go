package threetokens

import (
	"math"

	"antipode/overlap/internal/quadrature"
	"antipode/sphere/elementary"
)

// A stretch maps s in [-1, 0] to q = -scale·(e^(-κs) - 1) in [-length, 0]. Points that are equidistant in s
// are dense in q within the distance scale of q = 0.
type stretch struct{ scale, kappa float64 }

func newStretch(length, scale float64) stretch {
	return stretch{scale, elementary.Log(1 + length/scale)}
}

func (c stretch) at(s float64) float64 { return -c.scale * elementary.Expm1(-c.kappa*s) }

func (c stretch) slope(s float64) float64 { return c.scale * c.kappa * elementary.Exp(-c.kappa*s) }

func (c stretch) inverse(q float64) float64 { return -math.Log1p(-q/c.scale) / c.kappa }

// lobatto returns n Gauss-Lobatto nodes on [-1, 0] in ascending order, and their weights.
func lobatto(n int) (node, weight []float64) {
	node, weight = make([]float64, n), make([]float64, n)
	top := float64(n - 1)
	for i := range node {
		x := -math.Cos(math.Pi * float64(i) / top)
		p, before := legendre(n-1, x)
		for step := 1.0; i > 0 && i < n-1 && math.Abs(step) > 1e-15; p, before = legendre(n-1, x) {
			// The inner nodes are the zeros of (1-x²)P' = top(before - xP), whose derivative is
			// -top(top+1)P.
			step = (before - float64(x*p)) / ((top + 1) * p)
			x += step
		}
		node[i] = 0.5 * (x - 1)
		weight[i] = 1 / (top * (top + 1) * p * p)
	}
	return node, weight
}

// legendre returns the Legendre polynomials P_n and P_(n-1) at x.
func legendre(n int, x float64) (p, before float64) {
	before, p = 1, x
	for k := 2; k <= n; k++ {
		before, p = p, (float64(float64(float64(2*k)-1)*x*p)-float64(float64(k-1)*before))/float64(k)
	}
	return p, before
}

// differentiation returns the matrix that maps the values of a function at the nodes to the derivatives of
// the interpolating polynomial at the nodes.
func differentiation(node []float64) [][]float64 {
	n := len(node)
	weight := make([]float64, n)
	for i := range weight {
		weight[i] = 1
		for j := range node {
			if i != j {
				weight[i] /= node[i] - node[j]
			}
		}
	}
	d := make([][]float64, n)
	for i := range d {
		d[i] = make([]float64, n)
		for j := range node {
			if i != j {
				d[i][j] = weight[j] / weight[i] / (node[i] - node[j])
				d[i][i] -= d[i][j]
			}
		}
	}
	return d
}

// halfRange returns the nodes x in [0, 1] of the Gauss rule for the density (1-x²)^(-1/2), and their weights,
// whose sum is 1. The nodes are dense near x = 1, where the third token may be opposite to one of the first
// two tokens.
func halfRange(n int) (node, weight []float64) {
	// Compute the recurrence of the monic orthogonal polynomials from sums over nodes x = cos φ (Stieltjes).
	at, mass := directions(3)
	alpha, beta := make([]float64, n), make([]float64, n)
	before, now := make([]float64, len(at)), make([]float64, len(at))
	for k := range now {
		now[k] = 1
	}
	norm := 1.0
	for j := range n {
		square, first := 0.0, 0.0
		for k, p := range now {
			square += float64(mass[k] * p * p)
			first += float64(mass[k] * p * p * at[k])
		}
		alpha[j], beta[j] = first/square, square/norm
		for k, p := range now {
			now[k], before[k] = float64((at[k]-alpha[j])*p)-float64(beta[j]*before[k]), p
		}
		if j == 0 {
			beta[0] = 1
		}
		norm = square
	}
	monic := func(x float64) (p, slope, sum float64) {
		var before, beforeSlope float64
		p = 1
		norm := 1.0
		for j := range n {
			norm *= beta[j]
			sum += p * p / norm
			c := beta[j]
			if j == 0 {
				c = 0
			}
			slope, beforeSlope = p+float64((x-alpha[j])*slope)-float64(c*beforeSlope), slope
			p, before = float64((x-alpha[j])*p)-float64(c*before), p
		}
		return p, slope, sum
	}
	node, weight = make([]float64, n), make([]float64, n)
	for i := range node {
		x := 1.0
		for range 200 {
			p, slope, _ := monic(x)
			deflation := 0.0
			for _, y := range node[:i] {
				deflation += 1 / (x - y)
			}
			step := p / (slope - float64(p*deflation))
			x -= step
			if math.Abs(step) < 1e-15 {
				break
			}
		}
		_, _, sum := monic(x)
		node[i], weight[i] = x, 1/sum
	}
	return node, weight
}

// directions returns values x of a coordinate of uniform directions in R^(dim-1), which has a density
// proportional to (1-x²)^((dim-4)/2), and their masses, whose sum is 1.
func directions(dim int) (at, mass []float64) {
	const panels = 12
	whole := 0.0
	for p := range panels {
		for k, y := range quadrature.Gauss.Node {
			phi := math.Pi / 2 * (float64(p) + float64(0.5*(1+y))) / panels
			at = append(at, math.Cos(phi))
			mass = append(mass, quadrature.Gauss.Weight[k]*math.Pow(math.Sin(phi), float64(dim-3)))
			whole += mass[len(mass)-1]
		}
	}
	for k := range mass {
		mass[k] /= whole
	}
	return at, mass
}

// shares returns, for each node, the mean of the Lagrange polynomial of the node over the coordinate x of
// uniform directions. The shares are masses at the nodes that reproduce the moments of the density of x.
func shares(node []float64, dim int) []float64 {
	share := make([]float64, len(node))
	if dim == 2 {
		share[0] = 1
		return share
	}
	at, mass := directions(dim)
	for p, x := range at {
		for k := range node {
			value := mass[p]
			for j := range node {
				if j != k {
					value *= (x - node[j]) / (node[k] - node[j])
				}
			}
			share[k] += value
		}
	}
	return share
}
