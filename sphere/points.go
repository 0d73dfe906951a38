package sphere

import (
	"fmt"
	"math"
)

// Uniform fills x with independent points (N×d) that are uniform on the sphere, from independent standard
// normal variables. Uniform draws d normal variables for each point, and d more if all d variables are zero.
func Uniform(x []float64, d int, normal func() float64) {
	for i := range Tokens(x, d) {
		uniformPoint(x[i*d:(i+1)*d], normal)
	}
}

func uniformPoint(x []float64, normal func() float64) {
	for norm := 0.0; norm == 0; {
		for k := range x {
			x[k] = normal()
		}
		norm = Normalize(x, x)
	}
}

// Pair fills x with two tokens of dimension d (2×d) at the given overlap z. The first token is uniform on the
// sphere, and the second token is z·first + √(1-z²)·w, where w is uniform among the unit tangents at the
// first token. Overlaps 1 and -1 give exactly equal and exactly opposite tokens. The error of Pair is that of
// ValidateOverlap.
func Pair(x []float64, d int, overlap float64, normal func() float64) error {
	if Tokens(x, d) != 2 {
		panic(fmt.Sprintf("sphere: a pair has two tokens, not %d", Tokens(x, d)))
	}
	if err := ValidateOverlap(d, overlap); err != nil {
		return err
	}
	first, second := x[:d], x[d:]
	uniformPoint(first, normal)
	if math.Abs(overlap) == 1 {
		scale(second, first, overlap)
		return nil
	}
	uniformTangent(second, first, normal)
	sine := math.Sqrt(float64((1 - overlap) * (1 + overlap)))
	for k := range second {
		second[k] = math.FMA(sine, second[k], float64(overlap*first[k]))
	}
	Normalize(second, second)
	return nil
}

// ValidateOverlap returns an error if two unit vectors of dimension d ≥ 1 cannot have the given overlap. The
// overlap must lie in [-1, 1]; for d = 1, where the sphere consists of two points, the overlap must be -1 or
// 1.
func ValidateOverlap(d int, overlap float64) error {
	if !(math.Abs(overlap) <= 1) {
		return fmt.Errorf("overlap %v: must lie in [-1, 1]", overlap)
	}
	if d == 1 && math.Abs(overlap) != 1 {
		return fmt.Errorf("overlap %v: must be 1 or -1 in dimension 1", overlap)
	}
	return nil
}

// uniformTangent fills w with a uniform unit tangent to the sphere at the unit vector x, for d ≥ 2.
func uniformTangent(w, x []float64, normal func() float64) {
	for length := 0.0; length < 1e-3; { // a draw nearly parallel to x would lose accuracy
		uniformPoint(w, normal)
		Project(w, x, w)
		length = Normalize(w, w)
	}
	Project(w, x, w)
	Normalize(w, w)
}
