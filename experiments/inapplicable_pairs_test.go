package experiments

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"testing"

	"antipode/experiments/experimenttest"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/internal/longtest"
	"antipode/sphere/must"
)

// If two flags are given, each with another value than its default, then each one is in the table's
// parameters with its value, or is refused. Neither is accepted and then ignored, whatever the other one
// implies.
func TestPairsOfFlagsAreKeptOrRefused(t *testing.T) {
	longtest.Only(t)
	for _, e := range All() {
		values := otherValues(t, e.Name())
		for p, first := range values {
			for q, second := range values {
				if p < q {
					checkPair(t, e.Name(), map[string]string{p: first, q: second})
				}
			}
		}
	}
}

// otherValues returns, for each parameter of an experiment that may be given alone, a value other than its
// default.
func otherValues(t *testing.T, name string) map[string]string {
	t.Helper()
	values := map[string]string{}
	e := experimenttest.Must(ByName(name))
	for _, p := range e.Parameters() {
		for _, text := range append(slices.Clone(others[name+"."+p.Name]), others[p.Name]...) {
			if text == p.Value.String() || p.Argument {
				continue
			}
			if _, err := run.Configure(experimenttest.Must(ByName(name)), map[string]string{p.Name: text},
				false); err == nil {
				values[p.Name] = text
				break
			}
		}
	}
	return values
}

// checkPair configures an experiment with two flags, and with each of them alone, and compares the
// parameters.
func checkPair(t *testing.T, name string, given map[string]string) {
	t.Helper()
	both := experimenttest.Must(ByName(name))
	if _, err := run.Configure(both, given, false); err != nil {
		return
	}
	for left := range given {
		one := experimenttest.Must(ByName(name))
		rest := map[string]string{}
		for p, text := range given {
			if p != left {
				rest[p] = text
			}
		}
		if _, err := run.Configure(one, rest, false); err != nil {
			continue // the other needs it
		}
		if p := parameter.ByName(both.Parameters(), left); !p.Preset && !hasKey(t, both, left) {
			t.Errorf("%s %v: %s is accepted, and not in the file", name, given, left)
		}
		if given[left] != parameter.ByName(one.Parameters(), left).Value.String() &&
			run.ParametersJSON(one) == run.ParametersJSON(both) {
			t.Errorf("%s %v: %s changes nothing", name, given, left)
		}
	}
}

func hasKey(t *testing.T, e run.Experiment, name string) bool {
	t.Helper()
	var keys map[string]json.RawMessage
	must.Do(t, json.Unmarshal([]byte(run.ParametersJSON(e)), &keys))
	_, is := keys[name]
	return is
}

// The name of a figure is refused if all parameters that it sets are given, and only then. The name of the
// default figure is never refused.
func TestFigureWithoutEffectIsRefused(t *testing.T) {
	cells := map[string]string{"model": "flow", "tokens": "3", "dim": "5", "beta": "3", "horizon": "7"}
	for _, c := range []struct {
		figure, without string
		refused         bool
	}{
		{"8", "", true}, {"9", "", true}, {"7", "", false}, {"8", "tokens", false}, {"8", "horizon", false},
		{"8", "dim", false}, {"9", "dim", true}, // figure 9 has the default dimension
	} {
		given := maps.Clone(cells)
		given["figure"] = c.figure
		delete(given, c.without)
		_, err := run.Configure(experimenttest.Must(ByName("evolve")), given, false)
		var problem *parameter.Error
		if errors.As(err, &problem) != c.refused || c.refused && (problem.Parameter != "figure" ||
			problem.Value != c.figure) {
			t.Errorf("figure %s without %q: %v", c.figure, c.without, err)
		}
	}
}
