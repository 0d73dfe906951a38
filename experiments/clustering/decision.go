package clustering

import (
	"context"
	"math"
	"sync"

	"antipode/data"
	"antipode/experiments/columns"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/overlap"
	"antipode/overlap/finitedepth"
	"antipode/sde"
	"antipode/sphere"
	"antipode/sphere/elementary"
)

// decision is the outcome of a trajectory, and how it came to it.
type decision struct {
	seen
	early bool // before the horizon
	// chance bounds the probability that the outcome at the horizon is another; NaN for tokens
	// that have merged to one.
	chance float64
}

// decisionCodec keeps decisions, in at most decisionBytes.
var decisionCodec = run.Codec[decision]{
	Append: func(bytes []byte, d decision) []byte {
		code := d.code() << 1
		if !d.early {
			return append(bytes, code)
		}
		return run.AppendFloat(append(bytes, code|1), d.chance)
	},
	Read: func(r *run.Decoder) (d decision) {
		code := r.Byte()
		d.seen, d.early = seenOf(code>>1), code&1 == 1
		if d.early {
			d.chance = r.Float()
		}
		return d
	},
}

const decisionBytes = 9

const (
	// largestChance is the bound below which an outcome counts as decided.
	largestChance = 1e-9
	// looks is how often a trajectory is looked at on its way, at the most, and
	// betweenLooks the least number of layers between two looks.
	looks, betweenLooks = 1024, 32
	// worthwhile is the number of layers of all trajectories of a cell from which on the theory
	// behind an early decision takes less time than it saves.
	worthwhile = 10_000_000
	// neighbourhood is the distance of the overlap from ±1 within which the theory bounds a
	// return to its edge.
	neighbourhood = 1e-6
)

// decider classifies trajectories, and ends early those of a pair, or of two clusters, whose
// outcome is decided.
type decider struct {
	cells     []sde.Cell
	tolerance float64
	horizon   int64
	chance    []func() (chance, error) // of each cell, nil for none known
}

// chance bounds the probability that an outcome, seen at ln(1+Z) and ln(1-Z), will be
// another at a later time.
type chance struct{ antipodal, single returning }

// returning bounds the chance to come back to the edge of a neighbourhood of an end,
// from a distance from the end, by the power κ of their ratio; 0 for no bound.
type returning struct{ edge, exponent float64 } // edge: its logarithm

func (r returning) chance(distance float64) float64 {
	if r.exponent == 0 || distance >= r.edge {
		return 1
	}
	return elementary.Exp(float64(r.exponent * (distance - r.edge)))
}

func (c chance) at(x []float64) float64 {
	return min(c.antipodal.chance(x[0]), c.single.chance(x[1]))
}

// newDecider gives an ensemble the observers and the stop rules of a decider. Unless there are
// to be no shortcuts, tokens that coincide merge.
func newDecider(e *sde.Ensemble[decision], tolerance float64, noShortcuts bool) *decider {
	d := &decider{cells: e.Cells, tolerance: tolerance, horizon: e.Layers, chance: make([]func() (chance, error), len(e.Cells))}
	e.Observer = d.observer
	if noShortcuts {
		return d
	}
	for k, cell := range e.Cells {
		known := hasChance(cell) && float64(e.Layers)*float64(e.Trajectories) >= worthwhile
		if known {
			d.chance[k] = sync.OnceValues(func() (chance, error) { return newChance(cell, tolerance) })
		}
		if known || cell.Method == sde.Tokens {
			e.Times, e.Stop = lookTimes(e.Layers), d.stop
		}
		if cell.Method == sde.Tokens {
			e.Merge, e.Pair = true, d.pair
		}
	}
	return d
}

// hasChance reports whether there are bounds for a cell: two tokens, or two clusters of equal
// mass, under random Gaussian matrices with B = I. For other laws no exponent is known.
func hasChance(c sde.Cell) bool {
	even := c.Tokens%2 == 0
	c.Method, c.Tokens, c.Start = sde.Chain, 2, sde.PairStart{}
	return even && c.Model == sde.Transformer && c.Validate() == nil
}

// lookTimes are some layers, evenly apart, and the horizon. If it can be they divide the
// horizon, so that trajectories that begin where others ended are looked at together.
func lookTimes(horizon int64) []int64 {
	every := max(betweenLooks, (horizon+looks-1)/looks)
	for more := every; more <= every+every/4; more++ {
		if horizon%more == 0 {
			every = more
			break
		}
	}
	return observationTimes(horizon, every)[1:]
}

// newChance returns the bounds for two tokens, or two clusters of equal mass.
func newChance(c sde.Cell, tolerance float64) (chance, error) {
	within := min(neighbourhood, tolerance)
	attention := overlap.Attention(c.Attention)
	antipodal, _, err := finitedepth.AntipodalReturn(c.Dim, c.Beta, attention, c.Sigma, c.Depth, within)
	if err != nil {
		return chance{}, err
	}
	single, _, err := finitedepth.SingleReturn(c.Dim, c.Beta, attention, c.Sigma, c.Depth, within)
	edge := elementary.Log(within)
	return chance{returning{edge, antipodal}, returning{edge, single}}, err
}

// err is why there are no bounds for a cell that should have them.
func (d *decider) err(cell int) error {
	if d.chance[cell] == nil {
		return nil
	}
	_, err := d.chance[cell]()
	return err
}

// bound returns the chance of what is seen of a cell: 1 where nothing is known.
func (d *decider) bound(cell int) func(x []float64) float64 {
	if d.chance[cell] == nil {
		return func([]float64) float64 { return 1 }
	}
	c, err := d.chance[cell]()
	if err != nil {
		c = chance{}
	}
	return c.at
}

// rounding is a distance 1∓Z from an end that vectors cannot tell from none.
const rounding = 0x1p-100

// overlapOf returns the function that finds ln(1+Z) and ln(1-Z) of what is seen of a cell of two
// tokens. Tokens follow the recursion to rounding: a distance from an end counts as 2^-100 at
// least, some hundred times the square of a rounding.
func overlapOf(c sde.Cell) func(x []float64) []float64 {
	if c.Method == sde.Chain {
		return func(x []float64) []float64 { return x }
	}
	var logarithms [2]float64
	return func(x []float64) []float64 {
		var sum, difference float64
		for k, v := range x[:c.Dim] {
			s, d := v+x[c.Dim+k], v-x[c.Dim+k]
			sum += float64(s * s)
			difference += float64(d * d)
		}
		logarithms[0], logarithms[1] = elementary.Log(0.5*sum+rounding), elementary.Log(0.5*difference+rounding)
		return logarithms[:]
	}
}

func (d *decider) observer(cell int) func(row *decision, trajectory, layer int64, x []float64) {
	c := d.cells[cell]
	bound, overlap, classify := d.bound(cell), overlapOf(c), classifierOf(c, d.tolerance)
	return func(row *decision, _, layer int64, x []float64) {
		row.early, row.chance = layer < d.horizon, math.NaN()
		switch {
		case row.early && c.Method == sde.Tokens && coincide(x, c.Dim):
			row.see(sphere.Single)
		case c.Method == sde.Chain || c.Tokens == 2:
			row.seen, row.chance = classify(x), bound(overlap(x))
		case !row.early:
			row.seen = classify(x)
		}
	}
}

// classifierOf returns the function that finds the outcome in what is seen of a cell.
func classifierOf(c sde.Cell, tolerance float64) func(x []float64) seen {
	if c.Method == sde.Chain {
		return func(x []float64) (s seen) {
			s.see(sphere.PairOutcome(x[0], x[1], tolerance))
			return s
		}
	}
	classifier := sphere.NewClassifier(c.Tokens, tolerance)
	return func(x []float64) seen {
		outcome, pair := classifier.Classify(x, c.Dim)
		return seen{outcome, pair}
	}
}

// see sets the outcome of two clusters.
func (s *seen) see(outcome sphere.Outcome) { s.outcome, s.pair = outcome, outcome == sphere.Antipodal }

func (d *decider) stop(cell int) func(layer int64, x []float64) bool {
	c := d.cells[cell]
	bound, overlap := d.bound(cell), overlapOf(c)
	return func(_ int64, x []float64) bool {
		if c.Method == sde.Tokens && coincide(x, c.Dim) {
			return true
		}
		return c.Tokens == 2 && bound(overlap(x)) <= largestChance
	}
}

// pair decides trajectories of tokens that are down to two atoms. Of unequal ones there is no
// bound, but they end when they coincide.
func (d *decider) pair(cell int) func(row *decision, layer int64, p sde.AtomPair) bool {
	bound := d.bound(cell)
	return func(row *decision, layer int64, p sde.AtomPair) bool {
		row.see(sphere.PairOutcome(p.Above, p.Below, d.tolerance))
		row.early, row.chance = layer < d.horizon, math.NaN()
		if math.IsInf(p.Below, -1) {
			return true
		}
		if p.Masses[0] != p.Masses[1] {
			return false
		}
		row.chance = bound([]float64{p.Above, p.Below})
		return row.chance <= largestChance
	}
}

// run counts the decisions of an ensemble, and hands the tally of each cell to write. Size and
// count are as of run.Simulation.
func (d *decider) run(ctx context.Context, options run.Options, e *sde.Ensemble[decision], size, trajectories parameter.Parameter,
	write func(cell int, t tally) error) error {
	count := newTallies(1)
	e.Reduce = func(_ int, _ int64, row decision) error {
		count[0].add(row.seen)
		if row.early {
			count[0].raise(row.chance)
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
	return run.Simulation[decision]{
		Ensemble: e, Codec: decisionCodec, Size: size, Count: trajectories,
		Rows: float64(len(e.Cells)), RowBytes: countedBytes, KeptBytes: decisionBytes, Outcome: count[0].text,
	}.Run(ctx, options)
}

// stopBoundColumn describes the bounds of a table of decisions.
func stopBoundColumn(none string) data.Column {
	return columns.Nullable("stop_bound", "", "the largest bound on the probability that a trajectory of the cell that ended early has another outcome at the horizon; null: "+none)
}
