package sphere

import "math"

// A squared norm below smallestSquare may have lost accuracy to underflow, and a squared norm above
// largestSquare may be infinite. So normalizeExtreme scales vectors with such squared norms.
const (
	smallestSquare = 0x1p-900
	largestSquare  = 0x1p+900
)

// Normalize writes the unit vector x/|x| to dst and returns the norm |x|. The norm of dst differs from 1 by
// at most (4+√d)·2^-53 for a vector x of dimension d: half the rounding error of the sum of squares, which
// grows like √d for d terms in sequence, and at most one rounding error each of the root, the reciprocal and
// the product.
//
// For the zero vector, which has no direction, Normalize sets dst to zero and returns 0. If x has an infinite
// or NaN entry, Normalize fills dst with NaN and returns +Inf or NaN.
func Normalize(dst, x []float64) float64 {
	square := Dot(x, x)
	if smallestSquare <= square && square <= largestSquare {
		norm := math.Sqrt(square)
		scale(dst, x, 1/norm)
		return norm
	}
	return normalizeExtreme(dst, x)
}

// normalizeExtreme does the work of Normalize for vectors whose squared norm is not from smallestSquare to
// largestSquare: it scales the vector by a power of two near the largest entry.
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

// Retract writes the unit vector (x+v)/|x+v| to dst and returns |x+v|: the retraction that the normalisation
// layer of a Transformer applies to a token x (Fedorov et al., Clustering in Deep Stochastic Transformers,
// eq. (4)). Retract agrees with Exponential to second order in a tangent v. Retract treats a zero or
// non-finite sum x+v as Normalize does.
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
