package weak

import (
	"math"
	"testing"

	"antipode/data"
	"antipode/experiments/columns"
	"antipode/experiments/experimenttest"
	"antipode/experiments/internal/fit"
	"antipode/experiments/run"
)

// weakValues are the values of a table by scheme, law, depth and statistic.
func weakValues(t *testing.T, table *data.Table) map[[4]int]float64 {
	t.Helper()
	c := columns.Reader{Table: table}
	scheme, law, statistic := columns.Of[int8](&c, "scheme"), columns.Of[int8](&c, "law"), columns.Of[int8](&c, "statistic")
	depth, value := columns.Of[int32](&c, "depth"), columns.Of[float64](&c, "value")
	if c.Err != nil {
		t.Fatal(c.Err)
	}
	values := map[[4]int]float64{}
	for k, v := range value {
		values[[4]int{int(scheme[k]), int(law[k]), int(depth[k]), int(statistic[k])}] = v
	}
	if len(values) != len(value) {
		t.Fatal("a row is there twice")
	}
	return values
}

// The values at a depth do not depend on which greater depths there are, nor on their
// order; an extrapolated value combines those of its depth and the next.
func TestWeakValues(t *testing.T) {
	w := New()
	w.Dim, w.Depth, w.Trajectories = 3, []int{8, 16, 32, 64}, 200
	w.Depth = []int{8, 16, 32}
	few := weakValues(t, experimenttest.Table(t, w, run.Options{Seed: 4}))
	w.Depth = []int{64, 8, 16, 32}
	many := weakValues(t, experimenttest.Table(t, w, run.Options{Seed: 4}))
	plain := len(weakSchemes()) / 2
	for key, v := range few {
		if many[key] != v {
			t.Errorf("%v: %v, and %v with one more depth", key, v, many[key])
		}
		if scheme, next := key, key; key[0] >= plain {
			scheme[0], next[0] = scheme[0]-plain, next[0]-plain
			next[2] *= 2
			if want := 2*few[next] - few[scheme]; math.Abs(v-want) > 1e-14 {
				t.Errorf("%v: extrapolated to %v, want %v", key, v, want)
			}
		}
	}
	if len(few) != 7*3*(3+2) {
		t.Errorf("%d rows", len(few))
	}
}

// Of more than two tokens the reference is the value at the greatest depth, where there is
// no error.
func TestWeakReferenceOfManyTokens(t *testing.T) {
	w := New()
	w.Dim, w.Depth, w.Trajectories = 3, []int{8, 16, 32, 64}, 200
	w.Tokens, w.Z0 = 3, nil
	table := experimenttest.Table(t, w, run.Options{Seed: 4})
	values := weakValues(t, table)
	c := columns.Reader{Table: table}
	scheme, law, statistic := columns.Of[int8](&c, "scheme"), columns.Of[int8](&c, "law"), columns.Of[int8](&c, "statistic")
	depth, reference, difference := columns.Of[int32](&c, "depth"), columns.Of[float64](&c, "reference"), columns.Of[float64](&c, "error")
	if c.Err != nil {
		t.Fatal(c.Err)
	}
	for k := range scheme {
		greatest := 64
		if int(scheme[k]) >= len(weakSchemes())/2 {
			greatest = 32
		}
		key := [4]int{int(scheme[k]), int(law[k]), greatest, int(statistic[k])}
		if reference[k] != values[key] {
			t.Errorf("row %d: reference %v, want %v", k, reference[k], values[key])
		}
		key[2] = int(depth[k])
		if want := values[key] - reference[k]; difference[k] != want && !(math.IsNaN(difference[k]) && key[2] == greatest) {
			t.Errorf("row %d: error %v, want %v", k, difference[k], want)
		}
	}
}

// The covariance of means is that of the definition, and so are those of differences and
// extrapolations.
func TestEstimatesOfMoments(t *testing.T) {
	rows := [][]float64{{1, 2, 4}, {2, 1, 0}, {0, 3, 5}, {4, 4, -1}}
	m := fit.NewMoments(3)
	combined := fit.NewMoments(3) // first less last, and the two extrapolations
	for _, r := range rows {
		m.Add(r)
		combined.Add([]float64{r[0] - r[2], 2*r[1] - r[0], (4*r[2] - r[1]) / 3})
	}
	depths := []int{8, 16, 64}
	e, want := m.Estimates(depths), combined.Estimates(depths)
	if s := e.Stderr(1); math.Abs(s-math.Sqrt(5./3/4)) > 1e-15 {
		t.Errorf("standard error %v", s)
	}
	if value, stderr := e.Difference(0, 2); math.Abs(value-want.Means[0]) > 1e-14 || math.Abs(stderr-want.Stderr(0)) > 1e-14 {
		t.Errorf("difference %v ± %v", value, stderr)
	}
	x := e.Extrapolated()
	for i := range x.Means {
		if math.Abs(x.Means[i]-want.Means[i+1]) > 1e-14 || x.Depths[i] != float64(depths[i]) {
			t.Errorf("extrapolated: %v", x)
		}
		for j := range x.Means {
			if math.Abs(x.Covariance[2*i+j]-want.Covariance[3*(i+1)+j+1]) > 1e-14 {
				t.Errorf("extrapolated: covariance %v, want part of %v", x.Covariance, want.Covariance)
			}
		}
	}
}
