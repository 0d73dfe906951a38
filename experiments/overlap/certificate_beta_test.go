package overlap

import (
	"encoding/json"
	"strings"
	"testing"

	"antipode/experiments/experimenttest"
	"antipode/experiments/run"
	"antipode/sphere/must"
)

// The critical β at a depth lies between its proved bounds, also where rounding errors take the zero of the
// computed Lyapunov exponent out of them.
func TestCriticalBetaWithinItsProof(t *testing.T) {
	for _, c := range []struct{ dim, depth string }{{"60", "1"}, {"10", "100"}, {"8", "20"}, {"3", "50"}} {
		o := block(t, [2]string{"dim", c.dim}, [2]string{"beta", "1"}, [2]string{"depth", c.depth},
			[2]string{"certify", "true"})
		var object strings.Builder
		must.Do(t, o.WriteJSON(&object, experimenttest.Table(t, o, run.Options{})))
		var r struct {
			Beta   float64 `json:"beta_c_depth"`
			Low    float64 `json:"beta_c_depth_low"`
			High   float64 `json:"beta_c_depth_high"`
			Proved string  `json:"beta_c_depth_proved"`
		}
		must.Do(t, json.Unmarshal([]byte(object.String()), &r))
		if r.Proved != "yes" || !(r.Low <= r.Beta && r.Beta <= r.High) {
			t.Errorf("d = %s, depth %s: β_c %v, proved from %v to %v: %q", c.dim, c.depth, r.Beta, r.Low,
				r.High, r.Proved)
		}
	}
}
