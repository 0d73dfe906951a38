package matrices

import (
	"antipode/internal/products"

	"gonum.org/v1/gonum/mat"
)

// backwardNormalize converts the gradient with respect to an attention matrix to the gradient with respect to
// √d times the scores, where d is the number of columns of a head.
func (n Network) backwardNormalize(attention, gradient *mat.Dense) {
	tokens, scale := float64(n.Tokens), n.scoreScale()
	forRows(gradient.RawMatrix(), func(first int, gradients [][]float64) {
		var weights [together][]float64
		for k := range gradients {
			weights[k] = attention.RawRowView(first + k)
		}
		var means [together]float64 // means of the gradients of each row under the softmax weights
		if n.Attention == Softmax {
			means = dots(weights[:len(gradients)], gradients)
		}
		for k, g := range gradients {
			a := weights[k][:len(g)]
			switch n.Attention {
			case Softmax:
				mean := means[k]
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
					off := 0 // a branch would be mispredicted half of the time
					if a[j] == 0 {
						off = 1
					}
					g[j] = float64(slopes[off] * g[j])
				}
			}
		}
	})
}

// backwardNorm converts the gradient with respect to the output of LayerNorm to the gradient with respect to
// the input of LayerNorm. For a constant row, at which LayerNorm has no derivative, the converted gradient is
// 0.
func (l *layer) backwardNorm(gradient *mat.Dense) {
	forRows(gradient.RawMatrix(), func(first int, gradients [][]float64) {
		var outputs [together][]float64
		for k := range gradients {
			outputs[k] = l.output.RawRowView(first + k)
		}
		centre(gradients)
		products := dots(gradients, outputs[:len(gradients)])
		for k, g := range gradients {
			y, deviation := outputs[k][:len(g)], l.deviation[first+k]
			if deviation == 0 {
				clear(g)
				continue
			}
			share := products[k] / float64(len(g))
			for j := range g {
				g[j] = (g[j] - float64(share*y[j])) / deviation
			}
		}
	})
}
