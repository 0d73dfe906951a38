package clustering

import (
	"antipode/experiments/internal/grids"
	"context"
	"fmt"
	"math"
	"slices"

	"antipode/data"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/experiments/wording"
	"antipode/sde"
	"antipode/sphere"
)

// tally counts the trajectories of a cell at one time: those of each outcome, and
// apart from that those with an antipodal pair.
type tally struct {
	outcomes [3]int64
	pair     int64
	// bound is the largest bound on the chance that a trajectory that ended early has
	// another outcome; NaN for none.
	bound float64
}

func newTallies(n int) []tally {
	tallies := make([]tally, n)
	for k := range tallies {
		tallies[k].bound = math.NaN()
	}
	return tallies
}

func (t *tally) add(s seen) {
	t.outcomes[s.outcome]++
	if s.pair {
		t.pair++
	}
}

// join adds what another tally has counted.
func (t *tally) join(other tally) {
	for k, n := range other.outcomes {
		t.outcomes[k] += n
	}
	t.pair += other.pair
	t.raise(other.bound)
}

// raise raises the bound to a chance, if that is one.
func (t *tally) raise(chance float64) {
	if !(chance <= t.bound) && chance == chance {
		t.bound = chance
	}
}

// trajectories is the number of trajectories that were counted.
func (t *tally) trajectories() int64 {
	return t.outcomes[sphere.Single] + t.outcomes[sphere.Antipodal] + t.outcomes[sphere.Unclustered]
}

// fraction is the fraction of the trajectories that have the outcome.
func (t *tally) fraction(outcome sphere.Outcome) float64 {
	return float64(t.outcomes[outcome]) / float64(t.trajectories())
}

// text says what was counted.
func (t *tally) text() string {
	n := t.trajectories()
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("antipodal %.3f, single %.3f of %d", t.fraction(sphere.Antipodal), t.fraction(sphere.Single), n)
}

// runTallies runs an ensemble, of which cells, trajectories, layers and times are
// given, and hands the tallies of each cell, one for each time, to write, in the order
// of the cells; or it adds those of shards. Size and count are as of run.Simulation.
//
// Tokens that coincide merge, and a trajectory ends when all of them are one: its
// outcome stays single. A chain under random matrices, or of the flow, ends at logCoincident.
func runTallies(ctx context.Context, e *sde.Ensemble[[]seen], tolerance float64, options run.Options, size, count parameter.Parameter,
	write func(cell int, tallies []tally) error) error {
	times := e.Times
	if times == nil {
		times = []int64{e.Layers}
	}
	if options.Shards != nil {
		return mergeTallies(options.Shards, len(e.Cells), len(times), e.Trajectories, write)
	}
	e.Merge = true
	e.Times = slices.Concat(times, lookTimes(e.Layers))
	slices.Sort(e.Times)
	e.Times = slices.Compact(e.Times)
	e.Observer = func(int) func(*[]seen, *sde.View) {
		return func(row *[]seen, v *sde.View) {
			if _, wanted := slices.BinarySearch(times, v.Layer); wanted {
				*row = append(*row, see(v, tolerance))
			}
		}
	}
	e.Stop = func(cell int) func(*sde.View) bool {
		c := e.Cells[cell]
		// The hybrid comes back from any distance where ε² is near 2.
		if c.Method == sde.Tokens || c.Model.String() == grids.HybridName {
			return (*sde.View).Together
		}
		return func(v *sde.View) bool {
			p, _ := v.Pair()
			return p.Below <= logCoincident
		}
	}
	tallies := newTallies(len(times))
	e.Reduce = func(_ int, _ int64, row []seen) error {
		for k := range tallies {
			s := seen{sphere.Single, false}
			if k < len(row) {
				s = row[k]
			}
			tallies[k].add(s)
		}
		return nil
	}
	e.Finish = func(cell int) error {
		defer copy(tallies, newTallies(len(times)))
		return write(cell, tallies)
	}
	return run.Simulation[[]seen]{
		Ensemble: e, Codec: seenCodec, Size: size, Count: count,
		Rows: float64(len(e.Cells)) * float64(len(times)), RowBytes: countedBytes, KeptBytes: 1 + float64(len(times)),
		Outcome: tallies[len(tallies)-1].text,
	}.Run(ctx, options)
}

// logCoincident is the ln(1-Z), that of rounding, below which two tokens of a chain count as one for
// good: under random matrices they come back to 1-Z = τ with probability (rounding/τ)^((d-1)/2),
// below 1e-9, and in the flow never.
const logCoincident = -100 * math.Ln2

// countedBytes bounds what a row of a table of counts takes in a file.
const countedBytes = 128

// deviation is how far a count of trajectories is from what a probability predicts, in
// standard errors; of rare events, in numbers of them. It is NaN for NaN, no prediction.
func deviation(count, trajectories int64, p float64) float64 {
	mean := float64(trajectories) * p
	return math.Abs(float64(count)-mean) / math.Sqrt(max(mean*(1-p), 1))
}

// sentenceOn says how far the cells of a table are from their theory at the horizon, in standard
// errors. What follows the theory's name may say what it is.
func sentenceOn(d wording.Difference, theory string) string {
	return d.Sentence(fmt.Sprintf("the largest difference to the theory at this horizon%s is %.1f standard errors", theory, d.Largest()), "cells")
}

// countColumn describes a column of numbers of trajectories.
func countColumn(name, meaning string) data.Column {
	return data.Column{Name: name, Kind: data.Int64, Unit: "trajectories", Meaning: meaning}
}

// The columns that tables of outcomes have in common.
var (
	dimColumn          = data.Column{Name: "dim", Kind: data.Int32, Meaning: "dimension d of the tokens"}
	betaColumn         = data.Column{Name: "beta", Kind: data.Float64, Meaning: "inverse temperature β"}
	tokensColumn       = data.Column{Name: "tokens", Kind: data.Int32, Meaning: "number N of tokens"}
	trajectoriesColumn = countColumn("trajectories", "simulated trajectories")
	trajectoryColumn   = data.Column{Name: "trajectory", Kind: data.Int64, Meaning: "number of the trajectory, from 0"}
)
