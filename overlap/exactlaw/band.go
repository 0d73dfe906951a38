package exactlaw

import "math"

// A band is the banded transition matrix of a Markov chain on a lattice, with a row for each state, together
// with the probabilities of leaving the lattice at its left and at its right end.
type band struct {
	rows        []span
	left, right []float64
	entrance    *row // row of a state beyond the left end from which the chain returns; or nil
}

// A row is a law on a lattice, with the probabilities beyond the left and the right end of the lattice.
type row struct {
	span
	left, right float64
}

// A span holds the non-negligible entries p of a row of a matrix; the first entry of p is in column first.
type span struct {
	first int
	p     []float64
}

func newBand(states int) *band {
	return &band{rows: make([]span, states), left: make([]float64, states), right: make([]float64, states)}
}

// set sets row i of the matrix to s; probability beyond the ends of the lattice is probability of leaving the
// lattice.
func (m *band) set(i int, s span) {
	r := s.clipped(len(m.rows))
	m.rows[i], m.left[i], m.right[i] = r.span, r.left, r.right
}

// clipped cuts the law s at the ends of a lattice with the given number of states, and adds up the
// probability beyond each end.
func (s span) clipped(states int) row {
	var r row
	for ; len(s.p) > 0 && s.first < 0; s.first++ {
		r.left += s.p[0]
		s.p = s.p[1:]
	}
	for ; len(s.p) > 0 && s.first+len(s.p) > states; s.p = s.p[:len(s.p)-1] {
		r.right += s.p[len(s.p)-1]
	}
	if len(s.p) == 0 {
		s.first = 0
	}
	r.span = s
	return r
}

// mean returns the mean, under the law r, of a function with values v on the lattice and values left and
// right beyond the ends of the lattice.
func (r *row) mean(v []float64, left, right float64) float64 {
	return dot(r.p, v[r.first:]) + float64(left*r.left) + float64(right*r.right)
}

// apply returns the product Mv of the matrix with a function v on the lattice, which has the values left and
// right beyond the ends of the lattice.
func (m *band) apply(v []float64, left, right float64) []float64 {
	next := make([]float64, len(v))
	for i, s := range m.rows {
		next[i] = dot(s.p, v[s.first:]) + float64(left*m.left[i]) + float64(right*m.right[i])
	}
	return next
}

// dot returns the inner product of a with the first len(a) entries of b.
func dot(a, b []float64) float64 {
	b = b[:len(a)]
	var sum0, sum1, sum2, sum3 float64
	k := 0
	for ; k+4 <= len(a); k += 4 {
		sum0 += float64(a[k] * b[k])
		sum1 += float64(a[k+1] * b[k+1])
		sum2 += float64(a[k+2] * b[k+2])
		sum3 += float64(a[k+3] * b[k+3])
	}
	for ; k < len(a); k++ {
		sum0 += float64(a[k] * b[k])
	}
	return sum0 + sum1 + (sum2 + sum3)
}

// addMultiple adds factor times p to the first len(p) entries of sum.
func addMultiple(sum []float64, factor float64, p []float64) {
	sum = sum[:len(p)]
	for len(p) >= 4 && len(sum) >= 4 {
		sum[0] += float64(factor * p[0])
		sum[1] += float64(factor * p[1])
		sum[2] += float64(factor * p[2])
		sum[3] += float64(factor * p[3])
		sum, p = sum[4:], p[4:]
	}
	for k, x := range p {
		sum[k] += float64(factor * x)
	}
}

// width returns the mean number of entries of a row of the matrix.
func (m *band) width() int {
	sum := 0
	for _, s := range m.rows {
		sum += len(s.p)
	}
	return sum / len(m.rows)
}

// eachPower calls the function step until all layers are done. The arguments of step are the transition
// matrix of one layer or of 2, 4, 8, ... layers, and the number of layers that are left after the call.
// eachPower squares the matrix as long as this saves computing time. The square of a matrix is only about √2
// times as wide as the matrix, as for a random walk.
func (m *band) eachPower(layers int, step func(move *band, left int)) {
	for power := 1; layers > 0; {
		if layers%2 == 1 || layers < 4*m.width() {
			layers--
			step(m, layers*power)
			continue
		}
		m = m.squared()
		power, layers = 2*power, layers/2
	}
}

// squared returns the transition matrix of two steps of the chain.
func (m *band) squared() *band {
	two := &band{rows: make([]span, len(m.rows))}
	if e := m.entrance; e == nil {
		two.left, two.right = m.apply(m.left, 1, 0), m.apply(m.right, 0, 1)
	} else {
		two.left, two.right = m.apply(m.left, e.left, 0), m.apply(m.right, e.right, 1)
		two.entrance = &row{
			m.rowOfSquare(e.span, e.left, make([]float64, len(m.rows))),
			e.mean(m.left, e.left, 0), e.mean(m.right, e.right, 1),
		}
	}
	sum := make([]float64, len(m.rows))
	for i, s := range m.rows {
		two.rows[i] = m.rowOfSquare(s, m.left[i], sum)
	}
	return two
}

// rowOfSquare returns a row of the transition matrix of two steps, given the row s of the matrix of one step
// for the same state and the probability left of leaving at the left end. The slice sum is workspace.
func (m *band) rowOfSquare(s span, left float64, sum []float64) span {
	low, high := math.MaxInt, 0
	for j := s.first; j < s.first+len(s.p); j++ {
		next := m.rows[j]
		low, high = min(low, next.first), max(high, next.first+len(next.p))
	}
	enters := m.entrance != nil && left > 0
	if enters {
		low, high = min(low, m.entrance.first), max(high, m.entrance.first+len(m.entrance.p))
	}
	if low >= high {
		return span{}
	}
	clear(sum[low:high])
	for k, p := range s.p {
		next := m.rows[s.first+k]
		addMultiple(sum[next.first:], p, next.p)
	}
	if enters {
		addMultiple(sum[m.entrance.first:], left, m.entrance.p)
	}
	return trimmed(low, sum[low:high])
}

// trimmed copies a row of a matrix, beginning at column first, without negligible entries at both ends of the
// row.
func trimmed(first int, row []float64) span {
	const negligible = 1e-15
	for len(row) > 0 && math.Abs(row[0]) < negligible {
		row = row[1:]
		first++
	}
	for len(row) > 0 && math.Abs(row[len(row)-1]) < negligible {
		row = row[:len(row)-1]
	}
	if len(row) == 0 {
		first = 0
	}
	return span{first, append([]float64(nil), row...)}
}

// resolves reports whether a lattice twice as coarse would resolve the transition probabilities, and the
// product of these probabilities with each of the functions. The coarser lattice resolves a row if the sum
// over the even columns agrees with the sum over the odd columns.
func (m *band) resolves(tolerance float64, functions ...[]float64) bool {
	for i, s := range m.rows {
		r := row{s, m.left[i], m.right[i]}
		if !r.resolved(tolerance, functions...) {
			return false
		}
	}
	return m.entrance == nil || m.entrance.resolved(tolerance, functions...)
}

// resolved reports whether a lattice twice as coarse would resolve the law r, and the product of r with each
// of the functions; see resolves.
func (r *row) resolved(tolerance float64, functions ...[]float64) bool {
	const cut = 1e-13
	if r.left+r.right < cut && math.Abs(alternatingSum(r.p, nil)) > tolerance {
		return false
	}
	for _, f := range functions {
		if math.Abs(alternatingSum(r.p, f[r.first:])) > tolerance {
			return false
		}
	}
	return true
}

// alternatingSum returns the sum of p·f with alternating signs, where f = nil stands for the function 1.
func alternatingSum(p, f []float64) float64 {
	sum, sign := 0.0, 1.0
	for k, x := range p {
		if f != nil {
			x = float64(x * f[k])
		}
		sum += float64(sign * x)
		sign = -sign
	}
	return sum
}

// coarsened returns the transition matrix on every second state of the lattice, beginning with state parity,
// which is 0 or 1.
func (m *band) coarsened(parity int, right []float64) *band {
	c := &band{left: everySecond(m.left, parity), right: everySecond(m.right, parity)}
	for i := parity; i < len(m.rows); i += 2 {
		r := row{m.rows[i], m.left[i], m.right[i]}
		k := len(c.rows)
		r = r.coarsened(parity, right)
		c.left[k], c.right[k] = r.left, r.right
		c.rows = append(c.rows, r.span)
	}
	if m.entrance != nil {
		e := m.entrance.coarsened(parity, right)
		c.entrance = &e
	}
	return c
}

// coarsened returns the law on every second state of the lattice, beginning with state parity, which is 0 or
// 1. A law that is cut off at the ends of the lattice is not resolved at the ends, so that the sum over every
// second state misses some probability. The missing probability is assigned to the two ends of the lattice.
// The right end receives the part of the missing probability that is weighted with the function right, which
// is 1 at the right end and 0 at the left end. The left end receives the rest of the missing probability.
func (r *row) coarsened(parity int, right []float64) row {
	skip := (r.first + parity) % 2
	half := span{(r.first + skip - parity) / 2, everySecond(r.p, min(skip, len(r.p)))}
	sign := float64(2*skip - 1)
	toRight := alternatingSum(r.p, right[r.first:])
	for j := range half.p {
		half.p[j] *= 2
	}
	toLeft := alternatingSum(r.p, nil) - toRight
	return row{half, r.left + float64(sign*toLeft), r.right + float64(sign*toRight)}
}

// everySecond returns every second value of v, beginning with v[first].
func everySecond(v []float64, first int) (half []float64) {
	for i := first; i < len(v); i += 2 {
		half = append(half, v[i])
	}
	return half
}

// scaleToSum scales the positive numbers p so that their sum is total.
func scaleToSum(total float64, p []float64) {
	sum := 0.0
	for _, x := range p {
		sum += x
	}
	for k := range p {
		p[k] *= total / sum
	}
}
