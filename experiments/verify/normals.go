package verify

import "antipode/sde/brownian"

// normals returns a function that fills a slice of a length with independent standard
// normal numbers, others at every call. Identity tells the streams of a seed apart.
func (l *laboratory) normals(identity uint64, length int) func(dst []float64) {
	path := brownian.NewPath(l.seed, identity, 1, length)
	draw := int64(-1)
	return func(dst []float64) {
		draw++
		path.Increment(dst, draw, 0, 0)
	}
}

// The streams of normal numbers.
const (
	rowNumbers = iota + 1
	pairNumbers
	gradientNumbers
	scoreNumbers
	residualNumbers
	startNumbers
)
