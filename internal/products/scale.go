package products

// Scale multiplies each number of a slice by a factor.
func Scale(numbers []float64, factor float64) { active().scale(numbers, numbers, factor) }

// ScaleTo writes the first len(to) numbers of from, multiplied by a factor, to the slice to.
func ScaleTo(to, from []float64, factor float64) { active().scale(to, from[:len(to)], factor) }

// Divide divides each number of a slice by the divisor by. Each quotient is rounded once.
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
