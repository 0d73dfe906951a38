package verify

import (
	"context"

	"antipode/experiments/internal/theory"
	"antipode/experiments/phase"
	"antipode/overlap"
	"antipode/overlap/propagation"
	"antipode/sde"
	"antipode/sde/network"
)

// laboratory is what a measurement works with.
type laboratory struct {
	context context.Context
	seed    uint64
	makers
	apart bool // tokens that coincide do not merge
}

// makers make what is compared. Tests put defects in their place.
type makers struct {
	// cell returns the cell to simulate in place of one that is asked for.
	cell func(c sde.Cell) sde.Cell
	// seen returns what is seen in place of what a cell shows.
	seen func(v *sde.View) *sde.View
	// diffusion is overlap.New.
	diffusion func(dim int, beta float64, attention overlap.Attention, sigma float64) (*overlap.Diffusion, error)
	// block and network are what is used in place of a block of the theory and of a network.
	block   func(b propagation.Block) propagation.Block
	network func(n network.Network) network.Network
	// figure3 has the parameters of Fig. 3.
	figure3 func() *phase.Phase
}

func same[T any](x T) T { return x }

var genuine = makers{
	cell: same[sde.Cell], seen: same[*sde.View], diffusion: overlap.New,
	block: same[propagation.Block], network: same[network.Network],
	figure3: func() *phase.Phase {
		p := phase.New()
		p.Paper()
		return p
	},
}

// limitOf is the theory of a pair of tokens under recursion (4).
func (l *laboratory) limitOf(c sde.Cell) (*overlap.Diffusion, error) {
	return l.diffusion(c.Dim, c.Beta, theory.Attention(c.Attention), c.Model.(sde.Transformer).Sigma)
}

// follow runs independent trajectories of a cell. At each of the times, layers in ascending
// order, see writes to the trajectory's row what it makes of it. If stop is not nil, a trajectory
// ends when it says so.
func follow[Row any](l *laboratory, c sde.Cell, trajectories int64, times []int64,
	see func(row *Row, v *sde.View), stop func(v *sde.View) bool) ([]Row, error) {
	c = l.cell(c)
	rows := make([]Row, 0, trajectories)
	e := &sde.Ensemble[Row]{
		Cells: []sde.Cell{c}, Trajectories: trajectories, Layers: times[len(times)-1], Times: times,
		Seed: l.seed, Workers: 1, Merge: !l.apart,
		Observer: func(int) func(*Row, *sde.View) {
			return func(row *Row, v *sde.View) { see(row, l.seen(v)) }
		},
		Reduce: func(_ int, _ int64, row Row) error {
			rows = append(rows, row)
			return nil
		},
	}
	if stop != nil {
		e.Stop = func(int) func(*sde.View) bool { return stop }
	}
	return rows, e.Run(l.context)
}

// observe returns what see makes of each trajectory after some layers, by
// time and trajectory; see follow.
func observe[T any](l *laboratory, c sde.Cell, trajectories int64, times []int64, see func(v *sde.View) T) ([][]T, error) {
	rows, err := follow(l, c, trajectories, times, func(row *[]T, v *sde.View) { *row = append(*row, see(v)) }, nil)
	all := make([][]T, len(times))
	for k := range all {
		for _, row := range rows {
			all[k] = append(all[k], row[k])
		}
	}
	return all, err
}

// atLayer is observe for one time.
func atLayer[T any](l *laboratory, c sde.Cell, trajectories, layer int64, see func(v *sde.View) T) ([]T, error) {
	return follow(l, c, trajectories, []int64{layer}, func(row *T, v *sde.View) { *row = see(v) }, nil)
}

// everyLayers are the multiples of a number of layers, up to a horizon that is one.
func everyLayers(between, horizon int64) []int64 {
	var times []int64
	for layer := between; layer <= horizon; layer += between {
		times = append(times, layer)
	}
	return times
}
