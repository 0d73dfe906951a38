package verify

import (
	"cmp"
	"math"
	"slices"

	"antipode/internal/lists"
	"antipode/sde"
	"antipode/sde/brownian"
	"antipode/sphere"
)

// follow simulates independent trajectories of a cell and returns one result for each trajectory. The
// argument trajectories is the usual number of trajectories, from which f.samples computes the number of the
// present look. At each of the times, which are layers in ascending order, record updates the result of a
// trajectory from its present tokens. If stop is not nil, a trajectory ends as soon as stop returns true.
func follow[T any](f *fixture, c sde.Cell, trajectories int64, times []int64,
	record func(result *T, v *sde.View), stop func(v *sde.View) bool) []T {
	c, trajectories = f.cell(c), f.samples(trajectories)
	results, merging := make([]T, 0, trajectories), sde.MergeLaws
	if f.unmerged {
		merging = sde.KeepApart
	}
	e := &sde.Ensemble[T]{
		Cells: []sde.Cell{c}, Trajectories: trajectories, Layers: times[len(times)-1], Times: times,
		Seed: f.seed, Workers: 1, Merge: merging,
		Observer: func(int) func(*T, *sde.View) {
			return func(result *T, v *sde.View) { record(result, f.view(v)) }
		},
		Reduce: func(_ int, _ int64, result T) error {
			results = append(results, result)
			return nil
		},
	}
	if stop != nil {
		e.Stop = func(int) func(*sde.View) bool { return stop }
	}
	ensure(e.Run(f.context))
	return results
}

// observe computes an observable of each trajectory at several times, which are layers. The result is indexed
// by time and then by trajectory.
func observe[T any](
	f *fixture, c sde.Cell, trajectories int64, times []int64, observable func(v *sde.View) T,
) [][]T {
	rows := follow(f, c, trajectories, times,
		func(row *[]T, v *sde.View) { *row = append(*row, observable(v)) }, nil)
	return lists.Of(len(times), func(k int) []T { return lists.Map(rows, func(row []T) T { return row[k] }) })
}

// atLayer computes an observable of each trajectory after one layer, as observe does for several layers.
func atLayer[T any](
	f *fixture, c sde.Cell, trajectories, layer int64, observable func(v *sde.View) T,
) []T {
	return follow(f, c, trajectories, []int64{layer},
		func(value *T, v *sde.View) { *value = observable(v) }, nil)
}

// everyLayers returns the multiples of the number between, up to the horizon.
func everyLayers(between, horizon int64) []int64 {
	var times []int64
	for layer := between; layer <= horizon; layer += between {
		times = append(times, layer)
	}
	return times
}

// coupledValues simulates cells along common Brownian paths. coupledValues returns the mean squared overlap
// of the tokens of each cell at the horizon, which is a time. The result is indexed by trajectory and then by
// cell.
func coupledValues(f *fixture, cells []sde.Cell, trajectories int64, horizon float64) [][]float64 {
	actual := lists.Map(cells, f.cell)
	base := slices.MinFunc(cells, func(a, b sde.Cell) int { return cmp.Compare(a.Depth, b.Depth) }).Depth
	return coupled(f, actual, trajectories, int64(horizon*float64(base)),
		func(row *[]float64, cell int, step int64, x []float64) {
			if float64(step) == horizon*float64(actual[cell].Depth) {
				if *row == nil {
					*row = make([]float64, len(cells))
				}
				(*row)[cell] = meanSquare(x, actual[cell].Dim)
			}
		})
}

// coupled simulates cells along common Brownian paths, for a number of steps of the cell of the least depth.
// coupled returns one result for each trajectory. After each layer of a cell, record updates the result of
// the trajectory from the tokens x of the cell.
func coupled[T any](
	f *fixture, cells []sde.Cell, trajectories, steps int64,
	record func(result *T, cell int, step int64, x []float64),
) []T {
	trajectories = f.samples(trajectories)
	results := make([]T, 0, trajectories)
	e := &brownian.Ensemble[T]{
		Cells: cells, Trajectories: trajectories, Steps: steps, Seed: f.seed, Workers: 1,
		Observer: func() func(*T, int, int64, []float64) { return record },
		Reduce: func(_ int64, result T) error {
			results = append(results, result)
			return nil
		},
	}
	ensure(e.Run(f.context))
	return results
}

// atDepths returns copies of a cell with several depths.
func atDepths(c sde.Cell, depths ...int) []sde.Cell {
	cells := slices.Repeat([]sde.Cell{c}, len(depths))
	for k, depth := range depths {
		cells[k].Depth = depth
	}
	return cells
}

// combination estimates a linear combination of the means of values. The argument values has one row for each
// trajectory.
func combination(values [][]float64, coefficients ...float64) estimate {
	return meanOf(values, func(row []float64) float64 {
		sum := 0.0
		for k, c := range coefficients {
			sum += float64(c * row[k])
		}
		return sum
	})
}

// orderOf estimates the order of convergence of means at three depths, where each depth is twice the previous
// one. The order is log₂ of the ratio of the differences of successive means. The standard error of the
// order neglects products of the errors of the means.
func orderOf(values [][]float64) estimate {
	coarse := func(row []float64) float64 { return row[0] - row[1] }
	fine := func(row []float64) float64 { return row[1] - row[2] }
	return logarithmOf(ratioOf(values, coarse, fine)).scaled(1 / math.Ln2)
}

// meanSquare returns the mean of the squared overlaps of all pairs of tokens x, vectors of dimension d.
func meanSquare(x []float64, d int) float64 {
	sum, pairs := 0.0, 0
	for i := d; i < len(x); i += d {
		for j := 0; j < i; j += d {
			z := sphere.Dot(x[i:i+d], x[j:j+d])
			sum, pairs = sum+float64(z*z), pairs+1
		}
	}
	return sum / float64(pairs)
}
