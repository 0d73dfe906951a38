package measure

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/measure/hidden"
	"antipode/experiments/measure/inference"
	"antipode/experiments/run"
	"antipode/sphere/activation"
	"antipode/sphere/must"
)

// inferredTable returns the table of an inference from the simulated chain in testdata, which has σ² = 0.05,
// β = 1.5 and an MLP of tanh with w = 4.
func inferredTable(t *testing.T, parameters map[string]string) *data.Table {
	t.Helper()
	m := New()
	for _, p := range m.Parameters() {
		text, is := parameters[p.Name]
		if p.Name == fileParameter {
			text, is = "inference/testdata/chain.npy", true
		}
		if is {
			must.Do(t, p.Set(text))
		}
	}
	return experimenttest.Table(t, m, run.Options{Seed: 1})
}

// rowsOf returns the rows of a table as text, without its metadata.
func rowsOf(table *data.Table) string {
	rows := *table
	rows.Schema.Metadata = nil
	return experimenttest.Text(&rows)
}

// The inferred parameters are within three standard errors of the true ones, the goodness-of-fit test does
// not reject the chain, and every parameter of the inference changes some rows.
func TestInferTheChainOfTestdata(t *testing.T) {
	chain := map[string]string{"infer": ensemble, "infer-mlp": "tanh", "infer-w": "4"}
	table := inferredTable(t, chain)
	rows := must.Get(run.RowsOf[InferenceRow](table))(t)
	checkRows(t, rows)
	want := map[inferred]float64{"sigma2": 0.05, "beta": 1.5}
	for _, r := range rows {
		if x, is := want[r.Quantity]; is && (r.Low-r.Stderr > x || r.High+r.Stderr < x || !(r.Stderr < x/3)) {
			t.Errorf("%s: %v ± %v, want %v", r.Quantity, r.Value, r.Stderr, x)
		}
	}
	var text strings.Builder
	if err := New().Describe(&text, table); err != nil || !strings.Contains(text.String(),
		"random, independent layers") {
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

// checkRows checks that each row has the number that its name says: the parameters of the fit, the results of
// the test, the steps by layer (from 1), and κ by overlap.
func checkRows(t *testing.T, rows []InferenceRow) {
	t.Helper()
	states := must.Get(hidden.Open("inference/testdata/chain.npy"))(t)
	defer states.Close()
	d := &inference.Data{Dim: states.Dim}
	must.Do(t, New().transitions(t.Context(), &source{states: states}, d))
	mlp := must.Get(activation.NewCorrelation(activation.Tanh, 4))(t)
	fit := must.Get(d.Fit(mlp.At))(t)
	check := d.Check(fit, 1)
	nan := math.NaN()
	want := map[inferred][][4]float64{
		"sigma2":    {{nan, fit.Values[0], fit.Stderrs[0], nan}},
		"beta":      {{nan, fit.Values[1], fit.Stderrs[1], nan}},
		"c":         {{nan, fit.Values[2], fit.Stderrs[2], nan}},
		"p_overlap": {{nan, check.POverlap, nan, nan}}, "p_length": {{nan, check.PLength, nan, nan}},
		"p_memory":    {{nan, check.PMemory, nan, nan}},
		"transitions": {{nan, float64(d.Transitions()), nan, nan}},
	}
	for k, s := range d.Steps(fit) {
		layer := float64(k + 1)
		want["drift"] = append(want["drift"], [4]float64{layer, s.Drift, s.DriftStderr, s.FittedDrift})
		want["variance"] = append(want["variance"],
			[4]float64{layer, s.Variance, s.VarianceStderr, s.FittedVariance})
	}
	for _, b := range d.Curve(fit) {
		want["kappa11"] = append(want["kappa11"], [4]float64{b.Overlap, b.Own, b.OwnStderr, b.FittedOwn})
		want["kappa12"] = append(want["kappa12"], [4]float64{b.Overlap, b.Both, b.BothStderr, b.FittedBoth})
	}
	got := map[inferred][][4]float64{}
	for _, r := range rows {
		if r.Quantity != "residual" {
			got[r.Quantity] = append(got[r.Quantity], [4]float64{r.At, r.Value, r.Stderr, r.Fitted})
		}
	}
	if fmt.Sprint(got) != fmt.Sprint(want) { // as text, so that NaN equals NaN
		t.Errorf("%v\nnot %v", got, want)
	}
}

// A file from which nothing can be inferred is an error of the parameter.
func TestNothingToInfer(t *testing.T) {
	m := New()
	for name, text := range map[string]string{fileParameter: "hidden/testdata/float32.npy",
		"infer": ensemble} {
		for _, p := range m.Parameters() {
			if p.Name == name {
				must.Do(t, p.Set(text))
			}
		}
	}
	err := m.Run(t.Context(), run.Options{Seed: 1}, data.NewTable(run.Schema(m, 1)))
	if err == nil || !strings.Contains(err.Error(), "infer ensemble: too few pairs") {
		t.Errorf("error %v", err)
	}
}

// The report of a table that was filtered: it has no κ₁₂, and β is 0 or not.
func TestReportOfSomeInferredRows(t *testing.T) {
	all := inferredTable(t, map[string]string{"infer": ensemble, "infer-mlp": "tanh", "infer-w": "4"})
	nan := math.NaN()
	report := func(beta float64) string {
		some := data.NewTable(all.Schema)
		for _, r := range []InferenceRow{{Quantity: "beta", At: nan, Value: beta, Stderr: 0.125, Fitted: nan},
			{Quantity: "transitions", At: nan, Value: 17, Stderr: nan, Fitted: nan},
			{Quantity: "kappa11", At: 0.25, Value: 0.375, Stderr: 0.0625, Fitted: 0.4375}} {
			must.Do(t, data.WriteRows(some, r))
		}
		var text strings.Builder
		must.Do(t, New().Describe(&text, some))
		return text.String()
	}
	const equal = "All tokens of a sequence take the same step"
	text := report(0)
	for _, want := range []string{"17 steps of sequences", equal, "0.250     0.375 ± 0.062      0.4375"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if text := report(1.5); strings.Contains(text, equal) {
		t.Errorf("β = 1.5:\n%s", text)
	}
}
