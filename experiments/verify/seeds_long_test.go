//go:build long

package verify

import (
	"slices"
	"testing"
)

// slowClaims are claims that take more than two seconds.
var slowClaims = []string{"crowd-rate", "crowd-time", "resampled-ends", "thm1-paths-matrix", "thm1-paths",
	"mlp-depth", "fig3-horizon", "dynamical-isometry", "networks-cosine", "eq15-rate"}

// No claim fails at two seeds, or at one if it takes seconds, and the probability that chance alone makes a
// claim of one set fail is below 10^-4. Claims on training are left out: they take many minutes, and may
// differ at our sizes.
func TestClaimsHold(t *testing.T) {
	joint := map[string]float64{}
	for _, c := range Claims() {
		if c.Set == Training {
			continue
		}
		t.Run(c.ID, func(t *testing.T) {
			seeds := uint64(2)
			if slices.Contains(slowClaims, c.ID) {
				seeds = 1
			}
			for seed := range seeds {
				result, err := c.check(&fixture{context: t.Context(), seed: 1001 + seed, subject: genuine})
				if err != nil {
					t.Fatal(err)
				}
				if seed == 0 {
					joint[c.Set] += result.FalseAlarm
				}
				if result.Verdict == fails {
					t.Errorf("seed %d: %s: predicted %v, measured %v ± %v", 1001+seed, result.What,
						result.Predicted, result.Measured, result.StandardError)
				} else if result.Verdict == undecided {
					t.Logf("seed %d: %s is undecided: predicted %v, measured %v ± %v", 1001+seed, result.What,
						result.Predicted, result.Measured, result.StandardError)
				}
			}
		})
	}
	for set, p := range joint {
		if t.Logf("%s: false alarm with probability %.2g", set, p); !(p < 1e-4) {
			t.Errorf("%s: false alarm with probability %.2g", set, p)
		}
	}
}
