package exactlaw

import "math"

// A bandPair is the transition matrix of a chain and the derivative of the matrix with respect to a
// parameter. The rows of the derivative sum to 0. The chain has no entrance.
type bandPair struct{ move, by *band }

// apply returns Mv and the derivative of Mv, given v and its derivative by. Beyond the ends, v has the values
// left and right, and by is 0.
func (p bandPair) apply(v, by []float64, left, right float64) (next, nextBy []float64) {
	nextBy = p.move.apply(by, 0, 0)
	for i, x := range p.by.apply(v, left, right) {
		nextBy[i] += x
	}
	return p.move.apply(v, left, right), nextBy
}

// squared returns the pair for two steps: the derivative of M² is M'M + MM'.
func (p bandPair) squared() bandPair {
	states := len(p.move.rows)
	by := &band{rows: make([]span, states)}
	_, by.left = p.apply(p.move.left, p.by.left, 1, 0)
	_, by.right = p.apply(p.move.right, p.by.right, 0, 1)
	sum := make([]float64, states)
	for i := range states {
		low, high := math.MaxInt, 0
		add := func(first span, second *band) {
			for k, x := range first.p {
				next := second.rows[first.first+k]
				if len(next.p) > 0 {
					addTo(sum[next.first:], x, next.p)
					low, high = min(low, next.first), max(high, next.first+len(next.p))
				}
			}
		}
		add(p.by.rows[i], p.move)
		add(p.move.rows[i], p.by)
		if low < high {
			by.rows[i] = trimmed(low, sum[low:high])
			clear(sum[low:high])
		}
	}
	return bandPair{p.move.squared(), by}
}

// forwards calls step with pairs as band.forwards calls its step with matrices.
func (p bandPair) forwards(layers int, step func(p bandPair)) {
	for layers > 0 {
		if layers%2 == 1 || layers < 4*p.move.width() {
			layers--
			step(p)
			continue
		}
		p = p.squared()
		layers /= 2
	}
}
