package experiments

import (
	"strings"
	"testing"
	"time"

	"antipode/data"
	"antipode/experiments/run"
)

// FuzzParameters reads the metadata of a run, which may come from anybody. The result is a valid experiment,
// or an error.
func FuzzParameters(f *testing.F) {
	for _, e := range All() {
		small[e.Name()](e)
		f.Add(e.Name(), run.ParametersJSON(e), "1")
	}
	f.Fuzz(func(t *testing.T, command, parameters, seed string) {
		start := time.Now()
		e, _, err := Saved(data.Schema{Metadata: []data.Entry{
			{Key: data.KeyCommand, Value: command}, {Key: data.KeyParameters, Value: parameters},
			{Key: data.KeySeed, Value: seed}, {Key: data.KeyVersion, Value: run.Version},
		}})
		if passed := time.Since(start); passed > 2*time.Second {
			t.Errorf("%v", passed)
		}
		if err != nil {
			if strings.TrimSpace(err.Error()) == "" {
				t.Error("an error without words")
			}
			return
		}
		if len(e.Columns()) == 0 {
			t.Error("valid parameters have no columns")
		}
		if again, err := ByName(command); err != nil ||
			run.ReadParameters(again, &data.Table{Schema: run.Schema(e, 1)}) != nil {
			t.Errorf("parameters %s do not read back", run.ParametersJSON(e))
		}
	})
}
