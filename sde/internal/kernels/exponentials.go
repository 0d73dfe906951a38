package kernels

import "math"

// SmallestWeight is the smallest number of Exponentials but 0. Squares of smaller ones are subnormal: no sum
// of weights shows them, but processors take a hundred times as long for a product with them.
const SmallestWeight = 0x1p-511

// LeastScore is the logarithm of SmallestWeight.
const LeastScore = -511 * math.Ln2

// Exponentials replaces numbers by their exponentials, with the bits of elementary.Exp, or by 0 where these
// are below SmallestWeight. work has room for as many numbers.
func Exponentials(numbers []float64, work []Vector) { exponentials(numbers, 0, work) }

// SoftmaxNumerators replaces scores by their exponentials over that of the largest, the numerators of
// softmax, by Exponentials. work has room for as many numbers.
func SoftmaxNumerators(scores []float64, work []Vector) { exponentials(scores, Largest(scores), work) }

// exponentials is Exponentials of the numbers less shift.
func exponentials(numbers []float64, shift float64, work []Vector) {
	work = work[:Width(len(numbers))]
	results := Numbers(work)
	for k, x := range numbers {
		results[k] = x - shift
	}
	clear(results[len(numbers):])
	Exp(work, work)
	for k := range numbers {
		result := results[k]
		if result < SmallestWeight {
			result = 0
		}
		numbers[k] = result
	}
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
