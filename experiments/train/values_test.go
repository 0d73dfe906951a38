package train

import (
	"math"
	"slices"
	"testing"

	"antipode/sde/network"
)

// One experiment can have value matrices with scales of their own beside others that are scaled by
// --sigma-v2. Each network has the variance that was asked for, and each setting describes its network.
func TestValuesWithScales(t *testing.T) {
	e := New()
	e.Dim, e.SigmaV2 = 10, []float64{3, 5}
	text := "gaussian,gaussian:0.50,gaussian:1/d,identity:4,shared-identity,shared-identity:9,orthogonal"
	if err := e.parameter("values").Set(text); err != nil {
		t.Fatal(err)
	}
	canonical := "gaussian,gaussian:0.5,gaussian:1/d,identity:4,shared-identity,shared-identity:9,orthogonal"
	if got := e.parameter("values").Value.String(); got != canonical {
		t.Errorf("%s", got)
	}
	want := []network.Network{
		{Value2: 3}, {Value2: 5}, {Value2: 5}, {Value2: 1}, {Values: network.IdentityValues, Value2: 4},
		{Values: network.IdentityValues, Value2: 1, SharedValues: true},
		{Values: network.IdentityValues, Value2: 9, SharedValues: true},
		{Values: network.OrthogonalValues, Value2: 3}, {Values: network.OrthogonalValues, Value2: 5},
	}
	settings := e.settings()
	if len(settings) != len(want) {
		t.Fatalf("%d settings", len(settings))
	}
	for k, s := range settings {
		got := network.Network{Values: s.network.Values, Value2: s.network.Value2,
			SharedValues: s.network.SharedValues}
		if got != want[k] || s.SigmaV2[0] != want[k].Value2 {
			t.Errorf("%s: %+v, σ_v² = %v", s.Values[0], got, s.SigmaV2)
		}
	}
}

func TestValuesRefuse(t *testing.T) {
	e := New()
	for _, text := range []string{"", "gauss", "gaussian:", "gaussian:0", "gaussian:-1", "gaussian:x",
		"gaussian:1:1", "identity:1/d", "gaussian:1,gaussian:1.0", "gaussian:NaN", "identity:1e7"} {
		if e.parameter("values").Set(text) == nil {
			t.Errorf("%q is allowed", text)
		}
	}
	if !slices.Equal(e.Values, []string{"gaussian"}) {
		t.Errorf("%v", e.Values)
	}
}

// Branches are divided by the square root of the depth, for each depth.
func TestDepthScaling(t *testing.T) {
	e := New()
	e.Layers, e.Branches, e.DepthScaling = []int{4, 25}, []float64{1, 3}, true
	for k, want := range []float64{0.5, 1.5, 0.2, 0.6} {
		s := e.settings()[k]
		if !(math.Abs(s.network.BranchSA-want) <= 1e-15) || s.network.BranchMLP != s.network.BranchSA {
			t.Errorf("%d layers: %v, want %v", s.network.Layers, s.network.BranchSA, want)
		}
	}
}

// The side of a patch is given in pixels, or as a fraction 1/n for n patches on a side.
func TestPatchSides(t *testing.T) {
	e := New()
	e.Task = images
	for text, want := range map[string]int{"1/8": 65, "8": 17, "1/2": 5, "2": 257} {
		if err := e.parameter("patch").Set(text); err != nil {
			t.Fatal(err)
		}
		if got := e.settings()[0].network.Tokens; got != want {
			t.Errorf("%s: %d tokens, want %d", text, got, want)
		}
	}
}
