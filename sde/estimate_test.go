package sde

import (
	"strings"
	"testing"
	"time"
)

func TestMemoryIsRefusedBeforeItIsTaken(t *testing.T) {
	for _, change := range []func(c *Cell){
		func(c *Cell) { c.Dim = 1_000_000 },
		func(c *Cell) { c.Tokens, c.Model = 1_000_000, Flow{} },
		func(c *Cell) { c.Tokens, c.Dim = largestCount, largestCount },
	} {
		c := pairCell()
		change(&c)
		e := recording([]Cell{pairCell(), c}, 1, 1, new([]record))
		if err := e.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "GiB of memory") {
			t.Errorf("N=%d, d=%d: error %v", c.Tokens, c.Dim, err)
		}
	}
	if bytes := recording([]Cell{pairCell()}, 1, 1, new([]record)).Memory(); bytes > 1e6 {
		t.Errorf("two tokens of dimension 4 need %g bytes", bytes)
	}
}

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
		{8, coupledCells(Cell{Model: TransformerSDE{Sigma: 1}, Tokens: 3, Dim: 8, Beta: 1, Start: UniformStart{}}, Transformer{}, 4, 64)},
		{200, coupledCells(Cell{Model: HybridSDE{Epsilon: 1}, Tokens: 2, Dim: 3, Beta: 1, Start: UniformStart{}}, Hybrid{}, 4, 8)},
		{5000, []Cell{{Model: Flow{}, Tokens: 2, Dim: 3, Beta: 1, Depth: 8, Start: UniformStart{}}}},
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
		if t.Logf("predicted %.3g s, took %.3g s", predicted, actual); predicted > 30*actual || predicted < actual/30 {
			t.Errorf("predicted %.3g s, took %.3g s", predicted, actual)
		}
	}
}
