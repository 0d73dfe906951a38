// Package evolve is the experiment on how the outcomes of many trajectories depend on time: how fast tokens
// cluster, and how long opposite clusters last.
//
//	e := evolve.New()
//	e.Model, e.Tokens, e.Horizon = []setting.Model{"transformer", "flow"}, 3, 10
//	err := e.Run(ctx, run.Options{Seed: 1}, table) // rows of type Row
package evolve

import (
	"context"
	"math"
	"slices"

	"antipode/data"
	"antipode/experiments/internal/outcomes"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/experiments/setting"
	"antipode/experiments/theory"
	"antipode/internal/lists"
	"antipode/overlap"
	"antipode/sde"
	"antipode/sphere/elementary"
	"antipode/sphere/invariant"
)

// Experiment measures how the fractions of trajectories with each outcome change with time (Fedorov et al.,
// Figs. 7, 8 and 9), in one or several models, dimensions and inverse temperatures β.
type Experiment struct {
	Figure       string               `json:"figure"` // figure of the paper that sets the defaults
	Model        []setting.Model      `json:"model"`
	Tokens       int64                `json:"tokens"`
	Dim          []int                `json:"dim"`
	Beta         []float64            `json:"beta"`
	Epsilon      float64              `json:"epsilon"` // ε of the hybrid; other models have none
	Attention    sde.Attention        `json:"attention"`
	AttentionSum sde.AttentionSum     `json:"attention-sum,omitzero"`
	Interaction  setting.Interaction  `json:"interaction"`       // B = QᵀK
	Law          sde.Law              `json:"law"`               // law of the increments; the flow has none
	Covariance   invariant.Covariance `json:"covariance"`        // of value matrices of the transformer
	Trajectories int64                `json:"trajectories"`      // per cell (model, d, β)
	Depth        int64                `json:"depth"`             // number of layers per unit of time
	Horizon      float64              `json:"horizon"`           // end of trajectories, in units of time
	LogTime      bool                 `json:"log-time"`          // whether ratios of times are equal
	Forecast     float64              `json:"forecast,omitzero"` // units of time; 0 for none
	Theory       bool                 `json:"theory,omitzero"`
	Tolerance    float64              `json:"tolerance"`
	Sigma        float64              `json:"sigma"` // standard deviation of entries of value matrices
	setting.Sublayers
}

// New returns the experiment evolve with its default parameters: a coarser version of Fig. 7 of the paper.
func New() *Experiment {
	e := &Experiment{
		Epsilon:      1.2,
		Attention:    sde.Softmax,
		Covariance:   invariant.Ginibre,
		Sigma:        1,
		Trajectories: 100,
		Depth:        40,
		Tolerance:    1e-3,
	}
	if err := e.figure().Set("7"); err != nil {
		panic(err)
	}
	return e
}

// Paper sets the depth and the number of trajectories of Figs. 7 and 8 of the paper. For Fig. 9 the paper
// gives only the depth.
func (e *Experiment) Paper() { e.Trajectories, e.Depth = 2000, 100 }

// Name implements run.Experiment.
func (*Experiment) Name() string { return "evolve" }

// Help implements run.Experiment.
func (*Experiment) Help() (summary, description string) {
	return "fractions of the outcomes against time, for several models, dimensions and β (Figs. 7, 8, 9)",
		`Simulates tokens that start independent and uniform on the sphere. At a hundred times up to
the horizon the table has the number of trajectories with each outcome, and of trajectories with at
least one antipodal pair. Figure 7 shows many tokens at a large β. Figure 8 shows two tokens in
several dimensions, below, near and above the threshold, with their theory. Figure 9 compares many
tokens with noise to the deterministic flow. Two opposite clusters of unequal size come together
only after a time that spans decades; --log-time shows such times. --forecast predicts the antipodal
fraction at later times, from the sizes of the clusters at the horizon and the theory of how long
such clusters last.

Examples: antipode evolve --figure 9
          antipode evolve --tokens 3 --beta 2.5 --horizon 400 --depth 100 --log-time
          antipode evolve --tokens 8 --beta 2 --horizon 40 --forecast 1e6`
}

// Parameters implements run.Experiment. Setting the parameter figure also sets the parameters of that figure,
// and setting the models also sets the law. Because the figure and the models are set first, other values
// that the user gives take precedence.
func (e *Experiment) Parameters() []parameter.Parameter {
	onlyFlow := !slices.ContainsFunc(e.Model, func(m setting.Model) bool { return m != setting.Flow })
	matrices := slices.Contains(e.Model, setting.Transformer)
	return append([]parameter.Parameter{
		e.figure(),
		{Name: "model", Meaning: "models whose recursion is simulated",
			Value: parameter.NamedList(&e.Model, modelNames), Then: e.setLaw},
		{Name: "tokens", Meaning: "number N of tokens",
			Value: parameter.Whole(&e.Tokens, parameter.Range{Low: 1, High: 1e6})},
		setting.DimsParameter(&e.Dim),
		setting.BetasParameter(&e.Beta),
		{Name: "epsilon", Meaning: "noise amplitude ε of the hybrid model",
			Value:        parameter.Real(&e.Epsilon, parameter.Range{Low: 0, High: overlap.MaxEpsilon}),
			Inapplicable: parameter.Unless(slices.Contains(e.Model, setting.Hybrid), setting.NoAmplitude)},
		setting.AttentionParameter(&e.Attention),
		setting.AttentionSumParameter(&e.AttentionSum),
		{Name: "law", Meaning: "law of the entries of a value matrix, and of the random scalar of the " +
			"hybrid model; rademacher by default if the hybrid is the only model with noise, and " +
			"gaussian otherwise", Value: parameter.Named{Field: &e.Law, Names: sde.LawNames},
			Inapplicable: parameter.Unless(!onlyFlow, setting.NoNoise)},
		setting.CovarianceParameter(&e.Covariance).Where(matrices, setting.NoValueMatrices),
		setting.SigmaParameter(&e.Sigma).Where(matrices, setting.NoMatrices),
		setting.TrajectoriesParameter(&e.Trajectories, "cell (model, d, β)"),
		setting.DepthParameter(&e.Depth),
		setting.HorizonParameter(&e.Horizon),
		{Name: "log-time",
			Meaning: "spaces the times at equal ratios instead of equal distances, which shows slow " +
				"changes over decades of time",
			Value: parameter.Switch{On: &e.LogTime}},
		e.forecast(),
		setting.ThreeTokensParameter(&e.Theory, e.Tokens == 3),
		setting.ToleranceParameter(&e.Tolerance),
		setting.InteractionParameter(&e.Interaction),
	}, e.Sublayers.Parameters(setting.SeveralHeadsMatter(e.Law, e.Interaction))...)
}

// Validate implements run.Experiment.
func (e *Experiment) Validate() error {
	return parameter.FirstError(
		func() error { return parameter.Check(e.Parameters()) },
		func() error {
			return setting.CheckCells("beta", len(e.Beta),
				setting.Axis{Count: len(e.Dim), Many: "dimensions"},
				setting.Axis{Count: len(e.Model), Many: "models"})
		},
		func() error {
			if !slices.Contains(e.Model, setting.Transformer) {
				return nil
			}
			return setting.CheckCovariance(e.Covariance, e.Dim, e.Law)
		},
		func() error { return setting.CheckHorizon(e.Depth, e.Horizon) },
		func() error { return setting.CheckAttentionSum(e.Interaction, e.grid()...) },
		func() error { return e.beside().Check(e.grid()) },
		e.checkForecast,
		func() error { return e.Interaction.Check(e.grid()) },
	)
}

// grid returns the cells of the grid, ordered by model, by dimension and then by β, without an interaction
// matrix.
func (e *Experiment) grid() (cells []sde.Cell) {
	for _, model := range e.Model {
		of := func(d int, beta float64) sde.Cell { return e.cell(model, d, beta) }
		cells = append(cells, lists.Grid(e.Dim, e.Beta, of)...)
	}
	return cells
}

// cell returns the cell of the grid with the given model, dimension and β, without an interaction matrix.
func (e *Experiment) cell(model setting.Model, d int, beta float64) sde.Cell {
	noise := setting.Noise{Law: e.Law, Sigma: e.Sigma, Covariance: e.Covariance, Epsilon: e.Epsilon}
	return e.beside().With(sde.Cell{
		Model:     model.With(noise),
		Attention: e.Attention, AttentionSum: e.AttentionSum,
		Tokens: int(e.Tokens), Dim: d, Beta: beta, Depth: int(e.Depth),
		Start: sde.UniformStart{},
	})
}

// cells returns the cells of the grid with the interaction matrix B. A cell in which the overlap of the
// tokens is a Markov chain is simulated as a chain.
func (e *Experiment) cells() ([]sde.Cell, error) { return e.Interaction.Chains(e.grid()) }

// times returns the layers after which outcomes are counted, ending with the horizon. Outcomes are counted
// after up to a hundred layers at equal distances. If times have equal ratios, outcomes are counted instead
// after 20 layers per decade from the first layer on.
func (e *Experiment) times(horizon int64) []int64 {
	const points, perDecade = 100, 20
	times := []int64{horizon}
	if e.LogTime || e.Forecast > 0 {
		for k := 1; times[len(times)-1] > 1; k++ {
			ratio := elementary.Exp(-math.Ln10 * float64(k) / perDecade)
			times = append(times, int64(math.Round(float64(horizon)*ratio)))
		}
	} else {
		for k := int64(points) - 1; k >= 0; k-- {
			times = append(times, (2*k*horizon+points)/(2*points))
		}
	}
	slices.Sort(times)
	return slices.Compact(times)
}

// beside returns the sublayers beside one head of attention that have an effect.
func (e *Experiment) beside() setting.Sublayers {
	return e.Effective(setting.SeveralHeadsMatter(e.Law, e.Interaction))
}

// Accuracy implements run.Approximate.
func (e *Experiment) Accuracy() []data.Entry {
	cells, err := e.cells()
	if err != nil {
		return nil
	}
	return setting.AttentionSumMetadata(cells...)
}

// Columns implements run.Experiment.
func (e *Experiment) Columns() []data.Column {
	all := e.allColumns()
	if e.threeTokens() {
		return all
	}
	return run.Without(all, data.ColumnsOf[theory.ThreeTokens]())
}

// allColumns returns the columns of the table, including those of the theory of three tokens.
func (e *Experiment) allColumns() []data.Column {
	if e.Forecast > 0 {
		return data.ColumnsOf[ForecastRow]()
	}
	return data.ColumnsOf[Row]()
}

// Run implements run.Experiment. Run writes the rows of a cell, one for each time, as soon as all
// trajectories of the cell are complete.
func (e *Experiment) Run(ctx context.Context, options run.Options, table data.Sink) error {
	ensemble, err := outcomes.NewEnsemble[[]outcomes.Seen](e, e.cells, e.Trajectories, e.Depth, e.Horizon)
	if err != nil {
		return err
	}
	if e.Forecast > 0 && options.Part.Of > 0 {
		return parameter.Errorf("forecast", e.Forecast, "needs all trajectories of a cell; must be left "+
			"out in a shard")
	}
	table = data.Selecting(table, e.allColumns(), e.Columns())
	times, cells, seen := e.times(ensemble.Layers), ensemble.Cells, sizes{}
	ensemble.Times = times
	return outcomes.Run[Row](ctx, ensemble, e.Tolerance, options, e.Parameters(), "tokens", seen.add,
		func(cell int, tallies []outcomes.Tally) error {
			defer clear(seen)
			rows := make([]Row, len(tallies))
			for k, t := range tallies {
				rows[k] = counted(cells[cell], float64(times[k])/float64(e.Depth), t)
				if options.Part.Of == 0 {
					rows[k] = rows[k].estimated()
				}
			}
			if options.Part.Of == 0 {
				e.addThreeTokens(cells[cell], rows)
			}
			if e.Forecast == 0 {
				return data.WriteRows(table, rows...)
			}
			later := e.forecastOf(cells[cell], rows[len(rows)-1], seen)
			return data.WriteRows(table, append(simulated(rows), later...)...)
		})
}

// ShardColumns implements run.Divisible.
func (e *Experiment) ShardColumns() []data.Column { return e.Columns() }
