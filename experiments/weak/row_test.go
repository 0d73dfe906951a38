package weak

import (
	"math"
	"strings"
	"testing"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/internal/fit"
	"antipode/experiments/run"
	"antipode/sde"
	"antipode/sphere/must"
)

// place identifies a row of the table.
type place struct {
	scheme    Scheme
	law       sde.Law
	depth     int32
	statistic Statistic
}

func placeOf(r Row) place { return place{r.Scheme, r.Law, r.Depth, r.Statistic} }

// rowsAndValues returns the rows of a run, and their values by place.
func rowsAndValues(t *testing.T, w *Experiment) ([]Row, map[place]float64) {
	t.Helper()
	rows := must.Get(data.RowsOf[Row](experimenttest.Table(t, w, run.Options{Seed: 4})))(t)
	values := map[place]float64{}
	for _, r := range rows {
		values[placeOf(r)] = r.Value
	}
	if len(values) != len(rows) {
		t.Fatal("a row is there twice")
	}
	return rows, values
}

// The values at a depth do not depend on which greater depths are simulated, nor on the order of the depths.
// An extrapolated value combines those at its depth and at twice the depth.
func TestWeakValues(t *testing.T) {
	w := New()
	w.Dim, w.Depth, w.Trajectories = 3, []int{8, 16, 32}, 200
	_, few := rowsAndValues(t, w)
	w.Depth = []int{64, 8, 16, 32}
	_, many := rowsAndValues(t, w)
	for key, v := range few {
		if many[key] != v {
			t.Errorf("%v: %v, and %v with one more depth", key, v, many[key])
		}
		if name, extrapolated := strings.CutPrefix(string(key.scheme), "extrapolated-"); extrapolated {
			scheme, next := key, key
			scheme.scheme, next.scheme = Scheme(name), Scheme(name)
			next.depth *= 2
			if want := 2*few[next] - few[scheme]; !(math.Abs(v-want) <= 1e-14) {
				t.Errorf("%v: extrapolated to %v, want %v", key, v, want)
			}
		}
	}
	if len(few) != 7*3*(3+2) {
		t.Errorf("%d rows", len(few))
	}
}

// For more than two tokens the reference is the value at the largest depth, whose own row has no error
// (NaN).
func TestWeakReferenceOfManyTokens(t *testing.T) {
	w := New()
	w.Dim, w.Depth, w.Trajectories = 3, []int{8, 16, 32, 64}, 200
	w.Tokens, w.Z0 = 3, nil
	rows, values := rowsAndValues(t, w)
	for k, r := range rows {
		greatest := placeOf(r)
		if greatest.depth = 64; strings.HasPrefix(string(r.Scheme), "extrapolated-") {
			greatest.depth = 32
		}
		if r.Reference != values[greatest] {
			t.Errorf("row %d: reference %v, want %v", k, r.Reference, values[greatest])
		}
		none := math.IsNaN(r.Error) && r.Depth == greatest.depth
		if want := r.Value - r.Reference; r.Error != want && !none {
			t.Errorf("row %d: error %v, want %v", k, r.Error, want)
		}
	}
}

// The covariance of means, of their differences and of extrapolated means is that of its definition.
func TestEstimatesOfMoments(t *testing.T) {
	rows := [][]float64{{1, 2, 4}, {2, 1, 0}, {0, 3, 5}, {4, 4, -1}}
	m := fit.NewMoments(3)
	combined := fit.NewMoments(3) // first minus last, and the two extrapolations
	for _, r := range rows {
		m.Add(r)
		combined.Add([]float64{r[0] - r[2], 2*r[1] - r[0], (4*r[2] - r[1]) / 3})
	}
	depths := []int{8, 16, 64}
	e, want := m.Estimates(depths), combined.Estimates(depths)
	if s := e.Stderr(1); !(math.Abs(s-math.Sqrt(5./3/4)) <= 1e-15) {
		t.Errorf("standard error %v", s)
	}
	if value, stderr := e.Difference(0, 2); !(math.Abs(value-want.Means[0]) <= 1e-14) ||
		!(math.Abs(stderr-want.Stderr(0)) <= 1e-14) {
		t.Errorf("difference %v ± %v", value, stderr)
	}
	x := e.Extrapolated()
	for i := range x.Means {
		if !(math.Abs(x.Means[i]-want.Means[i+1]) <= 1e-14) || x.Depths[i] != float64(depths[i]) {
			t.Errorf("extrapolated: %v", x)
		}
		for j := range x.Means {
			if !(math.Abs(x.Covariance[2*i+j]-want.Covariance[3*(i+1)+j+1]) <= 1e-14) {
				t.Errorf("extrapolated: covariance %v, want part of %v", x.Covariance, want.Covariance)
			}
		}
	}
}
