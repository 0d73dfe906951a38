package verify

import "testing"

func TestPilot(t *testing.T) {
	for _, c := range Claims() {
		t.Run(c.ID, func(t *testing.T) {
			var r report
			if err := c.measure(&laboratory{context: t.Context(), seed: 1, makers: genuine}, &r); err != nil {
				t.Fatal(err)
			}
			logComparisons(t, &r)
			if !r.result(c).Holds {
				t.Fail()
			}
		})
	}
}
