package figure

import (
	"math"
	"runtime"
	"slices"
	"sync"
)

const (
	firstPieces = 12 // of a traced range, before any is divided
	levels      = 6  // how often a piece is divided
	mostTraced  = 80 // values of a function
)

// Trace evaluates a function on a range at points so near that the straight lines between
// them are within about a fourth of the tolerance, where it is smooth: a piece is divided at
// its middle, and its halves again where the middle was not within the tolerance of the
// chord. It takes no more than 80 values, the widest pieces first. The function is NaN where
// it has no value; y then is NaN too. A range without length is a point.
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
	open := make([]bool, firstPieces) // open[k] says that the piece from point k to k+1 may be divided
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

// Parallel calls f for each of n numbers, on all processors.
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
