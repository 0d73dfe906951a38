package crowd

import (
	"math"
	"slices"

	"antipode/internal/lists"
)

// compare measures the distance of each crowd of tokens from the largest crowd, which is the last. The
// squared energy distance of random points X and Y is 2E|X-Y| - E|X-X'| - E|Y-Y'|. The squared energy
// distance equals a mean over all directions divided by the mean length of the projection of a unit vector.
// The mean over directions is that of 2∫(F-G)², where F and G are the distribution functions of the
// projections of both crowds to a line of that direction. The function compare takes the mean over the d axes
// only. Because the law of a crowd is invariant under rotations, the expectation is the same.
func compare(crowds []crowd, d int) {
	last := len(crowds) - 1
	all, scale := crowds[last].tokens, 2/(meanProjection(d)*float64(d))
	for i := range last {
		crowds[i].distance, crowds[i].independent = 0, 0
	}
	for axis := range d {
		whole := projected(all, d, axis)
		spread := scale * spreadOf(whole)
		for i := range last {
			c := &crowds[i]
			n, of := float64(len(c.tokens)/d), float64(len(whole))
			c.distance += float64(scale * squaredDifference(projected(c.tokens, d, axis), whole))
			c.independent += spread * (of - n) / (n * (of - 1))
		}
	}
}

// projected returns the coordinates of tokens along an axis in ascending order.
func projected(x []float64, d, axis int) []float64 {
	along := lists.Of(len(x)/d, func(i int) float64 { return x[i*d+axis] })
	slices.Sort(along)
	return along
}

// squaredDifference returns the integral ∫(F-G)² for the distribution functions F and G of two ascending
// samples.
func squaredDifference(x, y []float64) (sum float64) {
	i, j, at := 0, 0, min(x[0], y[0])
	for i < len(x) || j < len(y) {
		next := math.Inf(1)
		if i < len(x) {
			next = x[i]
		}
		if j < len(y) {
			next = min(next, y[j])
		}
		difference := float64(i)/float64(len(x)) - float64(j)/float64(len(y))
		sum += float64(difference * difference * (next - at))
		for i < len(x) && x[i] == next {
			i++
		}
		for j < len(y) && y[j] == next {
			j++
		}
		at = next
	}
	return sum
}

// spreadOf returns the integral ∫F(1-F) for the distribution function F of an ascending sample. The integral
// is half of the mean absolute difference of two values of the sample.
func spreadOf(x []float64) (sum float64) {
	n := float64(len(x))
	for i := 1; i < len(x); i++ {
		below := float64(i) / n
		sum += float64(below * (1 - below) * (x[i] - x[i-1]))
	}
	return sum
}

// meanProjection returns the mean of |x₁| over points x of the unit sphere of R^d, d ≥ 1: Γ(d/2)/(√π
// Γ((d+1)/2)).
func meanProjection(d int) float64 {
	mean, k := 1., 1 // in one dimension
	if d%2 == 0 {
		mean, k = 2/math.Pi, 2
	}
	for ; k < d; k += 2 {
		mean *= float64(k) / float64(k+1)
	}
	return mean
}
