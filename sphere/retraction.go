package sphere

import "math"

// A squared norm outside these bounds may have lost accuracy to underflow, or may be infinite. So the vector
// is scaled first.
const (
	smallestSquare = 0x1p-900
	largestSquare  = 0x1p+900
)

// Normalize writes x/|x| to dst and returns |x|. The norm of dst differs from 1 by at most (4+√d)·2^-53. This
// consists of half the rounding error of the sum of squares, which grows like √d for d terms in sequence, and
// of at most one rounding error each of the root, the reciprocal and the product.
//
// The zero vector has no direction: dst is set to zero, and 0 is returned. If x has an infinite or NaN
// entry, dst is filled with NaN and the result is +Inf or NaN.
func Normalize(dst, x []float64) float64 {
	square := Dot(x, x)
	if smallestSquare <= square && square <= largestSquare {
		norm := math.Sqrt(square)
		scale(dst, x, 1/norm)
		return norm
	}
	return normalizeExtreme(dst, x)
}

// normalizeExtreme does the same as Normalize for vectors whose squared norm leaves the range of float64. It
// scales them by the largest entry.
func normalizeExtreme(dst, x []float64) float64 {
	largest := 0.0
	for _, v := range x {
		if a := math.Abs(v); a > largest || a != a {
			largest = a
		}
		if largest != largest {
			break
		}
	}
	switch {
	case largest == 0:
		clear(dst)
		return 0
	case largest != largest || largest > math.MaxFloat64:
		for k := range dst {
			dst[k] = math.NaN()
		}
		return largest
	}
	_, exponent := math.Frexp(largest)
	for k, v := range x {
		dst[k] = math.Ldexp(v, -exponent) // exact except for negligible entries
	}
	norm := math.Sqrt(Dot(dst, dst))
	scale(dst, dst, 1/norm)
	return math.Ldexp(norm, exponent)
}

// Retract writes (x+v)/|x+v| to dst and returns |x+v|. This is the retraction that the normalisation
// layer of a Transformer applies (Fedorov et al., Clustering in Deep Stochastic Transformers, eq. (4)).
// It agrees with Exponential to second order in a tangent v. A zero or non-finite sum is treated as in
// Normalize.
func Retract(dst, x, v []float64) float64 {
	for k := range dst {
		dst[k] = x[k] + v[k]
	}
	return Normalize(dst, dst)
}

func scale(dst, x []float64, factor float64) {
	dst = dst[:len(x)]
	for k, v := range x {
		dst[k] = float64(v * factor)
	}
}
