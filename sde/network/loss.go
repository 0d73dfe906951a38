package network

import (
	"math"

	"antipode/sde/internal/rowwise"
)

// crossEntropy is the cross-entropy loss, at initialisation, of a random linear map after the last layer for
// random classes of the tokens.
type crossEntropy struct {
	weights matrix // weights of the linear map to logits, Classes × Dim
	logits  matrix // logits of the tokens, Tokens × Classes
	work    *work
}

// crossEntropy returns a cross-entropy loss with allocated memory.
func (d *drafter) crossEntropy(classes int) *crossEntropy {
	return &crossEntropy{weights: d.matrix(classes, d.Dim), logits: d.matrix(d.tokens, classes),
		work: d.work}
}

// draw samples the weights of the linear map of the loss for a network, and returns a random class for each
// token.
func (l *crossEntropy) draw(s *source) []int {
	s.normals(l.weights, 1/math.Sqrt(float64(l.weights.Cols)), lossRole, 0, nil)
	return s.choices(classesRole, 0, l.logits.Rows, l.logits.Cols)
}

// derivative writes the derivatives of the loss with respect to tokens x to into.
func (l *crossEntropy) derivative(x matrix, classes []int, into matrix) {
	multiply := l.work.products.Multiply
	multiply(plain, transposed, 1, x, l.weights, 0, l.logits)
	rowwise.Softmax(l.logits.Data, l.logits.Rows, l.logits.Cols)
	for t, class := range classes {
		row(l.logits, t)[class]--
	}
	multiply(plain, plain, 1/float64(x.Rows), l.logits, l.weights, 0, into)
}
