package weak

import (
	"math"
	"math/rand/v2"
	"testing"

	"antipode/experiments/internal/fit"
	"antipode/sde"
)

// pairedSample returns 50 draws of three correlated values, and the estimates that fit computes from them,
// with the three values as those at depths 4, 8 and 24.
func pairedSample(t *testing.T) (rows [][3]float64, e fit.Estimates) {
	t.Helper()
	random := rand.New(rand.NewPCG(2, 3))
	m := fit.NewMoments(3)
	for range 50 {
		shared := random.NormFloat64()
		row := [3]float64{shared + 0.1*random.NormFloat64(), 2 + shared + 0.2*random.NormFloat64(),
			shared - 0.3*random.NormFloat64()}
		rows = append(rows, row)
		m.Add(row[:])
	}
	return rows, m.Estimates([]int{4, 8, 24})
}

// standardErrorOf returns the mean of combination(row) over the rows, and the standard error of this mean, by
// their definitions.
func standardErrorOf(rows [][3]float64, combination func(row [3]float64) float64) (mean, stderr float64) {
	n := float64(len(rows))
	for _, row := range rows {
		mean += combination(row) / n
	}
	squares := 0.0
	for _, row := range rows {
		squares += math.Pow(combination(row)-mean, 2)
	}
	return mean, math.Sqrt(squares / (n - 1) / n)
}

func close(a, b float64) bool { return math.Abs(a-b) <= 1e-12*(1+math.Abs(b)) }

// The standard errors of means, of their differences and of extrapolations are those that follow from the
// same combination of values in each row. As the values of a row are correlated, a difference of means has a
// much smaller error than the means.
func TestErrorsOfCoupledMeans(t *testing.T) {
	rows, e := pairedSample(t)
	for i := range 3 {
		mean, stderr := standardErrorOf(rows, func(row [3]float64) float64 { return row[i] })
		if !close(e.Means[i], mean) || !close(e.Stderr(i), stderr) {
			t.Errorf("mean %d: %v ± %v, want %v ± %v", i, e.Means[i], e.Stderr(i), mean, stderr)
		}
		for j := range 3 {
			want, wantError := standardErrorOf(rows, func(row [3]float64) float64 { return row[i] - row[j] })
			if got, stderr := e.Difference(i, j); !close(got, want) || !(math.Abs(stderr-wantError) <= 1e-9) {
				t.Errorf("difference of %d and %d: %v ± %v, want %v ± %v", i, j, got, stderr, want, wantError)
			}
		}
	}
	x := e.Extrapolated()
	combinations := []func(row [3]float64) float64{ // depths 4, 8 and 24
		func(row [3]float64) float64 { return 2*row[1] - row[0] },
		func(row [3]float64) float64 { return 1.5*row[2] - 0.5*row[1] },
	}
	for i, combination := range combinations {
		mean, stderr := standardErrorOf(rows, combination)
		if !close(x.Means[i], mean) || !close(x.Stderr(i), stderr) {
			t.Errorf("extrapolation %d: %v ± %v, want %v ± %v", i, x.Means[i], x.Stderr(i), mean, stderr)
		}
	}
	want, wantError := standardErrorOf(rows,
		func(row [3]float64) float64 { return combinations[0](row) - combinations[1](row) })
	if got, stderr := x.Difference(0, 1); !close(got, want) || !(math.Abs(stderr-wantError) <= 1e-9) {
		t.Errorf("difference of extrapolations: %v ± %v, want %v ± %v", got, stderr, want, wantError)
	}
}

// Rows of the table of weak errors: if the limit is known, a row has the difference of the mean from the
// limit, and the standard error of the mean. If it is not, the reference is the mean at the greatest depth,
// the standard error is that of the difference from it, and at the greatest depth itself there is no
// difference (NaN).
func TestErrorsOfWeakRows(t *testing.T) {
	rows, e := pairedSample(t)
	for _, limit := range []float64{0.5, math.NaN()} {
		got := rowsOf("euler", sde.Uniform, 2, e, limit)
		if len(got) != 3 {
			t.Fatalf("%d rows", len(got))
		}
		for i, r := range got {
			mean, stderr := standardErrorOf(rows, func(row [3]float64) float64 { return row[i] })
			reference, difference := limit, mean-limit
			if math.IsNaN(limit) {
				reference, _ = standardErrorOf(rows, func(row [3]float64) float64 { return row[2] })
				difference = math.NaN()
				if i < 2 {
					difference, stderr = standardErrorOf(rows,
						func(row [3]float64) float64 { return row[i] - row[2] })
				}
			}
			for name, pair := range map[string][2]float64{"value": {r.Value, mean},
				"stderr":    {r.Stderr, stderr},
				"reference": {r.Reference, reference}, "error": {r.Error, difference}} {
				if got, want := pair[0], pair[1]; !close(got, want) && !(got != got && want != want) {
					t.Errorf("limit %v, row %d, %s: %v, want %v", limit, i, name, got, want)
				}
			}
			at := place{r.Scheme, r.Law, r.Depth, r.Statistic}
			if at != (place{"euler", sde.Uniform, []int32{4, 8, 24}[i], 2}) {
				t.Errorf("row %d is that of %v", i, at)
			}
		}
	}
}
