package network

import "math"

// norm is LayerNorm: the normalised tokens times gains plus biases, if it has them. A token of 0 (a
// constant one if the mean is subtracted) has no direction and becomes NaN where epsilon is 0.
type norm struct {
	law        LayerNorm
	gain, bias weight
	factor     []float64 // of each token, 1/√(variance + ε)
	normalised matrix
	out        matrix // the same matrix without gains
}

// Forward implements layer.
func (n *norm) Forward(x matrix) matrix {
	d := float64(x.Cols)
	for t := range x.Rows {
		token, normalised := row(x, t), row(n.normalised, t)[:x.Cols]
		mean := 0.0
		if n.law.Centred {
			mean = sum(token) / d
		}
		for k, v := range token {
			normalised[k] = v - mean
		}
		factor := 1 / math.Sqrt(dot(normalised, normalised)/d+n.law.Epsilon)
		n.factor[t] = factor
		for k, v := range normalised {
			normalised[k] = v * factor
		}
		if n.gain.has() {
			out, gain, bias := row(n.out, t)[:x.Cols], n.gain.Data[:x.Cols], n.bias.Data[:x.Cols]
			for k, v := range normalised {
				out[k] = math.FMA(v, gain[k], bias[k])
			}
		}
	}
	return n.out
}

// Backward implements layer: factor·(dy - mean dy - y·mean y dy), where y are the normalised tokens and
// the first mean is left out if it is not subtracted from tokens.
func (n *norm) Backward(derivative matrix) {
	d := float64(derivative.Cols)
	for t := range derivative.Rows {
		dy := row(derivative, t)
		y := row(n.normalised, t)[:len(dy)]
		if n.gain.has() {
			addMultiple(n.bias.gradient.Data, 1, dy)
			gain, gradient := n.gain.Data[:len(dy)], n.gain.gradient.Data[:len(dy)]
			for k, v := range dy {
				gradient[k] = math.FMA(v, y[k], gradient[k])
				dy[k] = v * gain[k]
			}
		}
		along, mean := dot(y, dy)/d, 0.0
		if n.law.Centred {
			mean = sum(dy) / d
		}
		factor := n.factor[t]
		for k, v := range dy {
			dy[k] = factor * (math.FMA(-along, y[k], v) - mean)
		}
	}
}
