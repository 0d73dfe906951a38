package products

// Scale multiplies numbers by a factor.
func Scale(numbers []float64, factor float64) { active().scale(numbers, numbers, factor) }

// ScaleTo sets as many numbers to a factor times others.
func ScaleTo(to, from []float64, factor float64) { active().scale(to, from[:len(to)], factor) }

// Divide divides numbers by another; each quotient is rounded once.
func Divide(numbers []float64, by float64) { active().divide(numbers, numbers, by) }

func scaleGeneric(to, from []float64, by float64) {
	from = from[:len(to)]
	for k, x := range from {
		to[k] = x * by
	}
}

func divideGeneric(to, from []float64, by float64) {
	from = from[:len(to)]
	for k, x := range from {
		to[k] = x / by
	}
}
