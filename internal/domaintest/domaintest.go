// Package domaintest contains test helpers for the domains of parameters.
//
//	domaintest.Check(t, "β", func(x float64) error { return validate(x) },
//		[]float64{0, 1000}, []float64{domaintest.Below(0), domaintest.Above(1000), math.NaN()})
package domaintest

import (
	"math"
	"testing"
)

// Check reports a test error unless try accepts some values of a parameter and refuses others. The values
// should be the limits of the domain and their neighbours on both sides.
func Check[T any](t testing.TB, what string, try func(x T) error, accepted, refused []T) {
	t.Helper()
	for _, x := range accepted {
		if err := try(x); err != nil {
			t.Errorf("%s = %v is refused: %v", what, x, err)
		}
	}
	for _, x := range refused {
		if err := try(x); err == nil {
			t.Errorf("%s = %v is accepted", what, x)
		}
	}
}

// Above returns the float64 after x.
func Above(x float64) float64 { return math.Nextafter(x, math.Inf(1)) }

// Below returns the float64 before x.
func Below(x float64) float64 { return math.Nextafter(x, math.Inf(-1)) }
