package rowwise

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"antipode/internal/instructionset"
	"antipode/sde/internal/kernels"
)

// withEach runs a test in every instruction set of the machine.
func withEach(t *testing.T, test func(t *testing.T)) {
	before := instructionset.Active()
	defer instructionset.Select(before)
	for _, name := range instructionset.Available() {
		if err := instructionset.Select(name); err != nil {
			t.Fatal(err)
		}
		t.Run(name, test)
	}
}

func normals(r *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	for k := range x {
		x[k] = r.NormFloat64()
	}
	return x
}

func sameNumbers(t *testing.T, what string, got, want []float64) {
	t.Helper()
	for k := range want {
		if math.Float64bits(got[k]) != math.Float64bits(want[k]) {
			t.Fatalf("%s: number %d is %v, want %v", what, k, got[k], want[k])
		}
	}
}

// Norms, softmax and Mix have the bits of their versions in Go at every length, with and without means and
// gains, and do not change what lies past the rows.
func TestRowsOfNetworksHaveTheBitsOfTheirTwins(t *testing.T) {
	withEach(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(5, 9))
		for columns := 1; columns < 34; columns++ {
			for _, rows := range []int{0, 1, 3} {
				for kind := range 4 {
					twinsOfNorm(t, r, rows, columns, kind&1 > 0, kind&2 > 0)
				}
				x := normals(r, rows*columns+1)
				x[0] = 1000
				got, want := slices.Clone(x), slices.Clone(x)
				Softmax(got, rows, columns)
				lessLargestGeneric(want, rows, columns)
				kernels.Exponentials(want[:rows*columns], 1)
				overSumsGeneric(want, rows, columns)
				sameNumbers(t, fmt.Sprint("softmax of ", columns), got, want)
			}
			x, y := normals(r, columns), normals(r, columns)
			got, want := slices.Clone(x), slices.Clone(x)
			Mix(got[:columns-1], 0.3, got, -1.7, y)
			mixGeneric(want[:columns-1], 0.3, want, -1.7, y)
			sameNumbers(t, fmt.Sprint("mixture of ", columns-1), got, want)
		}
	})
}

func twinsOfNorm(t *testing.T, r *rand.Rand, rows, columns int, centred, affine bool) {
	t.Helper()
	n := Norm{Columns: columns, Centred: centred, Epsilon: 1e-5}
	if affine {
		n.Gain, n.Bias = normals(r, columns), normals(r, columns)
	}
	count := rows*columns + 1
	x, dy := normals(r, count), normals(r, count)
	byGain, byBias := normals(r, columns), normals(r, columns)
	memory := func() (all [6][]float64) {
		out := normals(rand.New(rand.NewPCG(1, 1)), count)
		for k, from := range [][]float64{out, x, x, dy, byGain, byBias} {
			all[k] = slices.Clone(from)
		}
		return all
	}
	got, want := memory(), memory()
	factors, wantFactors := make([]float64, rows), make([]float64, rows)
	n.Forward(got[0], got[1], x, factors)
	normaliseGeneric(want[0], want[1], x, wantFactors, columns, centred, n.Epsilon, n.Gain, n.Bias)
	n.Backward(got[3], got[1], factors, got[4], got[5])
	normaliseBackwardGeneric(want[3], want[1], wantFactors, columns, centred, n.Gain, want[4], want[5])
	for k := range want {
		what := fmt.Sprintf("%d rows of %d, mean %t, gain %t: result %d", rows, columns, centred, affine, k)
		sameNumbers(t, what, got[k], want[k])
	}
	sameNumbers(t, "factors", factors, wantFactors)
}

// Softmax of a row by its definition, and if scores are infinite or NaN.
func TestSoftmax(t *testing.T) {
	withEach(t, func(t *testing.T) {
		scores := []float64{1e4 - 2, 1e4, -1e4, 1e4 - 1, 0, 0, 0, 0}
		Softmax(scores, 2, 4)
		e := math.E
		total := e*e + e + 1
		for k, want := range []float64{1 / total, e * e / total, 0, e / total, 0.25, 0.25, 0.25, 0.25} {
			if !(math.Abs(scores[k]-want) < 1e-15) {
				t.Errorf("weight %d is %v, want %v", k, scores[k], want)
			}
		}
		lost := []float64{1, math.NaN(), 0, 2, math.Inf(-1), 0, 0, 1}
		Softmax(lost, 2, 4)
		for k, x := range lost[:4] {
			if !math.IsNaN(x) {
				t.Errorf("weight %d beside NaN is %v", k, x)
			}
		}
		if lost[4] != 0 || !(lost[7] > lost[5]) {
			t.Errorf("weights beside -Inf are %v", lost[4:])
		}
	})
}
