package figure

import (
	"math"
	"runtime"
	"slices"
	"sync"
)

const (
	firstPieces = 12 // pieces of the range before any subdivision
	levels      = 6  // greatest number of subdivisions of a piece
	mostTraced  = 80 // greatest number of evaluations of the function
)

// Trace evaluates a function f at points x of a range from low to high. Where f is smooth, the points are so
// dense that the straight lines between them are within about a quarter of the tolerance. Each piece of the
// range is divided at its midpoint. If the value at the midpoint differs from the chord of the piece by more
// than the tolerance, both halves are divided again. Trace computes at most 80 values and divides the widest
// pieces first. At a point without a value the function must return NaN, and y is then NaN. A range of length
// 0 gives a single point.
func Trace(f func(x float64) float64, low, high, tolerance float64) (x, y []float64) {
	if !(low < high) {
		return []float64{low}, []float64{f(low)}
	}
	var points []Point
	for k := range firstPieces + 1 {
		at := high
		if k < firstPieces {
			at = low + (high-low)*float64(k)/firstPieces
		}
		points = append(points, Point{at, f(at)})
	}
	open := make([]bool, firstPieces) // whether piece k, from point k to k+1, may be divided
	for k := range open {
		open[k] = true
	}
	for range levels {
		var next []Point
		var still []bool
		for k := range open {
			a, b := points[k], points[k+1]
			next = append(next, a)
			if !open[k] || len(points)+len(next)-k > mostTraced || math.IsNaN(a.Y) && math.IsNaN(b.Y) {
				still = append(still, false)
				continue
			}
			middle := Point{X: a.X + (b.X-a.X)/2}
			middle.Y = f(middle.X)
			again := !(math.Abs(middle.Y-(a.Y+b.Y)/2) <= tolerance)
			next, still = append(next, middle), append(still, again, again)
		}
		points, open = append(next, points[len(points)-1]), still
		if !slices.Contains(open, true) {
			break
		}
	}
	for _, p := range points {
		x, y = append(x, p.X), append(y, p.Y)
	}
	return x, y
}

// Parallel calls the function f with each of the numbers from 0 to n-1, on all processors.
func Parallel(n int, f func(k int)) {
	var group sync.WaitGroup
	free := make(chan struct{}, runtime.GOMAXPROCS(0))
	for k := range n {
		group.Go(func() {
			free <- struct{}{}
			defer func() { <-free }()
			f(k)
		})
	}
	group.Wait()
}
