package training

import (
	"math"

	"antipode/sphere"

	"gonum.org/v1/gonum/blas/blas64"
)

// clusters counts, among the tokens of a sequence, pairs of equal or antipodal tokens and clusters of equal
// tokens. A clusters reuses its memory.
type clusters struct {
	unit []float64 // the tokens, normalised
	dim  int
}

// observe writes the statistics of the pairs and clusters of tokens to a LayerRecord. If a token is 0 or not
// finite, all these statistics are NaN.
func (c *clusters) observe(tokens blas64.General, into *LayerRecord) {
	n, d := tokens.Rows, tokens.Cols
	if len(c.unit) < n*d {
		c.unit = make([]float64, n*d)
	}
	c.dim = d
	into.Plus, into.Minus, into.Clusters = math.NaN(), math.NaN(), math.NaN()
	for t := range n {
		x := tokens.Data[t*tokens.Stride:][:d]
		norm := math.Sqrt(squares(x))
		if !(norm > 0 && norm <= math.MaxFloat64) {
			return
		}
		for k, v := range x {
			c.unit[t*d+k] = v / norm
		}
	}
	plus, minus := 0, 0
	for i := range n {
		for j := range i {
			switch z := c.Between(i, j); {
			case z >= 1-Tolerance:
				plus++
			case z <= -1+Tolerance:
				minus++
			}
		}
	}
	pairs := float64(n) * float64(n-1) / 2
	into.Plus, into.Minus = float64(plus)/pairs, float64(minus)/pairs
	into.Clusters = float64(n)
	if plus > 0 {
		into.Clusters = float64(sphere.Components(n, c, 1-Tolerance))
	}
}

// Between implements sphere.Overlaps.
func (c *clusters) Between(i, j int) float64 {
	return sphere.Dot(c.unit[i*c.dim:][:c.dim], c.unit[j*c.dim:][:c.dim])
}
