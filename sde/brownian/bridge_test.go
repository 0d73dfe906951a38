package brownian

import (
	"math"
	"testing"

	"antipode/sde/internal/kernels"
)

// Every increment of a path from the normal number at its address, whose law is tested with the
// kernels: a base step of length h has √h·g, and the left half of a step of length s with increment D
// has D/2 + √s/2·g, of conditional variance s/4; up to the grain √h·2^-46 to which increments are
// rounded.
func TestEveryBridgeHasItsVariance(t *testing.T) {
	const seed, identity, trajectory = 3, 8, 11
	stream := kernels.NewStream(seed, identity)
	for _, base := range []int{1, 3, 100} {
		h := 1 / float64(base)
		path := NewPath(seed, identity, base, 2)
		normal, whole := make([]float64, 2), make([]float64, 2)
		left, right := make([]float64, 2), make([]float64, 2)
		check := func(what string, level int, got, want float64) {
			if !(math.Abs(got-want) <= math.Sqrt(h)*0x1p-45) {
				t.Errorf("base %d, level %d: %s %v, want %v", base, level, what, got, want)
			}
		}
		const step = 5
		path.Increment(whole, trajectory, 0, step)
		stream.Normals(normal, 1, kernels.Paths, trajectory, step<<24)
		for e := range normal {
			check("base step", 0, whole[e], math.Sqrt(h)*normal[e])
		}
		for level := range 24 {
			k := int64(step)<<level + int64(0x5a5a5a)%(1<<level) // a step somewhere in the base step
			length := h / float64(int64(1)<<level)
			path.Increment(whole, trajectory, level, k)
			path.Increment(left, trajectory, level+1, 2*k)
			path.Increment(right, trajectory, level+1, 2*k+1)
			node := int64(step)<<24 + int64(1)<<level + (k - int64(step)<<level)
			stream.Normals(normal, 1, kernels.Paths, trajectory, node)
			for e := range normal {
				check("left half", level+1, left[e], whole[e]/2+math.Sqrt(length)/2*normal[e])
				check("right half", level+1, right[e], whole[e]/2-math.Sqrt(length)/2*normal[e])
			}
		}
	}
}
