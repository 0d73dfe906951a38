package verify

import (
	"math"

	"antipode/sphere/elementary"
)

// estimate is a mean with its standard error.
type estimate struct{ value, stderr float64 }

// meanOf estimates the mean of a function of independent samples, of which there must be
// two or more.
func meanOf[T any](samples []T, function func(T) float64) estimate {
	n := float64(len(samples))
	mean := 0.0
	for _, s := range samples {
		mean += function(s) / n
	}
	squares := 0.0
	for _, s := range samples {
		difference := function(s) - mean
		squares += float64(difference * difference)
	}
	return estimate{mean, math.Sqrt(squares / (n - 1) / n)}
}

// scaled is the estimate of a multiple.
func (e estimate) scaled(factor float64) estimate {
	return estimate{float64(factor * e.value), float64(math.Abs(factor) * e.stderr)}
}

// minus is the estimate of a difference of independent estimates.
func (e estimate) minus(other estimate) estimate {
	return estimate{e.value - other.value, math.Sqrt(float64(e.stderr*e.stderr) + float64(other.stderr*other.stderr))}
}

// logarithmOf is the estimate of the logarithm, to first order in the error.
func logarithmOf(e estimate) estimate {
	return estimate{elementary.Log(e.value), e.stderr / math.Abs(e.value)}
}
