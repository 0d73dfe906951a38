package selfattention

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The coefficients of two vectors in an orthonormal basis are those of their QR decomposition by hand,
// whatever was in their place before: the length of the first, 0, the part of the second along the first,
// and the rest of its length. A vector of length 0, and a rest of rounding errors, have no direction.
func TestCoefficientsOfPairs(t *testing.T) {
	const d = 5
	withEach(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(15, 16))
		vectors := make([]Vector, 2*d)
		var length, along, rest Vector
		for lane := range 8 {
			var aa, ab, bb float64
			for k := range d {
				a, b := r.NormFloat64(), r.NormFloat64()
				switch lane {
				case 1:
					a = 0
				case 2:
					b = -a
				}
				vectors[k][lane], vectors[d+k][lane] = a, b
				aa, ab, bb = aa+a*a, ab+a*b, bb+b*b
			}
			length[lane] = math.Sqrt(aa)
			if aa > 0 {
				along[lane] = ab / math.Sqrt(aa)
			}
			rest[lane] = math.Sqrt(bb - along[lane]*along[lane])
			if lane == 2 {
				rest[lane] = 0
			}
		}
		coefficients := make([]Vector, 4)
		for k := range coefficients {
			for lane := range 8 {
				coefficients[k][lane] = math.NaN()
			}
		}
		active().pairCoefficients(coefficients, vectors, d)
		for k, want := range []Vector{length, {}, along, rest} {
			for lane := range 8 {
				if got := coefficients[k][lane]; !(math.Abs(got-want[lane]) < 1e-14) {
					t.Errorf("coefficient %d in lane %d is %v, want %v", k, lane, got, want[lane])
				}
			}
		}
	})
}

// A vector becomes a direction if its square is more than 2^-20 of the square that it had before, and at
// least 2^-900; otherwise it becomes 0. The square that it had before is stored at the first call.
func TestDirections(t *testing.T) {
	const d = 3
	cases := [8]struct{ before, now, want float64 }{
		{1, 1, 1}, {1, 0x1p-10, 0}, {1, math.Nextafter(0x1p-10, 1), 1}, {2, 0x1p-9, 0},
		{0x1p-450, 0x1p-450, 1}, {0x1p-451, 0x1p-451, 0}, {0, 0, 0}, {4, -3, -1},
	}
	withEach(t, func(t *testing.T) {
		q, before := make([]Vector, d), make([]Vector, 1)
		for lane, c := range cases {
			q[1][lane] = c.before
		}
		active().direction(q, before, d, 1)
		for lane, c := range cases {
			if got := q[1][lane]; got != c.before || before[0][lane] != c.before*c.before {
				t.Errorf("before: %v of square %v, want %v", got, before[0][lane], c.before)
			}
			q[1][lane] = c.now
		}
		active().direction(q, before, d, 0)
		for lane, c := range cases {
			if got := q[1][lane]; !(math.Abs(got-c.want) <= 1e-15) || c.want == 0 && got != 0 {
				t.Errorf("%+v: %v", c, got)
			}
		}
	})
}

// The second of two vectors has a component beside the first one however small, if the square of the
// component is at least 2^-900; the first one has no direction if its square is below that.
func TestCoefficientsOfPairsAtTheLimits(t *testing.T) {
	const d = 3
	cases := [8]struct{ along, beside, first, want float64 }{
		{1, 1, 2, 1}, {1, 0x1p-9, 1, 0x1p-9}, {1, 0x1p-40, 1, 0x1p-40}, {0, 1, 0x1p-450, 1},
		{0, 1, 0x1p-451, 1}, {3, 0x1p-5, 1, 0x1p-5}, {0, 0, 1, 0}, {0, 0x1p-451, 1, 0},
	}
	withEach(t, func(t *testing.T) {
		vectors, coefficients := make([]Vector, 2*d), make([]Vector, 4)
		for lane, c := range cases {
			vectors[0][lane], vectors[d][lane], vectors[d+1][lane] = c.first, c.along, c.beside
		}
		active().pairCoefficients(coefficients, vectors, d)
		for lane, c := range cases {
			first := c.first
			if first < 0x1p-450 {
				first = 0
			}
			if got := coefficients[0][lane]; got != first {
				t.Errorf("%+v: the first has the coefficient %v", c, got)
			}
			if got := coefficients[3][lane]; !(math.Abs(got-c.want) <= 1e-15) || c.want == 0 && got != 0 {
				t.Errorf("%+v: the second has the coefficient %v", c, got)
			}
		}
	})
}

// Tokens whose squares are at the ends of the range of float64 are normalised like others, and vectors in
// between by one root. Without a reduced rank, or with as many rows as dimensions, there is no basis.
func TestTokensOfExtremeNorms(t *testing.T) {
	withEach(t, func(t *testing.T) {
		x := NewTokens(1, 2, 1, NewAttention(0, 1, true), false)
		norms := Vector{0x1p-449, 0x1p-450, 0x1p-451, 0x1p449, 0x1p450, 0x1p451, 0x1p-900, 0x1p1000}
		for lane, norm := range norms {
			x.X[0][lane], x.X[1][lane] = 0.6*norm, -0.8*norm
		}
		if err := x.retract(make([]Vector, 4), make([]Vector, 2), 2, 1); err != nil {
			t.Fatal(err)
		}
		for lane, norm := range norms {
			if !(math.Abs(x.X[0][lane]-0.6) <= 2e-16) || !(math.Abs(x.X[1][lane]+0.8) <= 2e-16) {
				t.Errorf("norm %v: %v and %v", norm, x.X[0][lane], x.X[1][lane])
			}
		}
	})
	for _, c := range []struct {
		n, d           int
		reduced, basis bool
		rank           int
	}{{3, 5, true, true, 3}, {3, 5, false, false, 5}, {5, 5, true, false, 5}, {7, 5, true, false, 5},
		{2, 5, true, false, 2}, {1, 5, true, true, 1}} {
		x := NewTokens(c.n, c.d, 1, nil, c.reduced)
		if x.rank != c.rank || (x.basis != nil) != c.basis || len(x.matrix) != c.d*c.rank {
			t.Errorf("%+v: rank %d, basis of %d", c, x.rank, len(x.basis))
		}
	}
}
