package outcomes

import (
	"context"
	"math"
	"sync"

	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/experiments/setting"
	"antipode/experiments/theory"
	"antipode/overlap/finitedepth"
	"antipode/sde"
	"antipode/sphere/elementary"
	"antipode/sphere/invariant"
)

// Decision is the outcome of a trajectory, and how the outcome was decided: at the horizon, or earlier.
type Decision struct {
	Seen
	Early bool // decided before the horizon
	// ErrorBound bounds the probability that the trajectory has another outcome at the horizon. ErrorBound is
	// NaN if all tokens have merged, because then the outcome is certain.
	ErrorBound float64
}

// DecisionCodec encodes a Decision for a journal, in at most DecisionBytes.
var DecisionCodec = run.Codec[Decision]{
	Append: func(bytes []byte, d Decision) []byte {
		code := d.code() << 1
		if d.Early {
			code |= 1
		}
		bytes = d.appendClusters(append(bytes, code))
		if d.Early {
			bytes = run.AppendFloat(bytes, d.ErrorBound)
		}
		return bytes
	},
	Read: func(r *run.Decoder) (d Decision) {
		code := r.Byte()
		d.Seen, d.Early = seenOf(code>>1), code&1 == 1
		d.readClusters(r)
		if d.Early {
			d.ErrorBound = r.Float()
		}
		return d
	},
}

// DecisionBytes is the largest size in bytes of an encoded Decision.
const DecisionBytes = seenBytes + 8

const (
	// LargestErrorBound is the ErrorBound below which the outcome of a trajectory counts as decided before
	// the horizon.
	LargestErrorBound = 1e-9
	// looks is the greatest number of layers at which a trajectory is examined before the horizon, and
	// betweenLooks is the least number of layers between two examinations.
	looks, betweenLooks = 1024, 32
	// neighbourhood is a distance of the overlap of two tokens from ±1. If the overlap is closer to ±1, the
	// theory bounds the probability that it returns to this distance. hybridNeighbourhood is such a distance
	// for the hybrid.
	neighbourhood, hybridNeighbourhood = 1e-6, 1e-2
)

// decider classifies trajectories. A decider ends a trajectory of two tokens, or of two clusters, early if
// the outcome is decided up to a small probability of error.
type decider struct {
	cells     []sde.Cell
	tolerance float64
	horizon   int64
	bounds    []func() (errorBound, error) // for each cell; nil if no bound is known
}

// errorBound bounds the probability that the outcome of a trajectory differs at a later time, given ln(1+Z)
// and ln(1-Z) of the present overlap Z. The field antipodal bounds the return from overlaps near -1, and the
// field single the return from overlaps near 1.
type errorBound struct{ antipodal, single returning }

// returning bounds the probability that an overlap returns from a small distance from -1, or from 1, to the
// larger distance at the edge of a neighbourhood. The bound is the ratio of the two distances to the power
// exponent. If exponent is 0, the bound is 1.
type returning struct{ edge, exponent float64 } // edge is the logarithm of the distance at the edge

func (r returning) bound(distance float64) float64 {
	if r.exponent == 0 || distance >= r.edge {
		return 1
	}
	return elementary.Exp(float64(r.exponent * (distance - r.edge)))
}

func (b errorBound) at(above, below float64) float64 {
	return min(b.antipodal.bound(above), b.single.bound(below))
}

// NewDecider returns a decider for the trajectories of the ensemble, and sets the observers and the stop
// rules of the ensemble to those of the decider. Tokens that coincide merge, unless noShortcuts is true;
// noShortcuts also prevents decisions before the horizon.
func NewDecider(e *sde.Ensemble[Decision], tolerance float64, noShortcuts bool) *decider {
	d := &decider{cells: e.Cells, tolerance: tolerance, horizon: e.Layers,
		bounds: make([]func() (errorBound, error), len(e.Cells))}
	e.Observer = d.observer
	if noShortcuts {
		return d
	}
	for k, cell := range e.Cells {
		if !cell.Plain() { // tokens that coincide up to rounding may separate again
			continue
		}
		known := hasErrorBound(cell) && float64(e.Layers)*float64(e.Trajectories) >= worthwhile(cell)
		if known {
			d.bounds[k] = sync.OnceValues(func() (errorBound, error) {
				return newErrorBound(cell, tolerance)
			})
		}
		if known || cell.Method == sde.Tokens {
			e.Times, e.Stop = lookTimes(e.Layers), d.stop
		}
		if cell.Method == sde.Tokens {
			e.Merge = sde.MergeLaws
		}
	}
	return d
}

// hasErrorBound reports whether the probability of another outcome at the horizon can be bounded for a cell.
// Bounds are proved with B = I for two tokens, or two clusters of equal mass, under Gaussian value matrices
// with independent entries, and for two tokens of the hybrid recursion.
func hasErrorBound(c sde.Cell) bool {
	m, matrices := c.Model.(sde.Transformer)
	matrices = matrices && m.Covariance.OrGinibre() == invariant.Ginibre
	known := (matrices && c.Tokens%2 == 0 || isHybrid(c) && c.Tokens == 2) && c.Resampling == sde.Resampling{}
	c.Method, c.Tokens, c.Start = sde.Chain, 2, sde.PairStart{}
	return known && c.Validate() == nil
}

// worthwhile returns a total number of layers. If all trajectories of a cell together have more layers, early
// decisions save more time than their theory takes. For the hybrid this theory takes hardly any time.
func worthwhile(c sde.Cell) float64 {
	if isHybrid(c) {
		return 0
	}
	return 10_000_000
}

func isHybrid(c sde.Cell) bool {
	_, is := c.Model.(sde.Hybrid)
	return is
}

// lookTimes returns the layers at which trajectories are examined: evenly spaced layers, and the horizon. The
// spacing divides the horizon if possible, so that trajectories that continue other trajectories are examined
// at the same times as those.
func lookTimes(horizon int64) []int64 {
	every := max(betweenLooks, (horizon+looks-1)/looks)
	for more := every; more <= every+every/4; more++ {
		if horizon%more == 0 {
			every = more
			break
		}
	}
	return setting.ObservationTimes(horizon, every)[1:]
}

// newErrorBound returns the error bound of early decisions for a cell of two tokens, or of two clusters of
// equal mass.
func newErrorBound(c sde.Cell, tolerance float64) (errorBound, error) {
	if isHybrid(c) {
		h, within := theory.Hybrid(c), min(hybridNeighbourhood, tolerance)
		return errorBoundOf(within, h.AntipodalReturn, h.SingleReturn)
	}
	attention, sigma := theory.Attention(c.Attention), c.Model.(sde.Transformer).Sigma
	return errorBoundOf(min(neighbourhood, tolerance), func(within float64) (float64, bool, error) {
		return finitedepth.AntipodalReturn(c.Dim, c.Beta, attention, sigma, c.Depth, within)
	}, func(within float64) (float64, bool, error) {
		return finitedepth.SingleReturn(c.Dim, c.Beta, attention, sigma, c.Depth, within)
	})
}

// errorBoundOf returns the error bound of early decisions from the exponents of returns from overlaps near -1
// (antipodal) and near 1 (single), within the given distance. An exponent of 0 means that there is no bound.
func errorBoundOf(
	within float64, antipodal, single func(within float64) (exponent float64, ok bool, err error),
) (errorBound, error) {
	minus, _, err := antipodal(within)
	if err != nil {
		return errorBound{}, err
	}
	plus, _, err := single(within)
	edge := elementary.Log(within)
	return errorBound{returning{edge, minus}, returning{edge, plus}}, err
}

// err returns the reason why no error bound is available for a cell for which hasErrorBound is true.
func (d *decider) err(cell int) error {
	if d.bounds[cell] == nil {
		return nil
	}
	_, err := d.bounds[cell]()
	return err
}

// bound returns the error bound for a cell as a function of ln(1+Z) and ln(1-Z) of the present overlap Z. The
// bound is 1 if nothing is known.
func (d *decider) bound(cell int) func(above, below float64) float64 {
	if d.bounds[cell] == nil {
		return func(_, _ float64) float64 { return 1 }
	}
	c, err := d.bounds[cell]()
	if err != nil {
		c = errorBound{}
	}
	return c.at
}

// bounded returns a function that bounds the probability of another outcome at the horizon, given the present
// tokens of a trajectory of a cell. The result ok of that function is false unless there are two tokens or
// two clusters of equal mass.
func (d *decider) bounded(cell int) func(v *sde.View) (bound float64, ok bool) {
	c, at := d.cells[cell], d.bound(cell)
	return func(v *sde.View) (bound float64, ok bool) {
		p, pair := v.Pair()
		switch {
		case c.Tokens == 2:
			p.Above, p.Below = v.Logarithms(0, 1)
		case !pair || p.Masses[0] != p.Masses[1] || v.Together():
			return math.NaN(), false
		}
		return at(p.Above, p.Below), true
	}
}

func (d *decider) observer(cell int) func(row *Decision, v *sde.View) {
	bounded, merges := d.bounded(cell), d.cells[cell].Method == sde.Tokens
	return func(row *Decision, v *sde.View) {
		row.Early, row.ErrorBound = v.Layer < d.horizon, math.NaN()
		if row.Early && merges && v.Together() {
			row.Seen = Together(v.Count())
			return
		}
		bound, ok := bounded(v)
		_, pair := v.Pair()
		if row.ErrorBound = bound; ok || pair || !row.Early {
			row.Seen = See(v, d.tolerance)
		}
	}
}

func (d *decider) stop(cell int) func(v *sde.View) bool {
	bounded, merges := d.bounded(cell), d.cells[cell].Method == sde.Tokens
	return func(v *sde.View) bool {
		if merges && v.Together() {
			return true
		}
		bound, ok := bounded(v)
		return ok && bound <= LargestErrorBound
	}
}

// Run simulates an ensemble with the observers of the decider, and passes the tally of the decisions in each
// cell to write. The arguments parameters, size and prepare are the corresponding fields of run.Simulation.
func (d *decider) Run(
	ctx context.Context, options run.Options, e *sde.Ensemble[Decision],
	parameters []parameter.Parameter, size string, prepare func(context.Context) error,
	write func(cell int, t Tally) error,
) error {
	count := newTallies(1)
	e.Reduce = func(cell int, _ int64, row Decision) error {
		count[0].add(row.Seen, e.Cells[cell].Tokens)
		if row.Early {
			count[0].raise(row.ErrorBound)
		}
		return nil
	}
	e.Finish = func(cell int) error {
		defer copy(count, newTallies(1))
		if err := d.err(cell); err != nil {
			return err
		}
		return write(cell, count[0])
	}
	return run.Simulation[Decision]{
		Ensemble: e, Codec: DecisionCodec, Parameters: parameters, Size: size,
		Rows: []float64{float64(len(e.Cells))}, KeptBytes: DecisionBytes, Outcome: count[0].text,
		Prepare: prepare,
	}.Run(ctx, options)
}
