package network

import "antipode/sde/internal/rowwise"

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

// rows is the norm of the rows of a matrix of tokens.
func (n *norm) rows(x matrix) rowwise.Norm {
	return rowwise.Norm{Columns: x.Cols, Centred: n.law.Centred, Epsilon: n.law.Epsilon,
		Gain: n.gain.Data, Bias: n.bias.Data}
}
