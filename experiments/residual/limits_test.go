package residual

import (
	"math"
	"strings"
	"testing"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/run"
)

// Attention of three tokens in five dimensions is reckoned with 9·17.5e-9 s, and a random matrix with
// 25·22.5e-9 s. A sample takes two attentions at each of 1500 steps of the flow, four at each of 14·1.5
// layers, and two random matrices there.
func TestTimeOfARun(t *testing.T) {
	e := New()
	e.Tokens, e.Dim, e.Depth, e.Horizon, e.Samples = 3, 5, []int{2, 8, 4}, 1.5, 10
	needs := experimenttest.Needs(t, e, run.Options{Workers: 1})
	if want := 10 * (3000*157.5e-9 + 21*(4*157.5e-9+2*562.5e-9)); !(math.Abs(needs.Seconds/want-1) <= 1e-12) {
		t.Errorf("%g s, want %g", needs.Seconds, want)
	}
	if want := 8. * 10 * 2 * (2 + 4*3); needs.Rows != 4*3*2 || needs.Kept != want {
		t.Errorf("%+v", needs)
	}
}

// Each worker has forty matrices of d² numbers of eight bytes: 100 workers have 3.2e10 bytes for d = 1000.
// The run is refused beyond 16 GiB.
func TestMemoryOfARun(t *testing.T) {
	for workers, want := range map[int]string{100: "the run would need 29.8 GiB of memory", 50: ""} {
		e := New()
		e.Dim, e.Depth, e.Samples = 1000, []int{8, 16, 32}, 100
		options := run.Options{Workers: workers, Preflight: func(run.Needs) error {
			return experimenttest.ErrNoRoom
		}}
		err := e.Run(t.Context(), options, data.NewTable(run.Schema(e, 1)))
		if want != "" {
			experimenttest.CheckRefused(t, err, "tokens", want)
		} else if err != experimenttest.ErrNoRoom {
			t.Errorf("%d workers: %v", workers, err)
		}
	}
}

// The order is that of the two least depths, here 2 ± 0.05·√2/ln 2 and 0, unless its error is half or more or
// an error of a mean is 0.
func TestTextOfAnOrder(t *testing.T) {
	row := func(depth int32, difference, stderr float64) Row {
		return Row{Depth: depth, Error: difference, ErrorStderr: stderr}
	}
	for want, c := range map[string][]Row{
		"2.00 ± 0.10": {row(8, 4, 0.2), row(16, -1, 0.05), row(32, 1, 9)},
		"1.00 ± 0.00": {row(8, 4, 0), row(32, 1, 0)},
		"0.00 ± 0.49": {row(1, 1, 0.24), row(2, 1, 0.24)},
	} {
		if got := orderText(c); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	half := 0.5 * math.Ln2
	for _, c := range [][]Row{{row(8, 1, 0.1)}, {row(1, 1, half), row(2, 1, 0)}, {row(1, 1, 0), row(2, 0, 0)},
		{row(1, 0, 0), row(2, 1, 0)}, {row(1, math.NaN(), 0), row(2, 1, 0)}} {
		if got := orderText(c); got != "none" {
			t.Errorf("%+v: %q", c, got)
		}
	}
}

// Depths may have one layer up to the horizon, and a horizon may miss a whole number by 10^-9 of it.
func TestLeastHorizon(t *testing.T) {
	for horizon, allowed := range map[float64]bool{0.125: true, 0.0625: false, 0.1250000001: true,
		0.125001: false, 10: true} {
		e := New()
		e.Depth, e.Horizon = []int{8, 16, 32}, horizon
		if err := e.Validate(); (err == nil) != allowed {
			t.Errorf("horizon %v: %v", horizon, err)
		}
	}
}

// A value at the top of the panel is not above it.
func TestValueAtTheTop(t *testing.T) {
	c := [][]Row{{{Depth: 8, Value: 5}}}
	if got := notDrawn(c, 5); !strings.HasPrefix(got, "; right panel") {
		t.Error(got)
	}
}

// A value that is not known is beyond float64, in words.
func TestTextOfAValue(t *testing.T) {
	for want, r := range map[string]Row{
		"beyond float64": {Value: math.NaN(), Stderr: 0.5}, "0.2500 ± 0.5000": {Value: 0.25, Stderr: 0.5},
	} {
		if got := r.valueText(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
