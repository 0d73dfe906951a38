package brownian

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"antipode/sde"
	"antipode/sde/internal/runtest"
	"antipode/sphere/must"
)

// brokenStart fails at a trajectory, or puts its tokens at the centre of the sphere at another one.
type brokenStart struct {
	sde.UniformStart
	fails, centred int64
}

func (s brokenStart) Fill(x []float64, d int, trajectory int64, normal func() float64) error {
	if trajectory == s.fails {
		return errors.New("broken")
	}
	err := s.UniformStart.Fill(x, d, trajectory, normal)
	if trajectory == s.centred {
		clear(x)
	}
	return err
}

// A trajectory that cannot start, or that fails in a step, ends the run with its number, after the rows of
// all trajectories before it.
func TestTrajectoriesThatFail(t *testing.T) {
	for want, start := range map[string]brokenStart{
		"trajectory 3: broken": {fails: 3, centred: -1},
		"trajectory 5: cell 1, step 1: token 0 has norm 0 and no direction": {fails: 6, centred: 5},
	} {
		cells := []sde.Cell{{Model: sde.Flow{}, Tokens: 2, Dim: 3, Depth: 4, Start: start},
			{Model: sde.Flow{}, Tokens: 2, Dim: 3, Depth: 8, Start: start}}
		var rows []coupledRow
		if err := ensembleOf(cells, &rows).Run(t.Context()); err == nil || err.Error() != want {
			t.Errorf("error %v, want %s", err, want)
		}
		if !strings.HasPrefix(want, fmt.Sprintf("trajectory %d:", len(rows))) {
			t.Errorf("%d rows before the error %s", len(rows), want)
		}
	}
	cells := []sde.Cell{{Model: sde.Flow{}, Tokens: 2, Dim: 3, Depth: 4, Start: brokenStart{fails: 0}}}
	if _, err := NewCoupled(cells, 1); err == nil || err.Error() != "broken" {
		t.Errorf("error %v of coupled cells that cannot start", err)
	}
}

// A path has 2^20 steps of the smallest depth, and no more.
func TestEndOfAPath(t *testing.T) {
	coupled := must.Get(NewCoupled([]sde.Cell{{Model: sde.Transformer{Sigma: 1}, Tokens: 2, Dim: 3, Depth: 4,
		Start: sde.UniformStart{}}}, 1))(t)
	coupled.step = 1<<20 - 1
	must.Do(t, coupled.Advance(nil))
	const want = "a Brownian path has 1048576 steps of its smallest depth"
	if err := coupled.Advance(nil); err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

// Cells that do not fit each other are refused with the reason, whether they are coupled or compared.
func TestReasonsOfRefusals(t *testing.T) {
	plain := sde.Cell{Model: sde.Transformer{Sigma: 1}, Tokens: 2, Dim: 3, Beta: 1, Depth: 10,
		Start: sde.UniformStart{}}
	const oneHead = "cells on one path have one head and no random scores: " +
		"the path is that of one value matrix"
	const same = "cells that are compared must have the same tokens, dimension, start and depth"
	for _, c := range []struct {
		change            func(c *sde.Cell)
		coupled, compared string
	}{
		{func(c *sde.Cell) { c.Dim = 0 }, "dimension 0", "dimension 0"},
		{func(c *sde.Cell) { c.Heads = 2 }, oneHead, oneHead},
		{func(c *sde.Cell) { c.Resampling.Spread = 1 }, oneHead, oneHead},
		{func(c *sde.Cell) { c.Resampling.Keys = 8 }, "", ""}, // of spread 0
		{func(c *sde.Cell) { c.Tokens = 3 }, "coupled cells must differ", same},
		{func(c *sde.Cell) { c.Dim = 4 }, "coupled cells must differ", same},
		{func(c *sde.Cell) { c.Start = sde.PairStart{} }, "coupled cells must differ", same},
		{func(c *sde.Cell) { c.Depth = 30 }, "depth 30: must be 10·2^m with m from 0 to 24", same},
		{func(c *sde.Cell) { c.Model = sde.Hybrid{Epsilon: 1} }, "coupled cells must differ",
			"cells that are compared must take the same noise: 9 numbers in a step, not 1"},
		{func(c *sde.Cell) { c.Model = sde.Flow{} }, "coupled cells must differ", ""},
		{func(c *sde.Cell) { c.Beta, c.Attention = 2, sde.Unnormalized }, "coupled cells must differ", ""},
		{func(c *sde.Cell) {}, "", ""},
	} {
		other := plain
		c.change(&other)
		cells := []sde.Cell{plain, other}
		for want, create := range map[*string]func([]sde.Cell, uint64) (*Coupled, error){
			&c.coupled: NewCoupled, &c.compared: NewCompared,
		} {
			_, err := create(cells, 1)
			if (err == nil) != (*want == "") || !strings.Contains(fmt.Sprint(err), *want) && *want != "" {
				t.Errorf("%+v: error %v, want %q", other, err, *want)
			}
		}
	}
	if _, err := NewCompared(nil, 1); err == nil || err.Error() != "no cells" {
		t.Errorf("error %v without cells", err)
	}
	e := ensembleOf([]sde.Cell{plain, plain}, new([]coupledRow))
	e.Cells[1].Model = nil // the memory of such a cell cannot be computed
	if err := e.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "model") {
		t.Errorf("error %v of an ensemble without a model", err)
	}
}

// Cells that are compared follow the path of a cell with noise at β = 0, whatever their β and wherever cells
// without noise stand.
func TestComparedCellsFollowThePathOfACellWithNoise(t *testing.T) {
	cell := func(m sde.Model, beta float64) sde.Cell {
		return sde.Cell{Model: m, Tokens: 3, Dim: 4, Beta: beta, Depth: 10, Start: sde.UniformStart{}}
	}
	noisy := sde.Transformer{Sigma: 1}
	alone := must.Get(NewCoupled([]sde.Cell{cell(noisy, 0)}, 5))(t)
	for _, cells := range [][]sde.Cell{
		{cell(noisy, 0), cell(sde.Flow{}, 1)},
		{cell(sde.Flow{}, 1), cell(sde.Flow{}, 0), cell(noisy, 2), cell(noisy, 0)},
	} {
		compared := must.Get(NewCompared(cells, 5))(t)
		for _, c := range []*Coupled{alone, compared} {
			must.Do(t, errors.Join(c.Restart(2), c.Advance(nil), c.Advance(nil)))
		}
		for k, c := range cells {
			same := slices.Equal(compared.Tokens(k), alone.Tokens(0))
			if same != (c.Model == sde.Model(noisy) && c.Beta == 0) {
				t.Errorf("cell %d of %d: the same tokens: %v", k, len(cells), same)
			}
		}
	}
}

// unreadable is a checkpoint whose trajectories cannot be read.
type unreadable struct{ sde.Checkpoint[coupledRow] }

var errUnreadable = errors.New("unreadable")

func (unreadable) Has(int64) bool                   { return true }
func (unreadable) Read(int64) ([]coupledRow, error) { return nil, errUnreadable }

// A checkpoint that has not one row for a trajectory, or that cannot be read, is an error.
func TestDamagedCheckpoint(t *testing.T) {
	e := ensembleOf([]sde.Cell{{Model: sde.Flow{}, Tokens: 2, Dim: 3, Depth: 4, Start: sde.UniformStart{}}},
		new([]coupledRow))
	e.Part = sde.Part{Number: 2, Of: 3}
	e.Reduce = func(int64, coupledRow) error { return nil }
	for n, want := range map[int]string{
		0: "trajectory 5 of the checkpoint has 0 rows, not 1",
		2: "trajectory 5 of the checkpoint has 2 rows, not 1",
	} {
		e.Checkpoint = &runtest.Memory[coupledRow]{Before: map[int64][]coupledRow{5: make([]coupledRow, n)}}
		if err := e.Run(t.Context()); err == nil || err.Error() != want {
			t.Errorf("error %v, want %s", err, want)
		}
	}
	e.Checkpoint = unreadable{}
	if err := e.Run(t.Context()); !errors.Is(err, errUnreadable) {
		t.Errorf("error %v of a checkpoint that cannot be read", err)
	}
}

// An increment of another size or of a level that the path does not have is a mistake of the programmer.
func TestIncrementPanics(t *testing.T) {
	path := NewPath(1, 2, 3, 4)
	for _, c := range []struct {
		entries, level int
		panics         bool
	}{{4, 0, false}, {4, 24, false}, {4, -1, true}, {4, 25, true}, {3, 0, true}, {5, 0, true}} {
		func() {
			defer func() {
				if got := recover(); (got != nil) != c.panics {
					t.Errorf("%d entries of level %d: panic %v", c.entries, c.level, got)
				} else if text := fmt.Sprintf("%d entries of level %d asked", c.entries, c.level); c.panics &&
					!strings.Contains(fmt.Sprint(got), text) {
					t.Errorf("panic %v, want %s", got, text)
				}
			}()
			path.Increment(make([]float64, c.entries), 0, c.level, 0)
		}()
	}
}

// A predicted time is proportional to the trajectories, the steps and the depths, within a factor that leaves
// room for a busy machine.
func TestSecondsGrowWithTheWork(t *testing.T) {
	cell := sde.Cell{Model: sde.Flow{}, Tokens: 2, Dim: 3, Beta: 1, Depth: 1, Start: sde.UniformStart{}}
	seconds := func(depths []int, trajectories, steps int64) float64 {
		var cells []sde.Cell
		for _, cell.Depth = range depths {
			cells = append(cells, cell)
		}
		e := ensembleOf(cells, new([]coupledRow))
		e.Workers, e.Trajectories, e.Steps = 1, trajectories, steps
		return e.Seconds()
	}
	perStep := cell.SecondsPerStep()
	const large, factor = 1 << 20, 300.
	for what, c := range map[string]struct{ got, want float64 }{
		"one step":     {seconds([]int{1}, 1, 1), perStep},
		"trajectories": {seconds([]int{1}, large, 1), large * perStep},
		"steps":        {seconds([]int{1}, 1, large), large * perStep},
		"a deep cell":  {seconds([]int{1, large}, 1, 1), large * perStep},
		"deep cells":   {seconds([]int{large, large}, 1, 1), 2 * perStep},
	} {
		if !(c.got < factor*c.want && c.want < factor*c.got) {
			t.Errorf("%s: %v s, want about %v s", what, c.got, c.want)
		}
	}
}

// After a step that failed in the middle of a base step, Restart begins with increments of 0.
func TestRestartAfterAFailure(t *testing.T) {
	cells := coupledCells(sde.Cell{Model: sde.TransformerSDE{Sigma: 1}, Tokens: 2, Dim: 3, Beta: 1,
		Start: sde.UniformStart{}}, 4, 8)
	failed, fresh := must.Get(NewCoupled(cells, 3))(t), must.Get(NewCoupled(cells, 3))(t)
	last := len(cells) - 1
	err := failed.Advance(func(cell int, step int64, x []float64) {
		if cell == last && step == 1 {
			x[0] = math.NaN()
		}
	})
	if want := fmt.Sprintf("cell %d, step 2: token 0 has norm NaN and no direction", last); err == nil ||
		err.Error() != want {
		t.Fatalf("error %v, want %s", err, want)
	}
	for _, c := range []*Coupled{failed, fresh} {
		must.Do(t, errors.Join(c.Restart(1), c.Advance(nil)))
	}
	for k := range cells {
		if !slices.Equal(failed.Tokens(k), fresh.Tokens(k)) {
			t.Errorf("cell %d: %v after a failure, want %v", k, failed.Tokens(k), fresh.Tokens(k))
		}
	}
}

// Sampling an increment takes the time of its entries, also where only a part of them is measured: here
// within a factor that leaves room for a busy machine.
func TestSecondsPerIncrement(t *testing.T) {
	const measured, factor = 1 << 14, 300.
	sequence, increment := NewPath(0, 0, 1, measured).Sequence(1), make([]float64, measured)
	begun := time.Now()
	sequence.Next(increment)
	perEntry := time.Since(begun).Seconds() / measured
	for _, entries := range []int{1, 1 << 10, 1 << 14, 1 << 30} {
		if got, want := secondsPerIncrement(entries), float64(entries)*perEntry; !(got < factor*want &&
			got > want/factor) {
			t.Errorf("%d entries: %v s, want about %v s", entries, got, want)
		}
	}
	if got := secondsPerIncrement(0); got != 0 {
		t.Errorf("no entries: %v s", got)
	}
}
