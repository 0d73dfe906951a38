package kernels

import (
	"math"

	"antipode/sphere/activation"
	"antipode/sphere/elementary"
)

// Exp writes e^x to dst for every number x of src, with the bits of elementary.Exp.
// dst may be src.
func Exp(dst, src []Vector) { active().exp(dst, src[:len(dst)]) }

// Logarithms replaces numbers by the logarithms of their sums with shift, which are positive, normal and
// finite, with the bits of elementary.Log.
func Logarithms(numbers []float64, shift float64) { active().logarithms(numbers, shift) }

// SmallestWeight is the smallest number of Exponentials but 0. Squares of smaller ones are subnormal: no sum
// of weights shows them, but processors take a hundred times as long for a product with them.
const SmallestWeight = 0x1p-511

// LeastScore is the logarithm of SmallestWeight.
const LeastScore = -511 * math.Ln2

// Exponentials replaces numbers by the exponentials of factor times them, with the bits of elementary.Exp, or
// by 0 where these are below SmallestWeight.
func Exponentials(numbers []float64, factor float64) { active().exponentials(numbers, factor, 0) }

// SoftmaxNumerators replaces scores, as Exponentials does, by their exponentials over that of the largest,
// the numerators of softmax; factor is not negative.
func SoftmaxNumerators(scores []float64, factor float64) {
	active().exponentials(scores, factor, float64(factor*Largest(scores)))
}

// Activate replaces numbers by φ(factor·x), with the bits of the activation.
func Activate(phi activation.Activation, numbers []float64, factor float64) {
	if phi == activation.Tanh {
		active().tanhs(numbers, factor)
		return
	}
	for k, x := range numbers {
		numbers[k] = phi.At(float64(factor * x))
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

func expGeneric(dst, src []Vector) {
	for v := range dst {
		for k, x := range src[v] {
			dst[v][k] = elementary.Exp(x)
		}
	}
}

func tanhsGeneric(numbers []float64, factor float64) {
	for k, x := range numbers {
		numbers[k] = activation.Tanh.At(float64(factor * x))
	}
}

func logarithmsGeneric(numbers []float64, shift float64) {
	for k, x := range numbers {
		numbers[k] = elementary.Log(x + shift)
	}
}

func exponentialsGeneric(numbers []float64, factor, shift float64) {
	for k, x := range numbers {
		numbers[k] = elementary.Exp(float64(factor*x) - shift)
		if numbers[k] < SmallestWeight {
			numbers[k] = 0
		}
	}
}
