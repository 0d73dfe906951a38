package matrices

import (
	"antipode/sde/internal/products"

	"gonum.org/v1/gonum/mat"
)

// backwardNormalize takes the gradient by an attention matrix to that by √d times the
// scores.
func (n Network) backwardNormalize(attention, gradient *mat.Dense) {
	tokens, scale := float64(n.Tokens), n.scoreScale()
	for i := range n.Tokens {
		a, g := attention.RawRowView(i), gradient.RawRowView(i)
		switch n.Attention {
		case Softmax:
			mean := dot(a, g)
			for j := range g {
				g[j] = float64(float64(a[j]*scale) * (g[j] - mean))
			}
		case Linear:
			products.Scale(g, scale/tokens)
		case Sigmoid:
			for j := range g {
				g[j] = float64(float64(scale*a[j]*(1-float64(tokens*a[j]))) * g[j])
			}
		case ReLU:
			slopes := [2]float64{scale / tokens, 0}
			for j := range g {
				off := 0 // found without a jump, which would be guessed wrong half of the times
				if a[j] == 0 {
					off = 1
				}
				g[j] = float64(slopes[off] * g[j])
			}
		}
	}
}

// backwardNorm takes the gradient by the output of LayerNorm to that by its input. A
// constant row has no derivative; there it is 0.
func (l *layer) backwardNorm(gradient *mat.Dense) *mat.Dense {
	result := mat.DenseCopyOf(gradient)
	centreRows(result)
	x := mat.DenseCopyOf(l.sum)
	centreRows(x)
	rows, width := x.Dims()
	for i := range rows {
		g, y, deviation := result.RawRowView(i), x.RawRowView(i), l.deviation[i]
		if deviation == 0 {
			clear(g)
			continue
		}
		products.Divide(y, deviation)
		share := dot(g, y) / float64(width)
		for j := range g {
			g[j] = (g[j] - float64(share*y[j])) / deviation
		}
	}
	return result
}
