package exactlaw

import "math"

// A bandPair is the transition matrix of a Markov chain and the derivative of the matrix with respect to a
// parameter. The rows of the derivative sum to 0. The Markov chain of a bandPair has no entrance.
type bandPair struct{ matrix, derivative *band }

// apply returns the product Mv of the matrix with a function v on the lattice, and the derivative of Mv,
// given v and the derivative by of v. Beyond the ends of the lattice, v has the values left and right, and by
// is 0.
func (p bandPair) apply(v, by []float64, left, right float64) (next, nextBy []float64) {
	nextBy = p.matrix.apply(by, 0, 0)
	for i, x := range p.derivative.apply(v, left, right) {
		nextBy[i] += x
	}
	return p.matrix.apply(v, left, right), nextBy
}

// squared returns the transition matrix M² of two steps and its derivative M'M + MM'.
func (p bandPair) squared() bandPair {
	states := len(p.matrix.rows)
	by := &band{rows: make([]span, states)}
	_, by.left = p.apply(p.matrix.left, p.derivative.left, 1, 0)
	_, by.right = p.apply(p.matrix.right, p.derivative.right, 0, 1)
	sum := make([]float64, states)
	for i := range states {
		low, high := math.MaxInt, 0
		add := func(first span, second *band) {
			for k, x := range first.p {
				next := second.rows[first.first+k]
				if len(next.p) > 0 {
					addMultiple(sum[next.first:], x, next.p)
					low, high = min(low, next.first), max(high, next.first+len(next.p))
				}
			}
		}
		add(p.derivative.rows[i], p.matrix)
		add(p.matrix.rows[i], p.derivative)
		if low < high {
			by.rows[i] = trimmed(low, sum[low:high])
			clear(sum[low:high])
		}
	}
	return bandPair{p.matrix.squared(), by}
}

// eachPower calls the function step until all layers are done, with the matrix of one layer or of 2, 4, 8,
// ... layers and its derivative, in the way of band.eachPower.
func (p bandPair) eachPower(layers int, step func(p bandPair)) {
	for layers > 0 {
		if layers%2 == 1 || layers < 4*p.matrix.width() {
			layers--
			step(p)
			continue
		}
		p = p.squared()
		layers /= 2
	}
}
