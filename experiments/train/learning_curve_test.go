package train

import (
	"errors"
	"math"
	"testing"

	"antipode/experiments/experimenttest"
	"antipode/experiments/run"
)

// Rows may be in any order. A row of a layer is assigned to its run and step, and is left out if there is no
// row of the whole network.
func TestRunsOfRows(t *testing.T) {
	whole := func(run int32, step int64) Row {
		return Row{Run: run, Step: step, Layers: 2, Layer: math.NaN()}
	}
	layer := func(run int32, step int64, layer, cosine float64) Row {
		return Row{Run: run, Step: step, Layers: 2, Layer: layer, Cosine: cosine, Entropy: 10 * cosine}
	}
	runs := runsOf([]Row{layer(1, 0, 2, 0.5), layer(0, 20, 2, 0.9), whole(0, 10), layer(0, 10, 2, 0.2),
		whole(1, 0), layer(0, 10, 1, 0.1), whole(0, 0), layer(0, 5, 2, 0.7), layer(0, 0, 0, 0.3)})
	if len(runs) != 2 || len(runs[0]) != 2 || len(runs[1]) != 1 {
		t.Fatalf("%+v", runs)
	}
	same := func(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }
	for _, c := range []struct {
		got             evaluation
		step            int64
		cosine, entropy float64
	}{{runs[0][0], 0, math.NaN(), math.NaN()}, {runs[0][1], 10, 0.2, 1.5}, {runs[1][0], 0, 0.5, math.NaN()}} {
		if c.got.Step != c.step || !same(c.got.cosine, c.cosine) || !same(c.got.entropy, c.entropy) {
			t.Errorf("step %d: cosine %v, entropy %v; want %+v", c.got.Step, c.got.cosine, c.got.entropy, c)
		}
	}
}

// A table of one setting can be read; a table without a row of a whole network is refused.
func TestReadLearningCurves(t *testing.T) {
	e := New()
	e.Seeds, e.Layers = 1, []int{2}
	row := func(layer float64) Row {
		return Row{Layers: 2, Layer: layer, Task: taskLabel(e.Task), Norm: normLabel(e.Norm[0]),
			Attention: attentionName(e.Attention[0]), Values: valueLabel(e.Values[0]),
			Optimiser: ruleLabel(e.Optimiser[0]), Status: finished}
	}
	curves, _, err := readLearningCurves(New(), experimenttest.TableOf(t, e, row(math.NaN()), row(1)))
	if err != nil || len(curves) != 1 {
		t.Errorf("%d curves, error %v", len(curves), err)
	}
	_, _, err = readLearningCurves(New(), experimenttest.TableOf(t, e, row(1)))
	if !errors.Is(err, run.ErrNoRows) {
		t.Errorf("error %v", err)
	}
}
