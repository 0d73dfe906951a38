package clustering

import (
	"sync"

	"antipode/experiments/run"
	"antipode/overlap"
	"antipode/sde"
	"antipode/sphere"
	"antipode/sphere/elementary"
)

// decision is the outcome of a trajectory, and how it came to it.
type decision struct {
	outcome sphere.Outcome
	early   bool // before the horizon
	// chance bounds the probability that the outcome at the horizon is another.
	chance float64
}

// decisionCodec keeps decisions, in at most decisionBytes.
var decisionCodec = run.Codec[decision]{
	Append: func(bytes []byte, d decision) []byte {
		if !d.early {
			return append(bytes, byte(d.outcome)<<1)
		}
		return run.AppendFloat(append(bytes, byte(d.outcome)<<1|1), d.chance)
	},
	Read: func(r *run.Decoder) (d decision) {
		code := r.Byte()
		d.outcome, d.early = sphere.Outcome(code>>1), code&1 == 1
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

// decider classifies trajectories of a pair, or of two clusters, and ends them early.
type decider struct {
	cells     []sde.Cell
	tolerance float64
	horizon   int64
	chance    []func() (chance, error) // of each cell, nil if none ends early
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

// newDecider gives an ensemble the observer and the stop rule of a decider.
func newDecider(e *sde.Ensemble[decision], tolerance float64, noShortcuts bool) *decider {
	d := &decider{cells: e.Cells, tolerance: tolerance, horizon: e.Layers, chance: make([]func() (chance, error), len(e.Cells))}
	e.Observer = d.observer
	if noShortcuts || float64(e.Layers)*float64(e.Trajectories) < worthwhile {
		return d
	}
	for k, cell := range e.Cells {
		if cell.Method == sde.Chain {
			d.chance[k] = sync.OnceValues(func() (chance, error) { return newChance(cell, tolerance) })
			e.Times, e.Stop = lookTimes(e.Layers), d.stop
		}
	}
	return d
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

// newChance returns the bounds for two tokens under random Gaussian matrices.
func newChance(c sde.Cell, tolerance float64) (chance, error) {
	within := min(neighbourhood, tolerance)
	attention := overlap.Attention(c.Attention)
	antipodal, _, err := overlap.AntipodalReturn(c.Dim, c.Beta, attention, c.Sigma, c.Depth, within)
	if err != nil {
		return chance{}, err
	}
	single, _, err := overlap.SingleReturn(c.Dim, c.Beta, attention, c.Sigma, c.Depth, within)
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

func (d *decider) observer(cell int) func(row *decision, trajectory, layer int64, x []float64) {
	dim, bound := d.cells[cell].Dim, d.bound(cell)
	if d.cells[cell].Method == sde.Chain {
		return func(row *decision, _, layer int64, x []float64) {
			row.outcome, row.chance = sphere.PairOutcome(x[0], x[1], d.tolerance), bound(x)
			row.early = layer < d.horizon
		}
	}
	classifier := sphere.NewClassifier(d.cells[cell].Tokens, d.tolerance)
	return func(row *decision, _, _ int64, x []float64) { row.outcome, _ = classifier.Classify(x, dim) }
}

func (d *decider) stop(cell int) func(layer int64, x []float64) bool {
	bound := d.bound(cell)
	return func(_ int64, x []float64) bool { return bound(x) <= largestChance }
}
