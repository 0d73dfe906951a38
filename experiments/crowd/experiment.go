// Package crowd is the experiment on crowds: how the evolution of tokens depends on the number of tokens.
//
//	e := crowd.New()
//	e.Dim, e.Beta, e.Tokens = []int{4}, []float64{0.4}, []int{64, 256, 1024}
//	err := e.Run(ctx, run.Options{Seed: 1}, table) // rows of type Row
package crowd

import (
	"context"
	"math"
	"slices"

	"antipode/data"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/experiments/setting"
	"antipode/internal/lists"
	"antipode/overlap"
	"antipode/sde"
)

// Experiment simulates crowds of few to many tokens of a transformer. Experiment measures whether and when
// one of two sides wins, how unequal two opposite clusters are, and how far the law of a crowd is from the
// law of the largest crowd. In a trajectory all crowds of the same dimension have the same value matrices,
// and each crowd consists of the first tokens of the largest crowd.
type Experiment struct {
	Dim          []int     `json:"dim"`
	Beta         []float64 `json:"beta"`
	Tokens       []int     `json:"tokens"`
	Trajectories int64     `json:"trajectories"`
	Depth        int64     `json:"depth"`   // number of layers per unit of time
	Horizon      float64   `json:"horizon"` // end of trajectories, in units of time
	Time         float64   `json:"time"`    // when crowds are compared with the largest crowd
	Tolerance    float64   `json:"tolerance"`
}

// New returns the experiment crowd with its default parameters. In four dimensions one side wins at β = 0.4,
// and neither side wins at β = 2. In two and three dimensions opposite clusters are attracting at both β.
func New() *Experiment {
	return &Experiment{
		Dim:          []int{2, 3, 4},
		Beta:         []float64{0.4, 2},
		Tokens:       []int{2, 4, 16, 64, 256, 1024},
		Trajectories: 40,
		Depth:        10,
		Horizon:      16,
		Time:         1,
		Tolerance:    1e-3,
	}
}

// Name implements run.Experiment.
func (*Experiment) Name() string { return "crowd" }

// Help implements run.Experiment.
func (*Experiment) Help() (summary, description string) {
	return "outcomes for a growing number of tokens: which side wins, when, and how crowds of different " +
			"sizes differ",
		`Simulates many tokens of a Transformer that start independent and uniform on the sphere.
Crowds of all sizes have the same value matrices. A row of the table has the fractions of the
outcomes and the imbalance of two opposite clusters. The row also has the mean time until one side
wins, and the growth of this time with the logarithm of the number of tokens, both simulated and
predicted. The last columns have the distance between the distribution of the crowd and the
distribution of the largest crowd at one time, and this distance for tokens drawn from the largest
crowd without replacement.

Example: antipode crowd --dim 4 --beta 0.4 --tokens 100,1000,10000 --trajectories 20`
}

// Parameters implements run.Experiment.
func (e *Experiment) Parameters() []parameter.Parameter {
	return []parameter.Parameter{
		{Name: "dim", Meaning: "dimensions d of the tokens",
			Value: parameter.Wholes(&e.Dim, parameter.Range{Low: 2, High: 1000})},
		setting.BetasParameter(&e.Beta),
		{Name: "tokens", Meaning: "numbers N of tokens",
			Value: parameter.Wholes(&e.Tokens, parameter.Range{Low: 2, High: 1_000_000})},
		setting.TrajectoriesParameter(&e.Trajectories, "row"),
		setting.DepthParameter(&e.Depth),
		setting.HorizonParameter(&e.Horizon),
		{Name: "time", Unit: "units of time",
			Meaning: "time at which crowds are compared with the largest one",
			Value:   parameter.Real(&e.Time, parameter.Range{Low: 0, High: 1e6, Open: true}),
			Inapplicable: parameter.Unless(len(e.Tokens) > 1,
				"a single number of tokens is not compared; must be left out")},
		setting.ToleranceParameter(&e.Tolerance),
	}
}

// Validate implements run.Experiment.
func (e *Experiment) Validate() error {
	if err := parameter.Check(e.Parameters()); err != nil {
		return err
	}
	if err := setting.CheckCells("tokens", len(e.Tokens), setting.Axis{Count: len(e.Beta), Many: "β"},
		setting.Axis{Count: len(e.Dim), Many: "dimensions"}); err != nil {
		return err
	}
	layers, err := setting.Layers(e.Depth, e.Horizon)
	if err != nil || len(e.Tokens) == 1 {
		return err
	}
	compared, err := setting.LayersIn("time", e.Depth, e.Time)
	if err == nil && compared > layers {
		err = parameter.Errorf("time", e.Time, "must be at most the horizon, %s",
			parameter.FormatReal(e.Horizon))
	}
	return err
}

// sizes returns the numbers of tokens of the crowds in ascending order.
func (e *Experiment) sizes() []int { return slices.Sorted(slices.Values(e.Tokens)) }

// cell returns the cell of a crowd with the given dimension, β and number of tokens.
func (e *Experiment) cell(d int, beta float64, tokens int) sde.Cell {
	return sde.Cell{Model: sde.Transformer{Sigma: 1}, Method: sde.Tokens, Tokens: tokens, Dim: d, Beta: beta,
		Depth: int(e.Depth), Start: sde.UniformStart{}}
}

// Columns implements run.Experiment.
func (*Experiment) Columns() []data.Column { return data.ColumnsOf[Row]() }

// Accuracy implements run.Approximate.
func (e *Experiment) Accuracy() []data.Entry {
	largest := func(d int, beta float64) sde.Cell { return e.cell(d, beta, slices.Max(e.Tokens)) }
	return setting.AttentionSumMetadata(lists.Grid(e.Dim, e.Beta, largest)...)
}

// Run implements run.Experiment. Run writes the rows of a dimension as soon as all trajectories of the
// dimension are complete.
func (e *Experiment) Run(ctx context.Context, options run.Options, table data.Sink) error {
	if err := e.Validate(); err != nil {
		return err
	}
	layers := setting.CheckedLayers(e.Depth, e.Horizon)
	if options.Shards == nil { // otherwise the speed need not be measured
		memory, needs := e.needs(options, layers)
		if err := run.CheckCost(memory, needs, options, e.Parameters(), "tokens",
			"trajectories"); err != nil {
			return err
		}
	}
	return run.Pieces{
		Count:  len(e.Dim) * int(e.Trajectories),
		Steps:  layers * int64(len(e.Beta)),
		Length: func(int) int { return e.numbers() },
		Worker: run.Shared(func(ctx context.Context, piece int) ([]float64, error) {
			d := e.Dim[piece/int(e.Trajectories)]
			return e.trajectory(ctx, options.Seed, d, int64(piece)%e.Trajectories)
		}),
		Take: run.Gathered(e.Trajectories, func(k int, seen [][]float64) error {
			return data.WriteRows(table, e.rows(e.Dim[k], seen)...)
		}),
	}.Run(ctx, options, table)
}

// ShardColumns implements run.Divisible.
func (*Experiment) ShardColumns() []data.Column { return run.PieceColumns() }

// needs returns the memory of a run, in bytes, and the other needs of the run.
func (e *Experiment) needs(options run.Options, layers int64) (memory float64, needs run.Needs) {
	sizes := e.sizes()
	largest, all := sizes[len(sizes)-1], float64(lists.Sum(sizes))
	for _, d := range e.Dim {
		c := e.cell(d, slices.Max(e.Beta), largest)
		bytes := float64(c.Memory()*all/float64(largest)) + float64(8*d*largest)
		if memory = max(memory, bytes); bytes > sde.LargestMemory {
			continue
		}
		needs.Seconds += c.SecondsPerStep() * all / float64(largest) * float64(layers) *
			float64(len(e.Beta)) * float64(e.Trajectories)
	}
	workers := options.WorkersFor(int64(len(e.Dim)) * e.Trajectories)
	needs.Seconds /= workers
	needs.Rows = float64(len(e.Dim) * len(e.Beta) * len(sizes))
	needs.Kept = 8 * float64(e.numbers()) * float64(len(e.Dim)) * float64(e.Trajectories)
	return memory*workers + needs.Kept, needs.Of(options.Part, int64(len(e.Dim))*e.Trajectories)
}

// pieceNumbers is how many numbers a trajectory yields for each crowd, that is, for each β and number of
// tokens.
const pieceNumbers = 5

func (e *Experiment) numbers() int { return pieceNumbers * len(e.Beta) * len(e.Tokens) }

// predictedSlope returns by how much the time until one side wins grows per unit of log N, for N tokens. The
// slope is NaN if opposite clusters are attracting, or if the mean of many tokens does not grow.
func predictedSlope(d int, beta float64) float64 {
	if attracts(d, beta) {
		return math.NaN()
	}
	rate, err := overlap.CrowdRate(d, beta, 1)
	if err != nil || !(rate > 0) {
		return math.NaN()
	}
	return 1 / (2 * rate)
}
