//go:build long

package verify

import "testing"

// All claims hold at a seed, and the probability that chance alone makes one of a set fail is below 10^-4.
// Claims on training, which may differ at our sizes and take many minutes, are left out.
func TestClaimsHold(t *testing.T) {
	joint := map[string]float64{}
	for _, c := range Claims() {
		if c.Set == Training {
			continue
		}
		t.Run(c.ID, func(t *testing.T) {
			var r report
			if err := c.measure(&fixture{context: t.Context(), seed: 2, subject: genuine}, &r); err != nil {
				t.Fatal(err)
			}
			for _, x := range r.comparisons {
				t.Logf("%-44s predicted %-12.6g measured %-12.6g ± %-9.2g holds: %v, false alarm %.2g",
					x.what, x.predicted, x.measured, x.stderr, x.holds, x.falseAlarm)
			}
			result := r.result(c)
			joint[c.Set] += result.FalseAlarm
			if !result.Holds {
				t.Errorf("%s: predicted %v, measured %v ± %v", result.What, result.Predicted, result.Measured,
					result.StandardError)
			}
		})
	}
	for set, p := range joint {
		if t.Logf("%s: false alarm with probability %.2g", set, p); !(p < 1e-4) {
			t.Errorf("%s: false alarm with probability %.2g", set, p)
		}
	}
}
