package network

import "antipode/sde/internal/rowwise"

// norm is a layer that applies LayerNorm: it normalises tokens, and optionally multiplies them by gains and
// adds biases. If epsilon is 0, a token whose coordinates are all 0 becomes NaN. If the mean is subtracted
// and epsilon is 0, a token whose coordinates are all equal also becomes NaN.
type norm struct {
	law        LayerNorm
	gain, bias weight
	factor     []float64 // 1/√(variance + ε) for each token
	normalised matrix
	out        matrix // outputs; without gains, the same matrix as normalised
}

// Forward implements layer.
func (n *norm) Forward(x matrix) matrix {
	rows := n.rows(x)
	rows.Forward(n.out.Data, n.normalised.Data, x.Data, n.factor[:x.Rows])
	return n.out
}

// Backward implements layer.
func (n *norm) Backward(derivative matrix) {
	rows := n.rows(derivative)
	rows.Backward(derivative.Data, n.normalised.Data, n.factor[:derivative.Rows],
		n.gain.gradient.Data, n.bias.gradient.Data)
}

// rows returns the normalisation that LayerNorm applies to the rows of a matrix of tokens.
func (n *norm) rows(x matrix) rowwise.Norm {
	return rowwise.Norm{Columns: x.Cols, Centred: n.law.Centred, Epsilon: n.law.Epsilon,
		Gain: n.gain.Data, Bias: n.bias.Data}
}
