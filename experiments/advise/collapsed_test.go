package advise

import (
	"testing"

	"antipode/data"
	"antipode/experiments/run"
	"antipode/sphere/must"
)

// The tokens of a given input collapse up to rounding in a deep network. Its rows have all their numbers,
// which a sink would refuse otherwise.
func TestCollapsedGivenTokens(t *testing.T) {
	for _, given := range []map[string]string{
		{"query-deviation": "0", "layers": "60"}, {"query-deviation": "0.05", "layers": "1000"},
	} {
		for name, text := range map[string]string{"input": "given", "start": "0.5", "tokens": "7",
			"dim": "64", "heads": "1", "width": "64", "alpha-sa": "0.1", "alpha-mlp": "1",
			"output-deviation": "0"} {
			given[name] = text
		}
		e := New()
		seed, err := run.Configure(e, given, false)
		must.Do(t, err)
		table := data.NewTable(run.Schema(e, seed))
		if err := e.Run(t.Context(), run.Options{Seed: seed}, table); err != nil {
			t.Errorf("%s layers: %v", given["layers"], err)
		}
	}
}
