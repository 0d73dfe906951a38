package measure

import (
	"strings"
	"testing"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/run"
	"antipode/sphere/must"
)

// inferredTable infers from the chain of testdata, of σ² = 0.05, β = 1.5 and an MLP of tanh with w = 4.
func inferredTable(t *testing.T, parameters map[string]string) *data.Table {
	t.Helper()
	m := New()
	for _, p := range m.Parameters() {
		text, is := parameters[p.Name]
		if p.Name == fileParameter {
			text, is = "inference/testdata/chain.npy", true
		}
		if is {
			must.Do(t, p.Value.Set(text))
		}
	}
	return experimenttest.Table(t, m, run.Options{Seed: 1})
}

// rowsOf is the rows of a table as text, without its metadata.
func rowsOf(table *data.Table) string {
	rows := *table
	rows.Schema.Metadata = nil
	return experimenttest.Text(&rows)
}

// The parameters of the chain are within three standard errors of the true ones, the test does not reject it,
// and every parameter of the inference changes rows.
func TestInferTheChainOfTestdata(t *testing.T) {
	chain := map[string]string{"infer": ensemble, "infer-mlp": "tanh", "infer-w": "4"}
	table := inferredTable(t, chain)
	rows := must.Get(run.RowsOf[InferenceRow](table))(t)
	want := map[inferred]float64{"sigma2": 0.05, "beta": 1.5}
	for _, r := range rows {
		if x, is := want[r.Quantity]; is && (r.Low-r.Stderr > x || r.High+r.Stderr < x || !(r.Stderr < x/3)) {
			t.Errorf("%s: %v ± %v, want %v", r.Quantity, r.Value, r.Stderr, x)
		}
	}
	var text strings.Builder
	if err := New().Describe(&text, table); err != nil || !strings.Contains(text.String(),
		"random and independent") {
		t.Errorf("report %q, error %v", &text, err)
	}
	if _, err := New().Draw(table); err != nil {
		t.Error(err)
	}
	all := rowsOf(table)
	for name, value := range map[string]string{"infer": network, "infer-mlp": "sin", "infer-w": "3"} {
		changed := map[string]string{name: value}
		for other, text := range chain {
			if other != name {
				changed[other] = text
			}
		}
		if rowsOf(inferredTable(t, changed)) == all {
			t.Errorf("%s has no effect", name)
		}
	}
}

// What cannot be inferred is an error of the parameter.
func TestNothingToInfer(t *testing.T) {
	m := New()
	for name, text := range map[string]string{fileParameter: "hidden/testdata/float32.npy",
		"infer": ensemble} {
		for _, p := range m.Parameters() {
			if p.Name == name {
				must.Do(t, p.Value.Set(text))
			}
		}
	}
	err := m.Run(t.Context(), run.Options{Seed: 1}, data.NewTable(run.Schema(m, 1)))
	if err == nil || !strings.Contains(err.Error(), "infer ensemble: too few pairs") {
		t.Errorf("error %v", err)
	}
}
