package measure

import (
	"math"
	"strings"
	"testing"

	"antipode/experiments/experimenttest"
	"antipode/experiments/measure/weights"
	"antipode/overlap"
	"antipode/sphere/must"
)

// reported returns the report of weights whose rows are those of learnedRows after a change, with the heads
// given if heads is above 0.
func reported(t *testing.T, names string, heads int64, change func(r *weights.Row)) string {
	t.Helper()
	m := New()
	m.File, m.Weights, m.Names = none, "weights.npz", names
	if heads > 0 {
		m.Heads = &heads
	}
	rows := learnedRows()
	for k := range rows {
		change(&rows[k])
	}
	var b strings.Builder
	must.Do(t, m.Describe(&b, experimenttest.TableOf(t, m, rows...)))
	return b.String()
}

// Each count of matrices with outliers is compared with random matrices, also that of the MLPs, and also in a
// model with few heads.
func TestVerdictOnSingularValues(t *testing.T) {
	drawn := func(r *weights.Row) {
		r.ValueOutliers, r.ScoreOutliers, r.UpOutliers, r.DownOutliers = 0, 0, 0, 0
	}
	const asDrawn, learned = "They look as drawn", " have learned directions that random matrices do not have"
	for name, c := range map[string]struct {
		change func(r *weights.Row)
		want   string
	}{
		"none": {func(*weights.Row) {}, asDrawn},
		"W_1, W_2": {func(r *weights.Row) { r.UpOutliers, r.DownOutliers = 3, 1 },
			"W_1 and W_2" + learned},
		"one layer's": {func(r *weights.Row) { r.DownOutliers = max(0, r.Layer-2) }, asDrawn},
		"two heads":   {func(r *weights.Row) { r.ScoreOutliers = max(0, r.Layer-2) }, asDrawn},
		"four heads": {func(r *weights.Row) { r.ScoreOutliers = max(0, r.Layer-1) },
			"W_QᵀW_K" + learned},
		"all": {func(r *weights.Row) {
			r.ValueOutliers, r.ScoreOutliers, r.UpOutliers = 1, 1, 1
		}, "W_O W_V, W_QᵀW_K and W_1" + learned},
		"no MLP, heads": {func(r *weights.Row) {
			r.UpLargest, r.UpOutliers, r.ScoreOutliers = math.NaN(), math.NaN(), 1
		}, "W_QᵀW_K" + learned},
	} {
		said := reported(t, "", 0, func(r *weights.Row) {
			drawn(r)
			c.change(r)
		})
		if !strings.Contains(said, c.want) || !strings.Contains(said, "0.1 %") {
			t.Errorf("%s: %q is not in\n%s", name, c.want, said)
		}
	}
	for _, c := range []struct {
		count, of int
		want      float64
	}{{0, 5, 1}, {1, 1, 0.01}, {1, 4, 1 - math.Pow(0.99, 4)}, {2, 2, 1e-4},
		{2, 4, 6*1e-4*0.99*0.99 + 4*1e-6*0.99 + 1e-8}, {100_000, 1 << 20, 0}, {10, 1 << 20, 1}} {
		if got := byChance(c.count, c.of); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%d of %d: probability %v, want %v", c.count, c.of, got, c.want)
		}
	}
}

// The report says why it is not known whether opposite tokens stay opposite.
func TestWhyStabilityIsNotKnown(t *testing.T) {
	for name, c := range map[string]struct {
		change func(r *weights.Row)
		want   string
	}{
		"S": {func(r *weights.Row) { r.Spread.Value = 92 },
			"S is 92 in layer 1, and the theory has S up to 20. "},
		"β": {func(r *weights.Row) { r.Beta.Value = -2 * overlap.MaxBeta },
			"β is -2e+03 in layer 1, and the theory has |β| up to 1000. "},
		"c": {func(r *weights.Row) { r.MLPStrength = 3e6 },
			"c of the MLP is 3e+06 in layer 1, and the theory has c up to 1e+06. "},
		"a": {func(r *weights.Row) { r.A.Value = 2e6 },
			"a is 2e+06 in layer 1, and the theory has a up to 1e+06. "},
		"S without MLP": {func(r *weights.Row) { r.Spread.Value, r.MLPStrength = 21, 0 },
			"S is 21 in layer 1"},
		"no values": {func(r *weights.Row) { r.A.Value = 0 }, "values have no random part. "},
		"S in one layer": {func(r *weights.Row) { r.Spread.Value = 15 + 2*r.Layer },
			"the theory has no MLP with gates or of SiLU. "},
	} {
		said := reported(t, "", 0, func(r *weights.Row) {
			r.MinusOne, r.MLPOdd = math.NaN(), 1
			c.change(r)
		})
		if want := "is not known: " + c.want; !strings.Contains(said, want) {
			t.Errorf("%s: %q is not in\n%s", name, want, said)
		}
	}
}

// The report says that the number of heads was assumed, unless it was given.
func TestAssumedHeadsAreDisclosed(t *testing.T) {
	for _, c := range []struct {
		names string
		heads int64
		want  string
	}{
		{"", 0, "\nOne head per 64 dimensions is assumed"},
		{"llama", 0, "\nOne head per 64 dimensions is assumed"},
		{"map.json#sha256:ab", 0,
			"\nUnless map.json has a number of heads, one head per 64 dimensions is assumed"},
		{"", 2, ""},
		{"llama", 2, ""},
	} {
		said := reported(t, c.names, c.heads, func(*weights.Row) {})
		if is := strings.Contains(said, "assumed"); is != (c.want != "") || !strings.Contains(said, c.want) {
			t.Errorf("--names %s --heads %d: %q is not in\n%s", c.names, c.heads, c.want, said)
		}
	}
}
