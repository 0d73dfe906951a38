package weights

import (
	"math"
	"math/rand/v2"
	"testing"

	"antipode/sphere/must"
)

// The theory of two tokens has no gates, so it is not known for a gated MLP which ends attract, whatever the
// activation of its gates.
func TestEndsAreNotKnownWithGates(t *testing.T) {
	all := arraysOf("llama", 0.3, rand.New(rand.NewPCG(21, 22)))
	for activation, gated := range map[string]bool{"gelu": true, "silu": true, "relu": false} {
		layout := Families["llama"]
		layout.Activation = activation
		if !gated {
			layout.Gate = ""
		}
		m := must.Get(Open(write(t, "m.npz", npz(t, all)), &layout, 3))(t)
		rows := m.Rows(1, must.Get(m.NewMeter(1).Measure(0))(t))
		whole := rows[len(rows)-1]
		if math.IsNaN(whole.MinusOne) != gated || math.IsNaN(whole.PlusOne) != gated {
			t.Errorf("%s, gated %v: -1 attracts %v, +1 %v", activation, gated, whole.MinusOne, whole.PlusOne)
		}
		must.Do(t, m.Close())
	}
}
