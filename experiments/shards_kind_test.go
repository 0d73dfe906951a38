package experiments

import (
	"strings"
	"testing"

	"antipode/experiments/simulate"
)

// Of shards of tables of several kinds, as one run with --save outcomes,states writes them, the error names
// the kinds.
func TestShardsOfSeveralKinds(t *testing.T) {
	e := simulate.New()
	quick(e)
	e.Interpolate = true
	states, outcomes := *e, *e
	states.Save, outcomes.Save, outcomes.Interpolate = "states", "outcomes", false
	a, b := writeShards(t, t.TempDir(), &states, 1, 2), writeShards(t, t.TempDir(), &outcomes, 1, 2)
	for _, paths := range [][]string{{a[0], b[1]}, {b[0], a[1]}} {
		there, here := "outcomes", "states"
		if paths[0] == b[0] {
			there, here = here, there
		}
		shards, err := OpenShards(paths)
		if err == nil {
			shards.Close()
		}
		want := paths[1] + ": is a table of " + there + ", and the first file one of " + here
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}
