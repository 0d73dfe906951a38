package propagation

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"testing"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/internal/networks"
	"antipode/experiments/run"
	"antipode/sphere/must"
)

// savedRows returns the rows of a table of matrices.
func savedRows(t *testing.T, p *Experiment, save networks.Saved) []MatrixRow {
	t.Helper()
	p.Save = save
	rows := must.Get(data.RowsOf[MatrixRow](experimenttest.Table(t, p, run.Options{Seed: 6})))(t)
	return rows
}

// The mean cosines of the saved states are those in the table of values, at each layer of each curve.
func TestSavedStatesHaveTheCosines(t *testing.T) {
	p := reading(t, "")
	two := int64(2)
	p.Beta, p.Simulate = []float64{0.3, 2}, &two
	values := must.Get(data.RowsOf[Row](experimenttest.Table(t, p, run.Options{Seed: 6})))(t)
	type place struct {
		Setting
		network, sequence, layer int32
	}
	states := map[place][][]float64{}
	for _, r := range savedRows(t, p, networks.SavedStates) {
		at := place{r.Setting, r.Network, r.Sequence, r.Layer}
		if r.Other == 1 {
			states[at] = append(states[at], nil)
		}
		last := len(states[at]) - 1
		states[at][last] = append(states[at][last], r.Value)
		if r.Head != 0 || int(r.Token) != last+1 || int(r.Other) != len(states[at][last]) {
			t.Fatalf("out of order: %+v", r)
		}
	}
	cosines := map[place]float64{}
	for at, tokens := range states {
		if len(tokens) != 24 || len(tokens[23]) != 192 {
			t.Fatalf("%d tokens of dimension %d", len(tokens), len(tokens[23]))
		}
		for i, x := range tokens {
			for _, y := range tokens[:i] {
				cosines[place{Setting: at.Setting, layer: at.layer}] += cosine(x, y) / (24 * 23 / 2) / 2 / 4
			}
		}
	}
	if len(states) != 2*2*4*4 {
		t.Errorf("%d states", len(states))
	}
	for _, r := range values {
		if got := cosines[place{Setting: r.Setting,
			layer: r.Layer}]; !(math.Abs(got-r.CosineSimulated) <= 1e-12) {
			t.Errorf("%+v, layer %d: %v, in the table of values %v", r.Setting, r.Layer, got,
				r.CosineSimulated)
		}
	}
}

func cosine(x, y []float64) float64 {
	xy, xx, yy := 0.0, 0.0, 0.0
	for k := range x {
		xy, xx, yy = xy+x[k]*y[k], xx+x[k]*x[k], yy+y[k]*y[k]
	}
	return xy / math.Sqrt(xx*yy)
}

// In every head, the rows of saved attention matrices sum to 1, or to 0 with gain control, and are 0 above
// the diagonal if attention is causal. JSON has the same matrices.
func TestSavedAttention(t *testing.T) {
	p := reading(t, "")
	two := int64(2)
	p.Simulate, p.Sequences, p.Causal, p.Block = &two, &two, true, []string{"pre-norm", "gain-post-norm"}
	sums := map[MatrixRow]float64{}
	rows := savedRows(t, p, networks.SavedAttention)
	for _, r := range rows {
		of := r
		of.Other, of.Value = 0, 0
		sums[of] += r.Value
		if r.Other > r.Token && r.Value != 0 {
			t.Errorf("%+v", r)
		}
	}
	if len(sums) != 2*2*2*3*3*24 {
		t.Errorf("%d rows of matrices", len(sums))
	}
	for at, sum := range sums {
		want := map[string]float64{"pre-norm": 1, "gain-post-norm": 0}[at.Block.String()]
		if !(math.Abs(sum-want) <= 1e-13) {
			t.Errorf("%+v: a row sums to %v", at, sum)
		}
	}
	var text bytes.Buffer
	must.Do(t, p.WriteJSON(&text, experimenttest.Table(t, p, run.Options{Seed: 6})))
	var all []matrixJSON
	if err := json.Unmarshal(text.Bytes(), &all); err != nil || len(all) != 2*2*2*3*3 {
		t.Fatal(len(all), err)
	}
	const one = 40 // index of one matrix in the table
	for k, r := range rows[one*24*24 : (one+1)*24*24] {
		m := all[slices.IndexFunc(all, func(m matrixJSON) bool {
			return m.Block == r.Block.String() && m.Network == r.Network && m.Sequence == r.Sequence &&
				m.Layer == r.Layer && m.Head == r.Head
		})]
		if m.Matrix[k/24][k%24] != r.Value {
			t.Fatalf("%+v: %+v", r, m)
		}
	}
}
