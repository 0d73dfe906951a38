package kernels

import "math"

// SmallestWeight is the smallest number of Exponentials but 0. Squares of smaller ones are subnormal: no sum
// of weights shows them, but processors take a hundred times as long for a product with them.
const SmallestWeight = 0x1p-511

// LeastScore is the logarithm of SmallestWeight.
const LeastScore = -511 * math.Ln2

// Exponentials replaces numbers by their exponentials, with the bits of elementary.Exp, or by 0 where these
// are below SmallestWeight. work has room for as many numbers.
func Exponentials(numbers []float64, work []Vector) {
	work = work[:Width(len(numbers))]
	results := Numbers(work)
	copy(results, numbers)
	clear(results[len(numbers):])
	Exp(work, work)
	for k := range numbers {
		numbers[k] = results[k]
		if results[k] < SmallestWeight {
			numbers[k] = 0
		}
	}
}

// SoftmaxNumerators replaces scores by their exponentials over that of the largest, the numerators of softmax, by
// Exponentials. work has room for as many numbers.
func SoftmaxNumerators(scores []float64, work []Vector) {
	largest := Largest(scores)
	for k := range scores {
		scores[k] -= largest
	}
	Exponentials(scores, work)
}

// Largest is the largest of some numbers but NaN, -Inf if there is none: faster by far than slices.Max, which
// looks after NaN.
func Largest(numbers []float64) float64 {
	largest := math.Inf(-1)
	for _, x := range numbers {
		if x > largest {
			largest = x
		}
	}
	return largest
}
