package kernels

import (
	"math"

	"antipode/sphere/activation"
	"antipode/sphere/elementary"
)

// Exp writes e^x to dst for every number x of src, bit for bit as elementary.Exp. The slices dst and src may
// be the same.
func Exp(dst, src []Vector) { active().exp(dst, src[:len(dst)]) }

// Logarithms replaces every number x by ln(x + shift), bit for bit as elementary.Log. All x + shift must be
// positive, normal and finite.
func Logarithms(numbers []float64, shift float64) { active().logarithms(numbers, shift) }

// SmallestWeight is the smallest positive number that Exponentials returns. The square of a smaller number
// would be subnormal. Weights that small would not change any sum of weights, but products with subnormal
// numbers take processors a hundred times as long.
const SmallestWeight = 0x1p-511

// LeastScore is the logarithm of SmallestWeight: exponentials of smaller numbers are replaced by 0.
const LeastScore = -511 * math.Ln2

// Exponentials replaces every number x by e^(factor·x), bit for bit as elementary.Exp. An exponential below
// SmallestWeight is replaced by 0.
func Exponentials(numbers []float64, factor float64) { active().exponentials(numbers, factor, 0) }

// SoftmaxNumerators replaces every score x by e^(factor·(x - largest score)), the numerator of the softmax of
// the scores. As in Exponentials, a numerator below SmallestWeight is replaced by 0. The factor in the
// exponent must not be negative.
func SoftmaxNumerators(scores []float64, factor float64) {
	active().exponentials(scores, factor, float64(factor*Largest(scores)))
}

// Activate replaces every number x by φ(factor·x), where φ is the activation phi, with the bits of its method
// At.
func Activate(phi activation.Activation, numbers []float64, factor float64) {
	if phi == activation.Tanh {
		active().tanhs(numbers, factor)
		return
	}
	for k, x := range numbers {
		numbers[k] = phi.At(float64(factor * x))
	}
}

// Largest returns the largest of the numbers, ignoring NaN, or -Inf if there are no numbers. The function
// slices.Max is much slower, as it has to handle NaN.
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
