package verify

import (
	"context"
	"slices"

	"antipode/experiments/internal/theory"
	"antipode/experiments/phase"
	"antipode/overlap"
	"antipode/overlap/propagation"
	"antipode/sde"
	"antipode/sde/brownian"
	"antipode/sde/network"
	"antipode/sphere"
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

// normals returns a function that fills a slice of a length with independent standard
// normal numbers, others at every call. Identity tells the streams of a seed apart.
func (l *laboratory) normals(identity uint64, length int) func(dst []float64) {
	path := brownian.NewPath(l.seed, identity, 1, length)
	draw := int64(-1)
	return func(dst []float64) {
		draw++
		path.Increment(dst, draw, 0, 0)
	}
}

// The streams of normal numbers.
const (
	rowNumbers = iota + 1
	pairNumbers
	gradientNumbers
	scoreNumbers
	residualNumbers
	startNumbers
)

// coupledValues follows coupled cells along common Brownian paths, so many of them, and
// returns the statistic of the tokens of each at the horizon, in units of time, by
// trajectory and cell.
func coupledValues(l *laboratory, cells []sde.Cell, trajectories int64, horizon float64, statistic func(x []float64, d int) float64) ([][]float64, error) {
	base := cells[0].Depth
	actual := make([]sde.Cell, len(cells))
	for k, c := range cells {
		base, actual[k] = min(base, c.Depth), l.cell(c)
	}
	values := make([][]float64, 0, trajectories)
	e := &brownian.Ensemble[[]float64]{
		Cells: actual, Trajectories: trajectories, Steps: int64(horizon * float64(base)), Seed: l.seed, Workers: 1,
		Observer: func() func(*[]float64, int, int64, []float64) {
			return func(row *[]float64, cell int, step int64, x []float64) {
				if float64(step) == horizon*float64(actual[cell].Depth) {
					if *row == nil {
						*row = make([]float64, len(cells))
					}
					(*row)[cell] = statistic(x, actual[cell].Dim)
				}
			}
		},
		Reduce: func(_ int64, row []float64) error {
			values = append(values, row)
			return nil
		},
	}
	return values, e.Run(l.context)
}

// atDepths are copies of a cell at several depths.
func atDepths(c sde.Cell, depths ...int) []sde.Cell {
	cells := slices.Repeat([]sde.Cell{c}, len(depths))
	for k, depth := range depths {
		cells[k].Depth = depth
	}
	return cells
}

// combination is the estimate of a linear combination of the means of some values.
func combination(values [][]float64, coefficients ...float64) estimate {
	return meanOf(values, func(row []float64) float64 {
		sum := 0.0
		for k, c := range coefficients {
			sum += float64(c * row[k])
		}
		return sum
	})
}

// orderOf estimates the order of convergence of means at three depths of which each
// is twice the one before: log₂ of the ratio of their differences, to first order in
// the errors.
func orderOf(values [][]float64) estimate {
	coarse, fine := combination(values, 1, -1), combination(values, 0, 1, -1)
	order := logarithmOf(estimate{coarse.value / fine.value, 0})
	order.stderr = meanOf(values, func(row []float64) float64 {
		return (row[0]-row[1])/coarse.value - (row[1]-row[2])/fine.value
	}).stderr
	return order.scaled(1 / ln2)
}

const ln2 = 0.6931471805599453

// meanSquare is the mean of the squared overlaps of all pairs of tokens.
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
