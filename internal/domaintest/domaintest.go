// Package domaintest contains test helpers for the domains of parameters.
//
//	domaintest.Check(t, "β", func(x float64) error { return validate(x) },
//		[]float64{0, 1000}, []float64{domaintest.Below(0), domaintest.Above(1000), math.NaN()})
package domaintest

import (
	"math"
	"testing"
)

// Check reports a test error unless try accepts all values of the parameter name in accepted, and refuses
// all values in refused. The values should be the limits of the domain and their neighbours on both sides.
// Without any value the test ends at once.
func Check[T any](t testing.TB, name string, try func(x T) error, accepted, refused []T) {
	t.Helper()
	if len(accepted)+len(refused) == 0 {
		t.Fatalf("%s: no values", name)
	}
	for _, x := range accepted {
		if err := try(x); err != nil {
			t.Errorf("%s = %v is refused: %v", name, x, err)
		}
	}
	for _, x := range refused {
		if err := try(x); err == nil {
			t.Errorf("%s = %v is accepted", name, x)
		}
	}
}

// Error returns the error of a constructor, without the value.
func Error[T any](_ T, err error) error { return err }

// Above returns the float64 after x.
func Above(x float64) float64 { return math.Nextafter(x, math.Inf(1)) }

// Below returns the float64 before x.
func Below(x float64) float64 { return math.Nextafter(x, math.Inf(-1)) }
