//go:build long

package sde

import (
	"testing"
	"time"
)

// The prediction is within a factor of the time that a run takes; the factor is
// wide, as machines are shared.
func TestSeconds(t *testing.T) {
	var rows []record
	e := recording([]Cell{pairCell()}, 64, 50_000, &rows)
	predicted := e.Seconds()
	start := time.Now()
	runAll(t, e, &rows)
	if actual := time.Since(start).Seconds(); predicted > 30*actual || predicted < actual/30 {
		t.Errorf("predicted %.3g s, took %.3g s", predicted, actual)
	}
}

// The same for coupled cells, whose schemes and laws take different times.
func TestSecondsOfCoupledCells(t *testing.T) {
	for _, c := range []struct {
		steps int64
		cells []Cell
	}{
		{8, coupledCells(Cell{Model: TransformerSDE, Tokens: 3, Dim: 8, Beta: 1, Sigma: 1,
			Start: UniformStart{}}, Transformer, 4, 64)},
		{200, coupledCells(Cell{Model: HybridSDE, Tokens: 2, Dim: 3, Beta: 1, Epsilon: 1,
			Start: UniformStart{}}, Hybrid, 4, 8)},
		{5000, []Cell{{Model: Flow, Tokens: 2, Dim: 3, Beta: 1, Depth: 8, Start: UniformStart{}}}},
	} {
		var rows []coupledRow
		e := coupledEnsemble(c.cells, &rows)
		e.Observer = func() func(*coupledRow, int, int64, []float64) {
			return func(*coupledRow, int, int64, []float64) {}
		}
		e.Trajectories, e.Steps = 100, c.steps
		predicted := e.Seconds()
		start := time.Now()
		if err := e.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		actual := time.Since(start).Seconds()
		if t.Logf("predicted %.3g s, took %.3g s", predicted, actual); predicted > 30*actual ||
			predicted < actual/30 {
			t.Errorf("predicted %.3g s, took %.3g s", predicted, actual)
		}
	}
}
