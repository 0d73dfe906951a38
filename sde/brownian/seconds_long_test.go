//go:build long

package brownian

import (
	"testing"
	"time"

	"antipode/sde"
	"antipode/sphere/must"
)

// The prediction is within a factor of 30 of the time that a run takes, also of cells whose
// schemes and laws take different times.
func TestSeconds(t *testing.T) {
	for _, c := range []struct {
		steps int64
		cells []sde.Cell
	}{
		{8, coupledCells(sde.Cell{Model: sde.TransformerSDE{Sigma: 1}, Tokens: 3, Dim: 8, Beta: 1,
			Start: sde.UniformStart{}}, 4, 64)},
		{200, coupledCells(sde.Cell{Model: sde.HybridSDE{Epsilon: 1}, Tokens: 2, Dim: 3, Beta: 1,
			Start: sde.UniformStart{}}, 4, 8)},
		{5000, []sde.Cell{{Model: sde.Flow{}, Tokens: 2, Dim: 3, Beta: 1, Depth: 8,
			Start: sde.UniformStart{}}}},
	} {
		var rows []coupledRow
		e := ensembleOf(c.cells, &rows)
		e.Observer = func() func(*coupledRow, int, int64, []float64) {
			return func(*coupledRow, int, int64, []float64) {}
		}
		e.Trajectories, e.Steps = 100, c.steps
		predicted := e.Seconds()
		start := time.Now()
		must.Do(t, e.Run(t.Context()))
		actual := time.Since(start).Seconds()
		t.Logf("predicted %.3g s, took %.3g s", predicted, actual)
		if predicted > 30*actual || predicted < actual/30 {
			t.Errorf("predicted %.3g s, took %.3g s", predicted, actual)
		}
	}
}
