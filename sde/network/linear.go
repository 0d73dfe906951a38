package network

// linear is the map x ↦ Wx + b of each token x, with weights W and an optional bias b.
type linear struct {
	weight, bias weight
	work         *work
}

// forward writes the outputs Wx + b of the linear map for tokens x to y.
func (l *linear) forward(x, y matrix) {
	l.work.products.Multiply(plain, transposed, 1, x, l.weight.matrix, 0, y)
	if l.bias.has() {
		l.work.products.Multiply(plain, plain, 1, rowsOf(l.work.ones, 0, y.Rows), l.bias.matrix, 1, y)
	}
}

// parameters accumulates the derivatives with respect to the weights W and the bias b, given tokens x and the
// derivatives dy with respect to the outputs.
func (l *linear) parameters(x, dy matrix) {
	l.work.products.Multiply(transposed, plain, 1, dy, x, 1, l.weight.gradient)
	if l.bias.has() {
		ones := rowsOf(l.work.ones, 0, dy.Rows)
		l.work.products.Multiply(transposed, plain, 1, ones, dy, 1, l.bias.gradient)
	}
}

// input sets dx to keep·dx plus the derivatives with respect to the inputs of the linear map, given the
// derivatives dy with respect to the outputs.
func (l *linear) input(dy matrix, keep float64, dx matrix) {
	l.work.products.Multiply(plain, plain, 1, dy, l.weight.matrix, keep, dx)
}
