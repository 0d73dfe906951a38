// Package weak is the experiment on weak errors: how the means over trajectories under the recursion, and
// under numerical schemes for its limit, converge with the depth.
//
//	e := weak.New()
//	e.Model, e.Depth, e.Trajectories = "hybrid", []int{8, 16, 32}, 1000
//	err := e.Run(ctx, run.Options{Seed: 1}, table) // rows of type Row
package weak

import (
	"context"
	"fmt"
	"math"
	"slices"

	"antipode/data"
	"antipode/experiments/internal/fit"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/experiments/setting"
	"antipode/experiments/theory"
	"antipode/internal/lists"
	"antipode/overlap"
	"antipode/sde"
	"antipode/sde/brownian"
)

// Experiment measures the weak error of recursion (4) or (7) of Fedorov et al. and of numerical schemes for
// its limit (6) or (8), as in Theorem 1 and Lemma 3. The weak error at a depth is the mean of a function of
// the overlap at the horizon minus the mean at infinite depth. All depths, schemes and laws are coupled on
// common Brownian paths.
type Experiment struct {
	Model     setting.Model `json:"model"` // recursion whose limit is approximated
	Tokens    int64         `json:"tokens"`
	Dim       int64         `json:"dim"`
	Beta      float64       `json:"beta"`
	Epsilon   float64       `json:"epsilon"` // noise amplitude of the hybrid
	Attention sde.Attention `json:"attention"`
	// Depth lists the numbers of layers per unit of time: the least depth times powers of 2.
	Depth        []int               `json:"depth"`
	Horizon      float64             `json:"horizon"`     // end of trajectories, in units of time
	Interaction  setting.Interaction `json:"interaction"` // B = QᵀK
	MLP          setting.MLP         `json:"mlp,omitzero"`
	Z0           *float64            `json:"z0"` // overlap at time 0; nil for uniform tokens
	Trajectories int64               `json:"trajectories"`
}

// New returns the experiment weak with its default parameters. The dimension is high and the horizon is
// short, so that few trajectories show convergence of order 1: the drift of the overlap, and with it the
// error, grows with the dimension, but the noise of the overlap does not.
func New() *Experiment {
	start := 0.
	return &Experiment{
		Model:        setting.Transformer,
		Tokens:       2,
		Dim:          16,
		Beta:         3,
		Epsilon:      1,
		Attention:    sde.Softmax,
		Depth:        []int{16, 32, 64, 128, 256},
		Horizon:      0.125,
		Z0:           &start,
		Trajectories: 6000,
	}
}

// Name implements run.Experiment.
func (*Experiment) Name() string { return "weak" }

// Help implements run.Experiment.
func (*Experiment) Help() (summary, description string) {
	return "errors of the recursion and of SDE schemes against depth, on common Brownian paths",
		`Simulates the recursion over layers with each law of its increments, and the schemes euler,
geodesic and heun for its limit in continuous time. The recursion and all schemes use several depths
on common Brownian paths. The means of three functions of the overlap at the horizon are compared
with their limits. These limits come from the Fokker-Planck equation for two tokens, and from the
greatest depth otherwise. The order of the error is fitted, with its interval, and so is the order
of the Talay-Tubaro extrapolation from each depth and the next.

Example: antipode weak --model hybrid --horizon 1 --depth 8,16,32,64 --trajectories 20000`
}

// Parameters implements run.Experiment. Setting the number of tokens also sets the start. Because the number
// of tokens is set first, a start that the user gives takes precedence.
func (w *Experiment) Parameters() []parameter.Parameter {
	return []parameter.Parameter{
		{Name: "model", Meaning: "recursion over layers; the schemes approximate its limit in continuous " +
			"time",
			Value: w.model()},
		w.depth(),
		w.tokens(),
		{Name: "dim", Meaning: "dimension d of the tokens",
			Value: parameter.Whole(&w.Dim, parameter.Range{Low: 2, High: 1000})},
		{Name: "beta", Meaning: "inverse temperature β",
			Value: parameter.Real(&w.Beta, parameter.Range{Low: 0, High: overlap.MaxBeta})},
		{Name: "epsilon", Meaning: "noise amplitude ε of the hybrid model",
			Value: parameter.Real(&w.Epsilon, parameter.Range{Low: 0, High: overlap.MaxEpsilon,
				Open: true}),
			Inapplicable: parameter.Unless(w.Model == setting.Hybrid, setting.NoAmplitude)},
		setting.AttentionParameter(&w.Attention),
		setting.FixedInteractionParameter(&w.Interaction),
		w.mlp(),
		setting.HorizonParameter(&w.Horizon),
		{Name: "z0", Meaning: "overlap of two tokens at time 0; uniform for independent uniform tokens",
			Value: parameter.OptionalReal(&w.Z0, setting.UniformStart, parameter.Range{Low: -1, High: 1})},
		{Name: "trajectories", Meaning: "number of trajectories",
			Value: parameter.Whole(&w.Trajectories, parameter.Range{Low: 2, High: 1e12})},
	}
}

func (w *Experiment) depth() parameter.Parameter {
	return parameter.Parameter{Name: "depth",
		Meaning: "three or more depths L, each a power of 2 times the smallest; the time step is 1/L",
		Unit:    "layers per unit of time",
		Value:   parameter.Wholes(&w.Depth, parameter.Range{Low: 1, High: 1e6})}
}

// tokens returns the parameter of the number of tokens. Setting it also sets the default start, an overlap
// for two tokens and independent uniform tokens for more.
func (w *Experiment) tokens() parameter.Parameter {
	return parameter.Parameter{Name: "tokens",
		Meaning: "number N of tokens; for more than two, results are means over all pairs",
		Value:   parameter.Whole(&w.Tokens, parameter.Range{Low: 2, High: 10_000}),
		Then: func() {
			if w.Z0 = nil; w.Tokens == 2 {
				w.Z0 = New().Z0
			}
		}}
}

// mlp returns the parameter of an MLP. In the limit of the hybrid there is no MLP.
func (w *Experiment) mlp() parameter.Parameter {
	return setting.MLPParameter(&w.MLP).Where(w.Model != setting.Hybrid,
		"the limit of model hybrid has no MLP; must be left out")
}

func (w *Experiment) model() parameter.Value {
	return parameter.Named{Field: &w.Model,
		Names: []string{setting.Transformer.String(), setting.Hybrid.String()}}
}

// Validate implements run.Experiment.
func (w *Experiment) Validate() error {
	if err := parameter.Check(w.Parameters()); err != nil {
		return err
	}
	if err := setting.CheckDepths(w.Depth); err != nil {
		return err
	}
	steps, err := setting.Layers(int64(slices.Min(w.Depth)), w.Horizon)
	if err != nil {
		return err
	}
	if steps > brownian.MaxBaseSteps {
		return parameter.Errorf("horizon", w.Horizon, "these are %d steps of the least depth; must be at "+
			"most %d", steps, brownian.MaxBaseSteps)
	}
	if w.Z0 != nil && w.Tokens != 2 {
		return parameter.Errorf("z0", *w.Z0, "must be uniform for more than two tokens")
	}
	if err := setting.CheckClock(w.Attention, []float64{w.Beta}); err != nil {
		return err
	}
	cells := w.grid(w.series())
	if err := w.sublayers().Check(cells); err != nil {
		return err
	}
	return w.Interaction.Check(cells)
}

// weakSeries is the recursion with one law of its increments, or a numerical scheme for the limit. The
// experiment compares several weakSeries.
type weakSeries struct {
	name string
	law  sde.Law
	cell sde.Cell // cell without a depth
}

// sublayers returns the sublayers beside one head of attention.
func (w *Experiment) sublayers() setting.Sublayers {
	if w.Model == setting.Hybrid {
		return setting.Sublayers{}
	}
	return setting.Sublayers{MLP: w.MLP}
}

// series returns the recursion with each law of its increments, and the numerical schemes for its limit.
func (w *Experiment) series() (all []weakSeries) {
	cell := sde.Cell{
		Attention: w.Attention,
		Tokens:    int(w.Tokens), Dim: int(w.Dim), Beta: w.Beta, Start: sde.UniformStart{},
	}
	if w.Z0 != nil {
		cell.Start = sde.PairStart{Overlap: *w.Z0}
	}
	cell = w.sublayers().With(cell)
	noise := setting.Noise{Sigma: 1, Epsilon: w.Epsilon}
	for noise.Law = range sde.Law(len(sde.LawNames)) {
		cell.Model = w.Model.With(noise)
		all = append(all, weakSeries{recursionName, noise.Law, cell})
	}
	limit := setting.Model(cell.Model.Limit().String())
	for _, noise.Scheme = range limit.With(noise).Schemes() {
		cell.Model = limit.With(noise)
		all = append(all, weakSeries{noise.Scheme.String(), sde.Gaussian, cell})
	}
	return all
}

// depths returns the depths in ascending order.
func (w *Experiment) depths() []int { return slices.Sorted(slices.Values(w.Depth)) }

// grid returns the coupled cells, ordered by series and then by depth, without an interaction matrix.
func (w *Experiment) grid(series []weakSeries) (cells []sde.Cell) {
	for _, s := range series {
		for _, s.cell.Depth = range w.depths() {
			cells = append(cells, s.cell)
		}
	}
	return cells
}

// cells returns the coupled cells with the interaction matrix B.
func (w *Experiment) cells(series []weakSeries) ([]sde.Cell, error) {
	cells := w.grid(series)
	return cells, w.Interaction.Of(cells)
}

// Columns implements run.Experiment.
func (*Experiment) Columns() []data.Column { return data.ColumnsOf[Row]() }

// Run implements run.Experiment. Run writes all rows at the end.
func (w *Experiment) Run(ctx context.Context, options run.Options, table data.Sink) error {
	if err := w.Validate(); err != nil {
		return err
	}
	series := w.series()
	if options.Part.Of > 0 {
		return w.sample(ctx, options, series, func(trajectory int64, row []float64) error {
			return data.WriteRows(table, shardRow{Trajectory: trajectory, Values: row})
		})
	}
	limit, err := w.limit()
	if err != nil {
		return err
	}
	all, err := w.estimates(ctx, options, series)
	if err != nil {
		return err
	}
	var plain, extrapolated []Row
	for i, s := range series {
		for k, e := range all[i] {
			scheme, statistic := Scheme(s.name), Statistic(k)
			plain = append(plain, rowsOf(scheme, s.law, statistic, e, limit[k])...)
			extrapolated = append(extrapolated,
				rowsOf(scheme.extrapolated(), s.law, statistic, e.Extrapolated(), limit[k])...)
		}
	}
	return data.WriteRows(table, append(plain, extrapolated...)...)
}

// rows returns the number of rows of the table. For each series and statistic of the overlap, the table has a
// row for each depth, and an extrapolated row for each depth but the last.
func (w *Experiment) rows() int {
	return len(w.series()) * len(statisticNames) * (2*len(w.Depth) - 1)
}

// ShardColumns implements run.Divisible. The table of a shard has a row with the result of each trajectory.
func (w *Experiment) ShardColumns() []data.Column {
	return data.ColumnsOf[shardRow](data.Shape{Length: w.numbers()})
}

// estimates runs the coupled cells, or reads the results of shards. For each series and statistic of the
// overlap, the result has the means at all depths.
func (w *Experiment) estimates(
	ctx context.Context, options run.Options, series []weakSeries,
) ([][3]fit.Estimates, error) {
	depths, statistics := w.depths(), len(statisticNames)
	n := len(depths)
	sums := lists.Of(len(series)*statistics, func(k int) *fit.Moments { return fit.NewMoments(n) })
	add := func(row []float64) {
		for k, m := range sums {
			m.Add(row[k*n : (k+1)*n])
		}
	}
	var err error
	if options.Shards != nil {
		err = run.MergeRows(options.Shards, 1, w.Trajectories, 1, func(_ int, part *data.Table) error {
			rows, err := data.RowsOf[shardRow](part)
			for _, row := range rows {
				if len(row.Values) != n*len(sums) {
					return fmt.Errorf("trajectory %d has %d values, not %d", row.Trajectory, len(row.Values),
						n*len(sums))
				}
				add(row.Values)
			}
			return err
		})
	} else {
		err = w.sample(ctx, options, series, func(_ int64, row []float64) error {
			add(row)
			return nil
		})
	}
	if err != nil {
		return nil, err
	}
	all := make([][3]fit.Estimates, len(series))
	for k, m := range sums {
		all[k/statistics][k%statistics] = m.Estimates(depths)
	}
	return all, nil
}

// sample runs the coupled cells, and passes the result of each trajectory to take: the statistics of the
// overlap for each series and depth.
func (w *Experiment) sample(
	ctx context.Context, options run.Options, series []weakSeries,
	take func(trajectory int64, row []float64) error,
) error {
	depths := w.depths()
	cells, err := w.cells(series)
	if err != nil {
		return err
	}
	steps := setting.CheckedLayers(int64(depths[0]), w.Horizon)
	n, statistics := len(depths), len(statisticNames)
	ensemble := &brownian.Ensemble[[]float64]{Cells: cells, Trajectories: w.Trajectories, Steps: steps}
	ensemble.Observer = func() func(*[]float64, int, int64, []float64) {
		var values [3]float64
		return func(row *[]float64, cell int, step int64, x []float64) {
			if step < steps*int64(cells[cell].Depth/depths[0]) {
				return
			}
			if *row == nil {
				*row = make([]float64, len(cells)*statistics)
			}
			meanStatistics(&values, x, int(w.Dim))
			for k, v := range values {
				(*row)[(cell/n*statistics+k)*n+cell%n] = v
			}
		}
	}
	ensemble.Reduce = take
	return run.Coupled(ctx, ensemble, run.Floats, options, w.needs(options.Part), w.Parameters(), "dim")
}

// needs returns the rows of the table of a part of the run, and the bytes of the results of its trajectories,
// which are kept until the table is complete.
func (w *Experiment) needs(part sde.Part) run.Needs {
	trajectories := float64(part.Trajectories(w.Trajectories))
	rows := float64(w.rows())
	if part.Of > 0 {
		rows = trajectories
	}
	const numberBytes = 8
	return run.Needs{Rows: rows, Kept: numberBytes * trajectories * float64(w.numbers())}
}

// numbers returns the number of results of a trajectory.
func (w *Experiment) numbers() int { return len(w.series()) * len(statisticNames) * len(w.Depth) }

// limit returns the mean of each statistic of the overlap at infinite depth, from the Fokker-Planck equation.
// The means are NaN for more than two tokens, and if their error may be above 1e-3.
func (w *Experiment) limit() (limit [3]float64, err error) {
	nan := math.NaN()
	limit = [3]float64{nan, nan, nan}
	cells, err := w.cells(w.series()[:1])
	if err != nil {
		return limit, err
	}
	cell := cells[0]
	if w.Tokens > 2 || !theory.Holds(cell) {
		return limit, nil
	}
	diffusion, err := theory.Diffusion(cell)
	if err != nil {
		return limit, err
	}
	law, err := theory.LawAt(diffusion, w.Z0, w.Horizon, 1e-6)
	if err != nil || law.Error > 1e-3 {
		return limit, err
	}
	for k := range limit {
		limit[k] = law.Expectation(func(z float64) float64 { return statisticsAt(z)[k] })
	}
	return limit, nil
}
