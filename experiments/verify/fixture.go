package verify

import (
	"context"
	"slices"

	"antipode/experiments/phase"
	"antipode/experiments/theory"
	"antipode/overlap"
	uniform "antipode/overlap/collapse"
	"antipode/overlap/propagation"
	"antipode/sde"
	"antipode/sde/brownian"
	"antipode/sde/matrices"
	"antipode/sde/network"
	"antipode/sphere"
)

// fixture holds what a measurement needs: the seed of its random numbers and the program under test.
type fixture struct {
	context context.Context
	seed    uint64
	subject
	unmerged bool    // whether coinciding tokens do not merge
	share    float64 // fraction of the usual number of samples at this look
}

// looks is the greatest number of looks at a claim. The entries of shares are the numbers of samples that
// these looks take, divided by the usual number of samples.
const looks = 4

var shares = [looks]float64{0.125, 0.5, 2, 8}

// samples returns the number of samples of this look, given the usual number. The result is at least 16, or
// the usual number if that is smaller. A share of 0 is an exception: it gives 2 samples, which decide
// nothing, but show what would be compared.
func (f *fixture) samples(usual int64) int64 {
	if f.share == 0 {
		return min(usual, 2)
	}
	return max(int64(f.share*float64(usual)), min(usual, 16))
}

// subject is the program under test. Tests put defects in it.
type subject struct {
	// cell returns the cell to simulate instead of the requested one.
	cell func(c sde.Cell) sde.Cell
	// view returns the view that observers get instead of a cell's view.
	view func(v *sde.View) *sde.View
	// diffusion is the theory of two tokens, overlap.New.
	diffusion func(
		dim int, beta float64, attention overlap.Attention, sigma float64,
	) (*overlap.Diffusion, error)
	// hybrid is the theory of two tokens of the hybrid, overlap.NewHybrid. The next field, row, is the theory
	// of a row of attention, propagation.FiniteRow.
	hybrid func(
		dim int, beta float64, attention overlap.Attention, epsilon float64,
	) (*overlap.Diffusion, error)
	row func(tokens, deviation float64) (propagation.Row, error)
	// block returns a replacement for a block of the theory, residual for residual branches of the theory,
	// and network for a network; training returns a replacement for a network with its task.
	block    func(b propagation.Block) propagation.Block
	residual func(r uniform.Residual) uniform.Residual
	network  func(n network.Network) network.Network
	training func(l trainingRun) trainingRun
	// matrices returns a replacement for a stack of random attention layers; scores returns a replacement for
	// the standard deviation of the scores in sampled rows.
	matrices func(n matrices.Network) matrices.Network
	scores   func(deviation float64) float64
	// figure3 returns the parameters of Fig. 3.
	figure3 func() *phase.Experiment
}

func same[T any](x T) T { return x }

// genuine is the program without defects.
var genuine = subject{
	cell: same[sde.Cell], view: same[*sde.View], diffusion: overlap.New, hybrid: overlap.NewHybrid,
	row: propagation.FiniteRow, block: same[propagation.Block], residual: same[uniform.Residual],
	network: same[network.Network], training: same[trainingRun], matrices: same[matrices.Network],
	scores: same[float64],
	figure3: func() *phase.Experiment {
		p := phase.New()
		p.Paper()
		return p
	},
}

// limitOf returns the theory of a pair of tokens under recursion (4).
func (f *fixture) limitOf(c sde.Cell) *overlap.Diffusion {
	return must(f.diffusion(c.Dim, c.Beta, theory.Attention(c.Attention), c.Model.(sde.Transformer).Sigma))
}

// follow simulates independent trajectories of a cell and returns one result for each trajectory. The
// argument trajectories is their usual number, from which f.samples computes the number of this look. At each
// of the times, which are layers in ascending order, record updates the trajectory's result from its state.
// If stop is not nil, a trajectory ends as soon as stop returns true.
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
// by time and trajectory.
func observe[T any](
	f *fixture, c sde.Cell, trajectories int64, times []int64, observable func(v *sde.View) T,
) [][]T {
	rows := follow(f, c, trajectories, times,
		func(row *[]T, v *sde.View) { *row = append(*row, observable(v)) }, nil)
	all := make([][]T, len(times))
	for k := range all {
		for _, row := range rows {
			all[k] = append(all[k], row[k])
		}
	}
	return all
}

// atLayer is observe for a single time.
func atLayer[T any](
	f *fixture, c sde.Cell, trajectories, layer int64, observable func(v *sde.View) T,
) []T {
	return follow(f, c, trajectories, []int64{layer},
		func(value *T, v *sde.View) { *value = observable(v) }, nil)
}

// everyLayers returns the multiples of a number of layers up to the horizon.
func everyLayers(between, horizon int64) []int64 {
	var times []int64
	for layer := between; layer <= horizon; layer += between {
		times = append(times, layer)
	}
	return times
}

// normals returns a function that fills a slice of the given length with new independent standard normal
// numbers at every call. The streams of a seed are independent.
func (f *fixture) normals(stream uint64, length int) func(dst []float64) {
	path := brownian.NewPath(f.seed, stream, 1, length)
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
	valueNumbers
)

// coupledValues simulates cells along common Brownian paths. It returns a statistic of the tokens of each
// cell at the horizon, which is a time. The result is indexed by trajectory and cell.
func coupledValues(
	f *fixture, cells []sde.Cell, trajectories int64, horizon float64,
	statistic func(x []float64, d int) float64,
) [][]float64 {
	base := cells[0].Depth
	actual := make([]sde.Cell, len(cells))
	for k, c := range cells {
		base, actual[k] = min(base, c.Depth), f.cell(c)
	}
	trajectories = f.samples(trajectories)
	values := make([][]float64, 0, trajectories)
	e := &brownian.Ensemble[[]float64]{
		Cells: actual, Trajectories: trajectories, Steps: int64(horizon * float64(base)), Seed: f.seed,
		Workers: 1,
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
	ensure(e.Run(f.context))
	return values
}

// atDepths returns copies of a cell at several depths.
func atDepths(c sde.Cell, depths ...int) []sde.Cell {
	cells := slices.Repeat([]sde.Cell{c}, len(depths))
	for k, depth := range depths {
		cells[k].Depth = depth
	}
	return cells
}

// combination estimates a linear combination of the means of some values.
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
// one. The estimate is log₂ of the ratio of the differences of the means. Its standard error is computed to
// first order.
func orderOf(values [][]float64) estimate {
	coarse := func(row []float64) float64 { return row[0] - row[1] }
	fine := func(row []float64) float64 { return row[1] - row[2] }
	return logarithmOf(ratioOf(values, coarse, fine)).scaled(1 / ln2)
}

const ln2 = 0.6931471805599453

// meanSquare returns the mean of the squared overlaps of all pairs of tokens.
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
