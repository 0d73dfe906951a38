package sphere

import (
	"flag"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// The random cases of the property tests are the same in every run, unless flags say otherwise.
func init() {
	flag.Set("rapid.seed", "20260302")
	flag.Set("rapid.nofailfile", "true")
	flag.Set("rapid.checks", "500")
}

// source generates a source of random numbers. rapid is designed for drawing few numbers, and the entries
// of vectors need no shrinking.
func source(t *rapid.T) *rand.Rand {
	return rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 6))
}

// rotation returns a random orthogonal matrix, row-major: Gaussian rows, orthonormalised twice by
// Gram-Schmidt. It is orthogonal up to d·2^-52.
func rotation(r *rand.Rand, d int) []float64 {
	q := gaussians(r, d*d)
	for i := range d {
		row := q[i*d : (i+1)*d]
		for range 2 {
			for j := range i {
				Project(row, q[j*d:(j+1)*d], row)
			}
			Normalize(row, row)
		}
	}
	return q
}

// rotated returns the tokens x rotated by q.
func rotated(q, x []float64, d int) []float64 {
	y := make([]float64, len(x))
	for i := range Tokens(x, d) {
		for k := range d {
			y[i*d+k] = Dot(q[k*d:(k+1)*d], x[i*d:(i+1)*d])
		}
	}
	return y
}

// ulp bounds the error of an inner product of vectors of dimension d and norms of about 1: each of the d
// products adds at most half a rounding error of a partial sum.
func ulp(d int) float64 { return float64(d+4) * 0x1p-52 }

func TestProjectionIsOrthogonal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r, d := source(t), rapid.IntRange(1, 40).Draw(t, "d")
		x, y, w := unit(r, d), unit(r, d), unit(r, d)
		p, q, again := make([]float64, d), make([]float64, d), make([]float64, d)
		Project(p, x, y)
		Project(q, x, w)
		Project(again, x, p)
		if off := distance(p, again); off > 2*ulp(d) {
			t.Fatalf("projecting twice moves by %g", off)
		}
		if off := math.Abs(Dot(p, w) - Dot(y, q)); off > 4*ulp(d) {
			t.Fatalf("not self-adjoint: %g", off)
		}
		if off := math.Abs(Dot(p, x)); off > 2*ulp(d) {
			t.Fatalf("not tangent: %g", off)
		}
	})
}

// Exponential and Retract move along the same great circle, by the angles h and atan h. The distance of
// the results is 2 sin((h-atan h)/2), h³/3 to leading order. The rounding error is of the order of that
// of one inner product, times h if v is not exactly tangent.
func TestExponentialAndRetractionPartByTheThirdOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r, d := source(t), rapid.IntRange(2, 40).Draw(t, "d")
		h := math.Pow(10, rapid.Float64Range(-8, 0.4).Draw(t, "log h"))
		x, v := unit(r, d), make([]float64, d)
		uniformTangent(v, x, r.NormFloat64)
		scale(v, v, h)
		e, q := make([]float64, d), make([]float64, d)
		Exponential(e, x, v)
		Retract(q, x, v)
		want := 2 * math.Sin((h-math.Atan(h))/2)
		if off := math.Abs(distance(e, q) - want); off > 2*ulp(d)*(1+h) {
			t.Fatalf("h = %g: distance %g, want %g", h, distance(e, q), want)
		}
		if want > h*h*h/3+1e-15 {
			t.Fatalf("h = %g: not of third order", h)
		}
	})
}

// Both maps commute with rotations.
func TestMapsCommuteWithRotations(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r, d := source(t), rapid.IntRange(1, 12).Draw(t, "d")
		q, x, v := rotation(r, d), unit(r, d), unit(r, d)
		Project(v, x, v)
		for name, move := range map[string]func(dst, x, v []float64){
			"exponential": Exponential,
			"retraction":  func(dst, x, v []float64) { Retract(dst, x, v) },
			"projection":  Project,
		} {
			there, back := make([]float64, d), make([]float64, d)
			move(there, x, v)
			move(back, rotated(q, x, d), rotated(q, v, d))
			if off := distance(rotated(q, there, d), back); off > 4*float64(d)*ulp(d) {
				t.Fatalf("%s: off by %g", name, off)
			}
		}
	})
}

// The least eigenvalue of a Gram matrix is not below 0 by more than the rounding errors of its entries, N
// of them in a row, and of the eigenvalue.
func TestGramHasNoNegativeEigenvalue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := source(t)
		n, d := rapid.IntRange(1, 12).Draw(t, "N"), rapid.IntRange(1, 12).Draw(t, "d")
		x, gram := make([]float64, n*d), make([]float64, n*n)
		Uniform(x, d, r.NormFloat64)
		for i := 1; i < n; i++ { // make some tokens coincide or be opposite
			if r.IntN(3) == 0 {
				scale(x[i*d:(i+1)*d], x[:d], float64(1-2*r.IntN(2)))
			}
		}
		Gram(gram, x, d)
		var eigen mat.EigenSym
		if !eigen.Factorize(mat.NewSymDense(n, gram), false) {
			t.Fatal("no eigenvalues")
		}
		if least := slices.Min(eigen.Values(nil)); least < -4*float64(n)*ulp(d) {
			t.Fatalf("eigenvalue %g", least)
		}
	})
}

// The outcome does not change if the tokens are permuted. It does not change either if they are rotated,
// unless an overlap is within rounding of a threshold.
func TestOutcomeIsInvariant(t *testing.T) {
	seen := map[Outcome]int{}
	rapid.Check(t, func(t *rapid.T) {
		r := source(t)
		n, d := rapid.IntRange(1, 8).Draw(t, "N"), rapid.IntRange(2, 6).Draw(t, "d")
		tolerance := rapid.SampledFrom([]float64{1e-9, 1e-3, 0.1}).Draw(t, "tolerance")
		spread := rapid.SampledFrom([]float64{0, 0.1, 0.5, 2}).Draw(t, "spread")
		x := make([]float64, n*d)
		clusters(r, x, d, 1+r.IntN(2), r.IntN(2) == 0, spread*math.Sqrt(tolerance))
		classifier := NewClassifier(n, tolerance)
		outcome, pair := classifier.Classify(x, d)
		seen[outcome]++

		shuffled := make([]float64, 0, n*d)
		for _, i := range r.Perm(n) {
			shuffled = append(shuffled, x[i*d:(i+1)*d]...)
		}
		if o, p := classifier.Classify(shuffled, d); o != outcome || p != pair {
			t.Fatalf("%v, %v becomes %v, %v in another order", outcome, pair, o, p)
		}
		if nearThreshold(x, d, tolerance) {
			return
		}
		if o, p := classifier.Classify(rotated(rotation(r, d), x, d), d); o != outcome || p != pair {
			t.Fatalf("%v, %v becomes %v, %v after a rotation", outcome, pair, o, p)
		}
	})
	for outcome := range Outcome(len(OutcomeNames)) {
		if seen[outcome] < 20 {
			t.Errorf("only %d configurations are %v", seen[outcome], outcome)
		}
	}
}

// nearThreshold reports whether a rotation could move an overlap across ±(1-τ).
func nearThreshold(x []float64, d int, tolerance float64) bool {
	for i := range Tokens(x, d) {
		for j := range i {
			overlap := math.Abs(Dot(x[i*d:(i+1)*d], x[j*d:(j+1)*d]))
			if math.Abs(overlap-(1-tolerance)) < 8*float64(d)*ulp(d) {
				return true
			}
		}
	}
	return false
}
