package multilevel

import "math"

// sampleMoments are those of a sample, as it comes: Pébay, Sandia report SAND2008-6212, eqs.
// (1.5) to (1.7) for one value at a time. Values far from zero lose no digits.
type sampleMoments struct {
	count                       int64
	mean, second, third, fourth float64 // sums of powers of the differences from the mean
}

func (m *sampleMoments) add(value float64) {
	before := float64(m.count)
	m.count++
	n := float64(m.count)
	delta := value - m.mean
	part := delta / n
	square := float64(part * part)
	term := float64(float64(delta*part) * before)
	m.mean += part
	m.fourth += float64(float64(term*square)*(float64(n*n)-float64(3*n)+3)) + float64(float64(6*square)*m.second) - float64(float64(4*part)*m.third)
	m.third += float64(float64(term*part)*(n-2)) - float64(float64(3*part)*m.second)
	m.second += term
}

// variance is the unbiased estimate, 0 for fewer than two values.
func (m *sampleMoments) variance() float64 {
	if m.count < 2 {
		return 0
	}
	return m.second / float64(m.count-1)
}

// varianceError is the standard error of variance.
func (m *sampleMoments) varianceError() float64 {
	if m.count < 2 {
		return 0
	}
	n := float64(m.count)
	biased := m.second / n
	return math.Sqrt(max(0, m.fourth/n-float64(biased*biased)) / n)
}

// standardError is that of the mean.
func (m *sampleMoments) standardError() float64 {
	return math.Sqrt(m.variance() / max(1, float64(m.count)))
}
