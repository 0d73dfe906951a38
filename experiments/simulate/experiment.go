// Package simulate is the experiment that saves simulated trajectories of tokens: their outcomes, overlaps,
// positions or attention matrices at chosen times.
//
//	e := simulate.New()
//	e.Tokens, e.Beta, e.Save, e.Every = 50, 4, "states", 0.1
//	err := e.Run(ctx, run.Options{Seed: 1}, table) // rows of type StateRow
package simulate

import (
	"context"
	"fmt"
	"math"
	"runtime"

	"antipode/data"
	"antipode/experiments/internal/splitting"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/experiments/setting"
	"antipode/internal/lists"
	"antipode/sde"
	"antipode/sphere/invariant"
)

// Experiment is an ensemble of trajectories of tokens with one choice of the model. Outcomes, overlaps or
// states of the trajectories are saved at chosen times. The models are the recursions (4) and (7) of Fedorov
// et al., their limits (6) and (8) by a numerical scheme with steps 1/depth, and the flow of Lemma 2. Theory
// occurs only in reports and figures, for example to explain why many tokens do not cluster where two tokens
// would.
type Experiment struct {
	Model        setting.Model        `json:"model"`
	Scheme       sde.Scheme           `json:"scheme"` // scheme of a limit or the flow; euler for recursions
	Noise        sde.Noise            `json:"noise"`  // noise of a limit: common to the tokens or independent
	Tokens       int64                `json:"tokens"`
	Dim          int64                `json:"dim"`
	Beta         float64              `json:"beta"`
	Epsilon      float64              `json:"epsilon"` // ε of the hybrids; other models have none
	Method       sde.Method           `json:"method,omitzero"`
	Attention    sde.Attention        `json:"attention"`
	AttentionSum sde.AttentionSum     `json:"attention-sum,omitzero"`
	Law          sde.Law              `json:"law"`         // law of the increments; gaussian for a limit
	Covariance   invariant.Covariance `json:"covariance"`  // covariance of the entries of value matrices
	Depth        int64                `json:"depth"`       // layers or steps per unit of time
	Horizon      float64              `json:"horizon"`     // end of trajectories, in units of time
	Interaction  setting.Interaction  `json:"interaction"` // B = QᵀK
	Start        setting.Start        `json:"start"`
	Save         string               `json:"save"`        // one of saveNames
	Every        float64              `json:"every"`       // units of time between two saved times
	Interpolate  bool                 `json:"interpolate"` // whether states between layers are saved
	Trajectories int64                `json:"trajectories"`
	Numbers      Numbers              `json:"trajectory,omitzero"`
	Tolerance    float64              `json:"tolerance"` // tolerance of the outcomes
	Sigma        float64              `json:"sigma"`     // standard deviation of entries of value matrices
	Splitting    Splitting            `json:"splitting,omitzero"`
	Repetitions  int64                `json:"repetitions"` // number of repetitions of the splitting
	setting.Sublayers

	varied sweep // values of the parameters that vary
}

// New returns the experiment simulate with its default parameters: two tokens, for which both outcomes occur.
func New() *Experiment {
	return &Experiment{
		Model:        setting.Transformer,
		Scheme:       sde.Euler,
		Noise:        sde.CommonNoise,
		Tokens:       2,
		Dim:          3,
		Beta:         1,
		Epsilon:      1.2,
		Attention:    sde.Softmax,
		Law:          sde.Gaussian,
		Covariance:   invariant.Ginibre,
		Sigma:        1,
		Depth:        100,
		Horizon:      20,
		Save:         saveOutcomes,
		Every:        1,
		Trajectories: 100,
		Tolerance:    1e-3,
		Repetitions:  20,
	}
}

// Name implements run.Experiment.
func (*Experiment) Name() string { return "simulate" }

// Help implements run.Experiment.
func (*Experiment) Help() (summary, description string) {
	return "single trajectories: outcomes, overlaps or states at chosen times",
		`Simulates tokens through the layers and saves trajectories at time 0, at each multiple of
--every, and at the horizon. --save selects what is saved: the outcomes, with a row for each
trajectory; the overlaps, with a row for each pair of tokens; or the tokens themselves, in columns
x1, x2, …, from which another run can start. The figure of outcomes shows the fraction of each
outcome. The figure of overlaps shows some trajectories, and the median and bands of all. The figure
of states shows the first trajectory, as angles (d = 2) or on the sphere (d = 3). The models
transformer-sde and hybrid-sde are the limits of the recursions in continuous time; several schemes
with step 1/depth approximate them.

β, ε, d, N, L and the seed may be lists or grids. All combinations are then simulated, and each
parameter with several values is a column of the table. The figure of outcomes, or of the few rows
of --save summary, then shows the fractions against one parameter, or as a map over two.

` + "Example: antipode simulate --tokens 50 --dim 3 --beta 4 --save states --every 0.1 --trajectories 1 " +
			"--plot run.png"
}

// Parameters implements run.Experiment. Setting the model also sets the law to the default law of the model.
// Because the model is set before the law, a law that the user gives takes precedence.
func (s *Experiment) Parameters() []parameter.Parameter {
	flow, matrices := s.Model == setting.Flow, s.Model.HasValueMatrices()
	own := append([]parameter.Parameter{
		{Name: "model", Meaning: "recursion over layers, or its limit in continuous time",
			Value: parameter.Named{Field: &s.Model, Names: sde.ModelNames},
			Then:  func() { s.Law = s.Model.Law() }},
		{Name: "scheme", Meaning: "scheme: euler, geodesic or heun for the SDEs, euler or rk4 for the " +
			"flow; a recursion allows only euler",
			Value: parameter.Named{Field: &s.Scheme, Names: sde.SchemeNames}},
		{Name: "noise", Meaning: "noise of an SDE: common to all tokens, or independent",
			Value:        parameter.Named{Field: &s.Noise, Names: sde.NoiseNames},
			Inapplicable: parameter.Unless(!flow, setting.NoNoise)},
		{Name: "tokens", Meaning: "number N of tokens",
			Value: sweptWholes(&s.Tokens, &s.varied.Tokens, parameter.Range{Low: 1, High: 1e6})},
		{Name: "dim", Meaning: "dimension d of the tokens",
			Value: sweptWholes(&s.Dim, &s.varied.Dim, parameter.Range{Low: 2, High: 10_000})},
		{Name: "beta", Meaning: "inverse temperature β",
			Value: sweptReals(&s.Beta, &s.varied.Beta, parameter.Range{Low: 0, High: 1e6})},
		{Name: "epsilon", Meaning: "noise amplitude ε of the models hybrid and hybrid-sde",
			Value:        sweptReals(&s.Epsilon, &s.varied.Epsilon, parameter.Range{Low: 0, High: 1e6}),
			Inapplicable: parameter.Unless(s.Model.HasAmplitude(), setting.NoAmplitude)},
		setting.AttentionParameter(&s.Attention),
		setting.AttentionSumParameter(&s.AttentionSum),
		{Name: "law", Meaning: "law of the entries of a value matrix, or of the random scalar of the " +
			"hybrid model; the scalar is rademacher by default; an SDE allows only gaussian",
			Value:        parameter.Named{Field: &s.Law, Names: sde.LawNames},
			Inapplicable: parameter.Unless(!flow, setting.NoNoise)},
		setting.CovarianceParameter(&s.Covariance).Where(matrices, setting.NoValueMatrices),
		setting.SigmaParameter(&s.Sigma).Where(matrices, setting.NoMatrices),
		{Name: "depth", Meaning: "depth L; the time step is 1/L", Unit: "layers per unit of time",
			Value: sweptWholes(&s.Depth, &s.varied.Depth, parameter.Range{Low: 1, High: 1e6})},
		setting.HorizonParameter(&s.Horizon),
		s.method(),
		s.numbers(),
		{Name: "trajectories", Meaning: "number of trajectories",
			Value:        parameter.Whole(&s.Trajectories, parameter.Range{Low: 1, High: mostTrajectories}),
			Inapplicable: parameter.Unless(!s.Numbers.chosen, numbersCount)},
		setting.InteractionParameter(&s.Interaction),
		setting.StartParameter(&s.Start),
		{Name: "save", Meaning: "what the table contains: outcomes, the overlap of each pair, states " +
			"(the tokens themselves), the entries of the attention matrices, the density of tokens on " +
			"the sphere in three dimensions, or a summary (the number of trajectories with each " +
			"outcome, with intervals); several, separated by commas, give one table each",
			Value:        parameter.Choice{Field: &s.Save, Names: saveNames},
			Inapplicable: parameter.Unless(!s.splits(), splitInstead)},
		{Name: "every", Meaning: "interval between saved times, which are 0, one interval, two " +
			"intervals, … and the horizon; a multiple of 1/depth unless --interpolate is given",
			Unit:         "units of time",
			Value:        parameter.Real(&s.Every, parameter.Range{Low: 0, High: 1e6, Open: true}),
			Inapplicable: parameter.Unless(!s.splits(), splitInstead)},
		s.interpolation(),
		setting.ToleranceParameter(&s.Tolerance),
	}, s.splitParameters()...)
	return append(own, s.Sublayers.Parameters(setting.SeveralHeadsMatter(s.Law, s.Interaction))...)
}

// Validate implements run.Experiment. Validate does not read files: it checks the contents of a file that the
// parameters start or interaction name only if the file has been read already.
func (s *Experiment) Validate() error {
	if err := parameter.Check(s.Parameters()); err != nil {
		return err
	}
	if err := s.checkSweep(); err != nil {
		return err
	}
	checked := s.withoutUnreadFiles()
	if len(s.axes()) > 0 {
		for _, p := range checked.points(0) {
			if _, err := p.prepare(); err != nil {
				return err
			}
		}
	}
	_, err := checked.prepare()
	return err
}

// withoutUnreadFiles returns a copy of the experiment with the identity in place of an interaction file, and
// with uniform tokens in place of a start file, if that file has not been read yet. The report and the figure
// of a table need no file.
func (s *Experiment) withoutUnreadFiles() *Experiment {
	of := *s
	if of.Interaction.Unread() {
		of.Interaction = setting.Interaction{}
	}
	if of.Start.Unread() {
		of.Start = setting.Start{}
	}
	return &of
}

// prepared holds what a run of the experiment needs, computed from valid parameters.
type prepared struct {
	cell    sde.Cell
	moments []moment // the times that are saved
	horizon int64    // horizon as a number of layers
	table   savedTable
}

// prepare checks the parameters and returns what a run needs. Files that the parameters name are read last.
func (s *Experiment) prepare() (p prepared, err error) {
	if err := parameter.FirstError(
		func() error { return parameter.Check(s.Parameters()) },
		s.checkNumbers, s.checkSplitting, s.checkDensity, s.checkModel, s.checkCovariance,
	); err != nil {
		return p, err
	}
	if p.horizon, err = setting.Layers(s.Depth, s.Horizon); err != nil {
		return p, err
	}
	if s.splits() {
		p.cell, err = s.cell()
		return p, err
	}
	every, err := s.every()
	if err != nil {
		return p, err
	}
	if p.table, err = s.newTable(); err != nil {
		return p, err
	}
	if err := s.checkSize(p.table, mostMoments(p.horizon, every)); err != nil {
		return p, err
	}
	p.moments = momentsOf(p.horizon, every)
	p.cell, err = s.cell()
	if table, is := p.table.(*attentionTable); is {
		if table.cell = p.cell; p.cell.Resampling.Spread > 0 {
			return p, parameter.Errorf("save", s.Save, "the matrices of queries and keys that are drawn "+
				"anew in each layer are not kept; must be outcomes, overlaps or states")
		}
	}
	return p, err
}

// checkCovariance returns an error for a covariance of value matrices that no random matrix has.
func (s *Experiment) checkCovariance() error {
	if !s.Model.HasValueMatrices() {
		return nil
	}
	return setting.CheckCovariance(s.Covariance, []int{int(s.Dim)}, s.Law)
}

// checkModel returns an error for a numerical scheme, a noise or a law that does not fit the model.
func (s *Experiment) checkModel() error {
	model := s.newModel()
	for _, p := range []struct {
		name string
		parameter.Named
	}{
		{"scheme", parameter.Named{Field: &s.Scheme, Names: namesOf(model.Schemes())}},
		{"noise", parameter.Named{Field: &s.Noise, Names: namesOf(model.Noises())}},
		{"law", parameter.Named{Field: &s.Law, Names: namesOf(model.Laws())}},
	} {
		if err := p.Check(); err != nil {
			return parameter.Errorf(p.name, p.String(), "does not fit the model %s; %v", s.Model, err)
		}
	}
	return nil
}

func namesOf[T fmt.Stringer](values []T) []string { return lists.Map(values, T.String) }

func (s *Experiment) newModel() sde.Model {
	return s.Model.With(setting.Noise{Law: s.Law, Sigma: s.Sigma, Covariance: s.Covariance,
		Epsilon: s.Epsilon, Scheme: s.Scheme, Shared: s.Noise})
}

// cell returns the cell that the experiment simulates: the model, the tokens, the attention and the start.
func (s *Experiment) cell() (cell sde.Cell, err error) {
	cell = s.beside().With(sde.Cell{
		Model:     s.newModel(),
		Method:    s.Method,
		Attention: s.Attention, AttentionSum: s.AttentionSum,
		Tokens: int(s.Tokens), Dim: int(s.Dim), Beta: s.Beta, Depth: int(s.Depth),
		Resampling: s.Interaction.Resampling(),
	})
	if cell.Interaction, err = s.Interaction.Matrix(cell.Dim); err != nil {
		return cell, s.Interaction.Refused(err.Error())
	}
	if cell.Resampling.Spread > 0 && !s.Model.IsRecursion() {
		return cell, s.Interaction.Refused("random queries and keys are for the recursions over layers; " +
			"must be left out with model " + s.Model.String())
	}
	if cell.Start, err = s.start(); err != nil {
		return cell, err
	}
	return cell, parameter.FirstError(
		func() error { return s.checkMethod(cell) },
		func() error { return setting.CheckOverflow(cell) },
		func() error { return setting.CheckAttentionSum(s.Interaction, cell) },
		func() error { return s.beside().Check([]sde.Cell{cell}) },
		cell.Validate,
	)
}

// start returns the positions of the tokens at time 0. Multilevel splitting numbers trajectories by itself.
func (s *Experiment) start() (sde.Start, error) {
	if s.splits() {
		return s.Start.Of(int(s.Tokens), int(s.Dim))
	}
	first := s.Numbers.first
	return s.Start.OfNumbered(int(s.Tokens), int(s.Dim), first, first+s.Trajectories-1)
}

// Accuracy implements run.Approximate.
func (s *Experiment) Accuracy() []data.Entry {
	var cells []sde.Cell
	for _, p := range s.points(0) {
		if cell, err := p.cell(); err == nil {
			cells = append(cells, cell)
		}
	}
	return setting.AttentionSumMetadata(cells...)
}

// The greatest size of a table, and the greatest size of the part of a table that is in memory at one time.
const (
	largestTable  = 64 << 30 // bytes
	largestInPart = 1 << 30  // bytes
)

// checkSize returns an error for a table that is too large, or for trajectories that take too much memory
// while they wait to be written.
func (s *Experiment) checkSize(table savedTable, times float64) error {
	each := times * table.rowsPerTime() * bytesPerRow(table)
	bytes := float64(s.Trajectories) * each
	switch {
	case each > largestTable:
		return parameter.Errorf("every", s.Every, "the table would take %.3g GiB; must be at most %d GiB: "+
			"save less often", bytes/(1<<30), largestTable>>30)
	case bytes > largestTable:
		return parameter.Errorf("trajectories", s.Trajectories, "the table would take %.3g GiB; must be at "+
			"most %.0f, for %d GiB, or save less often", bytes/(1<<30), math.Floor(largestTable/each),
			largestTable>>30)
	}
	ahead := min(s.Trajectories, sde.TrajectoriesAhead)
	if bytes := times * (16 + float64(ahead)*table.bytesKept()); bytes > largestInPart {
		return parameter.Errorf("every", s.Every, "%d trajectories at a time would take %.3g GiB of "+
			"memory; must be at most %d GiB: save less often, or fewer trajectories", ahead, bytes/(1<<30),
			largestInPart>>30)
	}
	return nil
}

// beside returns the sublayers beside one head of attention that have an effect.
func (s *Experiment) beside() setting.Sublayers {
	return s.Effective(setting.SeveralHeadsMatter(s.Law, s.Interaction))
}

// Columns implements run.Experiment. For invalid parameters there are no columns.
func (s *Experiment) Columns() []data.Column {
	if s.splits() {
		return append(s.axisColumns(), data.ColumnsOf[SplittingRow]()...)
	}
	table, err := s.newTable()
	if err != nil {
		return nil
	}
	return append(s.axisColumns(), table.columns()...)
}

// axisColumns returns a column for each parameter that varies.
func (s *Experiment) axisColumns() (columns []data.Column) {
	return lists.Map(s.axes(), func(a axis) data.Column { return a.column })
}

// Run implements run.Experiment. Run writes the rows of one trajectory after another, and the rows of a
// trajectory in the order of time. The memory that Run needs does not grow with the number of trajectories.
func (s *Experiment) Run(ctx context.Context, options run.Options, table data.Sink) error {
	if s.splits() {
		return s.runSplitting(ctx, options, table)
	}
	if options.Shards == nil {
		return s.RunTogether(ctx, options, run.Output{Save: s.Save, Journal: options.Journal, Table: table})
	}
	if err := s.Validate(); err != nil {
		return err
	}
	p, err := s.prepare()
	if err != nil {
		return err
	}
	if s.Save == saveSummary {
		return s.mergeSummaries(options.Shards, table)
	}
	return run.MergeRows(options.Shards, len(s.points(0)), s.Trajectories, p.rows(),
		func(_ int, part *data.Table) error { return table.Write(part.Columns...) })
}

// rows returns the number of table rows of a trajectory.
func (p prepared) rows() int { return len(p.moments) * int(p.table.rowsPerTime()) }

// ShardColumns implements run.Divisible.
func (s *Experiment) ShardColumns() []data.Column {
	if s.splits() {
		return append(s.axisColumns(), data.ColumnsOf[splitting.Row]()...)
	}
	return s.Columns()
}

// affordable returns the number of goroutines that can compute trajectories at the same time. The result is
// less than workers if results of the given size in bytes, one for each trajectory, would take too much
// memory while they wait to be written.
func (s *Experiment) affordable(workers int, bytes float64) int {
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	if float64(s.Trajectories)*bytes <= largestInPart {
		return workers
	}
	most := math.Floor(largestInPart / (bytes * sde.TrajectoriesAhead))
	return int(max(1, min(most, float64(workers))))
}
