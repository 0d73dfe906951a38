package clustering

import (
	"context"
	"math"
	"slices"

	"antipode/data"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/sde"
	"antipode/sphere"
)

// tally counts the trajectories of a cell at one time: those of each outcome, and
// apart from that those with an antipodal pair.
type tally struct {
	outcomes [3]int64
	pair     int64
}

func (t *tally) add(s seen) {
	t.outcomes[s.outcome]++
	if s.pair {
		t.pair++
	}
}

// fraction is the fraction of the trajectories that have the outcome.
func (t *tally) fraction(outcome sphere.Outcome) float64 {
	trajectories := t.outcomes[sphere.Single] + t.outcomes[sphere.Antipodal] + t.outcomes[sphere.Unclustered]
	return float64(t.outcomes[outcome]) / float64(trajectories)
}

// runTallies runs an ensemble, of which cells, trajectories, layers and times are
// given, and hands the tallies of each cell, one for each time, to write, in the order
// of the cells. The parameters are those of run.Ensemble.
//
// Tokens that coincide merge, and a trajectory ends when all of them are one: its
// outcome stays single.
func runTallies(ctx context.Context, e *sde.Ensemble[[]seen], tolerance float64, options run.Options, size, count parameter.Parameter,
	write func(cell int, tallies []tally) error) error {
	times := e.Times
	if times == nil {
		times = []int64{e.Layers}
	}
	e.Merge = true
	e.Times = slices.Concat(times, lookTimes(e.Layers))
	slices.Sort(e.Times)
	e.Times = slices.Compact(e.Times)
	e.Observer = func(cell int) func(*[]seen, int64, int64, []float64) {
		c := &e.Cells[cell]
		classifier := sphere.NewClassifier(c.Tokens, tolerance)
		return func(row *[]seen, _, layer int64, x []float64) {
			if _, wanted := slices.BinarySearch(times, layer); wanted {
				outcome, pair := classifier.Classify(x, c.Dim)
				*row = append(*row, seen{outcome, pair})
			}
		}
	}
	e.Stop = func(cell int) func(int64, []float64) bool {
		d := e.Cells[cell].Dim
		return func(_ int64, x []float64) bool { return coincide(x, d) }
	}
	tallies := make([]tally, len(times))
	e.Reduce = func(cell int, trajectory int64, row []seen) error {
		for k := range tallies {
			s := seen{sphere.Single, false}
			if k < len(row) {
				s = row[k]
			}
			tallies[k].add(s)
		}
		if trajectory < e.Trajectories-1 {
			return nil
		}
		defer clear(tallies)
		return write(cell, tallies)
	}
	return run.Ensemble(ctx, e, options, size, count)
}

// coincide reports whether all tokens (N×d) are the same, bit for bit.
func coincide(x []float64, d int) bool {
	for k := d; k < len(x); k++ {
		if x[k] != x[k-d] {
			return false
		}
	}
	return true
}

// deviation is how far a count of trajectories is from what a probability predicts, in
// standard errors; of rare events, in numbers of them. It is 0 for NaN, no prediction.
func deviation(count, trajectories int64, p float64) float64 {
	if math.IsNaN(p) {
		return 0
	}
	mean := float64(trajectories) * p
	return math.Abs(float64(count)-mean) / math.Sqrt(max(mean*(1-p), 1))
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
)

// The parameters that simulations have in common.

func depthParameter(field *int64) parameter.Parameter {
	return parameter.Parameter{Name: "depth", Meaning: "depth L", Unit: "layers per unit of time", Value: parameter.Whole(field, parameter.Range{Low: 1, High: 1e6})}
}

func horizonParameter(field *float64) parameter.Parameter {
	return parameter.Parameter{Name: "horizon", Meaning: "horizon T", Unit: "units of time", Value: parameter.Real(field, parameter.Range{Low: 0, High: 1e6, Open: true})}
}

func toleranceParameter(field *float64) parameter.Parameter {
	return parameter.Parameter{Name: "tolerance", Meaning: "tolerance τ of an outcome: overlaps within τ of ±1", Value: parameter.Real(field, parameter.Range{Low: 1e-12, High: 0.5})}
}

func trajectoriesParameter(field *int64, of string) parameter.Parameter {
	return parameter.Parameter{Name: "trajectories", Meaning: "trajectories of each " + of, Value: parameter.Whole(field, parameter.Range{Low: 1, High: 1e12})}
}

// steps are the numbers from first on, so many, with a step: k·step/denominator with
// the division last, so that they are the decimal numbers that one would write.
func steps(first, count, denominator int) []float64 {
	values := make([]float64, count)
	for k := range values {
		values[k] = float64(first+k) / float64(denominator)
	}
	return values
}
