package trainability

import (
	"math"
	"testing"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/run"
	"antipode/overlap/propagation"
)

// The parameters are those of the block.
func TestBlockHasTheParameters(t *testing.T) {
	d := &Experiment{Block: "pre-norm", SigmaW2: 0.5, SigmaB2: 0.02, SigmaV2: 0.3, AlphaMLP: 1.2,
		Activation: "gelu"}
	want := propagation.Block{
		Kind: propagation.PreNorm, Beta: 0.7, SigmaV2: 0.3, SigmaW2: 0.5, SigmaB2: 0.02, AlphaSA: 0.8,
		AlphaMLP: 1.2, Activation: propagation.GELU, Tokens: math.Inf(1),
	}
	if got := d.block(0.8, 0.7); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func TestTrainabilityRows(t *testing.T) {
	c := New()
	c.AlphaSA, c.Beta = []float64{1, 2, 0.5}, []float64{1.8, 0.5}
	table := experimenttest.Table(t, c, run.Options{})
	rows, err := data.RowsOf[Row](table)
	if err != nil || len(rows) != 6 {
		t.Fatal(err, len(rows))
	}
	for _, r := range rows {
		m, err := propagation.NewMap(c.block(r.AlphaSA, r.Beta))
		if err != nil {
			t.Fatal(err)
		}
		signal, err := m.Signal(propagation.State{Q: 1}, 60)
		if err != nil || signal.Cosine != r.Cosine || signal.Verdict(r.Beta, 0.99) != r.Verdict {
			t.Errorf("%+v, %v; row %+v", signal, err, r)
		}
	}
}
