package kernels

import "antipode/sphere/elementary"

// Exp writes e^x to dst for every number x of src, with the bits of elementary.Exp.
// dst may be src.
func Exp(dst, src []Vector) { active.exp(dst, src[:len(dst)]) }

// Logarithms replaces numbers by the logarithms of their sums with shift, which are positive, normal and
// finite, with the bits of elementary.Log.
func Logarithms(numbers []float64, shift float64) { active.logarithms(numbers, shift) }

func expGeneric(dst, src []Vector) {
	for v := range dst {
		for k, x := range src[v] {
			dst[v][k] = elementary.Exp(x)
		}
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
