package experiments

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"antipode/experiments/hybrid"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
)

// A parameter that varies is a column of the table, and one that does not vary is an attribute in the
// metadata, under the same name. A parameter that is absent may be neither.
func TestParametersAreColumnsOrAttributes(t *testing.T) {
	several := []string{"COUNTS", "NUMBERS", "NAMES", "VALUES"} // placeholders of lists
	// Values of parameters that are left out of the metadata unless they are given:
	beside := map[string]string{"mlp": "tanh:1", "drift": "0.5", "attention-sum": "direct", "method": "chain",
		"derivatives": "true", "certify": "true", "thresholds": "true",
		"compare": "measure/hidden/testdata/float16.npy",
		"theory":  "true", "splitting": "antipodal", "stability splitting": "lifetime", "overlap tokens": "3",
		"forecast": "1e6", "bias-deviation": "0.5", "train mlp": "relu", "mlp-dropout": "0.1",
		"score-warmup": "9"}
	elsewhere := map[string]string{"stability masses": "m1", "verify only": "id", "field angles": "x"}
	for _, e := range All() {
		for _, p := range e.Parameters() {
			text, is := beside[e.Name()+" "+p.Name]
			if !is {
				text, is = beside[p.Name]
			}
			if is && p.Inapplicable == "" {
				if err := p.Set(text); err != nil {
					t.Fatal(err)
				}
			}
			name := strings.ReplaceAll(p.Name, "-", "_")
			schema := run.Schema(e, 1)
			var attributes map[string]any
			if err := json.Unmarshal([]byte(schema.Attributes), &attributes); err != nil {
				t.Fatal(err)
			}
			column := name
			if other, ok := elsewhere[e.Name()+" "+p.Name]; ok {
				column = other
			}
			_, isAttribute := attributes[name]
			isColumn := schema.Index(column) >= 0
			optional, is := p.Value.(parameter.Optional)
			absent := is && p.Value.String() == optional.Absent()
			// Values that were set before may have made it inapplicable.
			applicable := p.Inapplicable == "" && parameter.ByName(e.Parameters(), p.Name).Inapplicable == ""
			if applicable && !p.Preset && !absent && !isAttribute && !isColumn {
				t.Errorf("%s: %s is neither column nor attribute", e.Name(), p.Name)
			}
			if slices.Contains(several, p.Value.Placeholder()) && !alone(e, p) &&
				run.Schema(e, 1).Index(column) < 0 {
				t.Errorf("%s: %s can vary and is no column", e.Name(), p.Name)
			}
			if absent { // a value given to it may make others inapplicable
				if err := p.Set(optional.Absent()); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}

// alone sets a parameter to a list of two values, and reports whether that is refused.
func alone(e run.Experiment, p parameter.Parameter) bool {
	return p.Set("2,3") != nil || e.Validate() != nil
}

// Attributes have the value of a list with one value, and leave out lists with several.
func TestAttributes(t *testing.T) {
	h := hybrid.New()
	h.Beta, h.Epsilon, h.Dim, h.Depth, h.Horizon, h.Tolerance, h.Trajectories = []float64{0.5}, []float64{0.4,
		1}, 7, 30, 2.5, 1e-2, 9
	text := run.Schema(h, 1<<64-1).Attributes
	var got map[string]any
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]any{
		"command": "hybrid", "version": run.Version, "beta": 0.5, "dim": 7., "depth": 30., "horizon": 2.5,
		"tolerance": 0.01, "trajectories": 9., "law": "rademacher", "attention": "unnormalized",
		"epsilon": nil,
	} {
		if got[name] != want {
			t.Errorf("%s is %v, want %v", name, got[name], want)
		}
	}
	if !strings.Contains(text, `"seed":18446744073709551615,`) ||
		!strings.Contains(text, `"parameters":{"beta":[0.5],"epsilon":[0.4,1],`) {
		t.Errorf("seed or parameters are missing: %s", text)
	}
}
