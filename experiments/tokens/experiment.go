// Package tokens is the experiment on antipodal pairs among many tokens: how often at least two tokens end at
// opposite points.
//
//	e := tokens.New()
//	e.Tokens, e.Beta = []int{2, 8, 32}, []float64{3}
//	err := e.Run(ctx, run.Options{Seed: 1}, table) // rows of type Row
package tokens

import (
	"context"
	"slices"

	"antipode/data"
	"antipode/experiments/internal/outcomes"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/experiments/setting"
	"antipode/experiments/theory"
	"antipode/internal/lists"
	"antipode/sde"
	"antipode/sphere/invariant"
)

// Experiment asks whether antipodal pairs of tokens occur only among two tokens (Fedorov et al., Fig. 6). By
// simulation of recursion (4), Experiment estimates the probability that at least one pair of tokens is
// antipodal at the horizon, against the inverse temperature β, for several numbers of tokens.
type Experiment struct {
	Tokens       []int                `json:"tokens"`
	Beta         []float64            `json:"beta"`
	Dim          int64                `json:"dim"`
	Attention    sde.Attention        `json:"attention"`
	AttentionSum sde.AttentionSum     `json:"attention-sum,omitzero"`
	Interaction  setting.Interaction  `json:"interaction"`  // B = QᵀK
	Trajectories int64                `json:"trajectories"` // per cell (N, β)
	Depth        int64                `json:"depth"`        // number of layers per unit of time
	Horizon      float64              `json:"horizon"`      // end of trajectories, in units of time
	Tolerance    float64              `json:"tolerance"`
	Law          sde.Law              `json:"law"`
	Covariance   invariant.Covariance `json:"covariance"`
	// NoShortcuts says that tokens do not merge and that no trajectory ends before the horizon.
	NoShortcuts bool    `json:"no-shortcuts"`
	Sigma       float64 `json:"sigma"` // standard deviation of entries of value matrices
	Theory      bool    `json:"theory,omitzero"`
	setting.Sublayers
}

// New returns the experiment tokens with its default parameters: a coarse grid on which antipodal pairs occur
// for every number of tokens, and a horizon at which most tokens have clustered.
func New() *Experiment {
	return &Experiment{
		Tokens:       []int{2, 3, 4, 8},
		Beta:         setting.Steps(0, 7, 1),
		Dim:          4,
		Attention:    sde.Softmax,
		Trajectories: 200,
		Depth:        40,
		Horizon:      40,
		Tolerance:    1e-3,
		Law:          sde.Gaussian,
		Covariance:   invariant.Ginibre,
		Sigma:        1,
	}
}

// Paper sets the parameters of Fig. 6 of the paper. Section 6 and the caption state d = 4, β from 0 to 8 in
// steps of 0.5, depth 100, time 500, and 10,000 trajectories per cell. The paper does not state the numbers
// of tokens; Paper sets them from 2 to 50, the number of Fig. 7.
func (k *Experiment) Paper() {
	k.Tokens, k.Beta, k.Dim = []int{2, 3, 5, 10, 20, 50}, setting.Steps(0, 17, 2), 4
	k.Trajectories, k.Depth, k.Horizon = 10_000, 100, 500
}

// Name implements run.Experiment.
func (*Experiment) Name() string { return "tokens" }

// Help implements run.Experiment.
func (*Experiment) Help() (summary, description string) {
	return "how often many tokens have an antipodal pair, against β (Fig. 6)",
		`Simulates tokens of the normalised Transformer recursion for each number of tokens and each
β. The tokens start independent and uniform on the sphere. The table counts how often at least one
pair is antipodal at the horizon, and how often all tokens are in one cluster or in two opposite
clusters. At a short horizon some pair among many tokens is often antipodal by chance.

Example: antipode tokens --tokens 3 --beta 2.5 --horizon 100 --depth 100 --trajectories 1000`
}

// Parameters implements run.Experiment.
func (k *Experiment) Parameters() []parameter.Parameter {
	return append([]parameter.Parameter{
		{Name: "tokens", Meaning: "numbers N of tokens",
			Value: parameter.Wholes(&k.Tokens, parameter.Range{Low: 2, High: 1e6})},
		setting.BetasParameter(&k.Beta),
		setting.DimParameter(&k.Dim),
		setting.AttentionParameter(&k.Attention),
		setting.AttentionSumParameter(&k.AttentionSum),
		setting.TrajectoriesParameter(&k.Trajectories, "cell (N, β)"),
		setting.DepthParameter(&k.Depth),
		setting.HorizonParameter(&k.Horizon),
		setting.ToleranceParameter(&k.Tolerance),
		setting.InteractionParameter(&k.Interaction),
		setting.LawParameter(&k.Law),
		setting.CovarianceParameter(&k.Covariance),
		setting.SigmaParameter(&k.Sigma),
		k.beside().NoShortcutsParameter(&k.NoShortcuts, "simulate every token of every trajectory to the "+
			"horizon, even if tokens coincide or the outcome is already decided"),
		setting.ThreeTokensParameter(&k.Theory, k.hasThreeTokens()),
	}, k.Sublayers.Parameters(setting.SeveralHeadsMatter(k.Law, k.Interaction))...)
}

func (k *Experiment) hasThreeTokens() bool { return slices.Contains(k.Tokens, 3) }

// threeTokens reports whether the theory of three tokens is requested and applies to some cells.
func (k *Experiment) threeTokens() bool { return k.Theory && k.hasThreeTokens() }

// Validate implements run.Experiment.
func (k *Experiment) Validate() error {
	if err := parameter.Check(k.Parameters()); err != nil {
		return err
	}
	if err := setting.CheckCells("beta", len(k.Beta),
		setting.Axis{Count: len(k.Tokens), Many: "numbers of tokens"}); err != nil {
		return err
	}
	if err := setting.CheckCovariance(k.Covariance, []int{int(k.Dim)}, k.Law); err != nil {
		return err
	}
	if err := setting.CheckHorizon(k.Depth, k.Horizon); err != nil {
		return err
	}
	if err := setting.CheckAttentionSum(k.Interaction, k.grid()...); err != nil {
		return err
	}
	if err := k.beside().Check(k.grid()); err != nil {
		return err
	}
	return k.Interaction.Check(k.grid())
}

// grid returns the cells of the grid, ordered by the number of tokens and then by β, without an interaction
// matrix.
func (k *Experiment) grid() []sde.Cell { return lists.Grid(k.Tokens, k.Beta, k.cell) }

// cell returns the cell of the grid with the given number of tokens and β.
func (k *Experiment) cell(tokens int, beta float64) sde.Cell {
	return k.beside().With(sde.Cell{
		Model:     sde.Transformer{Law: k.Law, Sigma: k.Sigma, Covariance: k.Covariance},
		Attention: k.Attention, AttentionSum: k.AttentionSum,
		Tokens: tokens, Dim: int(k.Dim), Beta: beta, Depth: int(k.Depth),
		Start: sde.UniformStart{},
	})
}

// cells returns the cells of the grid with the interaction matrix B. A cell in which the overlap of the
// tokens is a Markov chain is simulated as a chain.
func (k *Experiment) cells() ([]sde.Cell, error) { return k.Interaction.Chains(k.grid()) }

// beside returns the sublayers beside one head of attention that have an effect.
func (k *Experiment) beside() setting.Sublayers {
	return k.Effective(setting.SeveralHeadsMatter(k.Law, k.Interaction))
}

// Accuracy implements run.Approximate.
func (k *Experiment) Accuracy() []data.Entry {
	cells, err := k.cells()
	if err != nil {
		return nil
	}
	return setting.AttentionSumMetadata(cells...)
}

// Columns implements run.Experiment.
func (k *Experiment) Columns() []data.Column {
	if k.threeTokens() {
		return data.ColumnsOf[Row]()
	}
	return k.ShardColumns()
}

// Run implements run.Experiment. Run writes the row of a cell as soon as all trajectories of the cell are
// complete.
func (k *Experiment) Run(ctx context.Context, options run.Options, table data.Sink) error {
	ensemble, err := outcomes.NewEnsemble[outcomes.Decision](k, k.cells, k.Trajectories, k.Depth, k.Horizon)
	if err != nil {
		return err
	}
	return outcomes.Compared[Row]{
		Ensemble: ensemble, Tolerance: k.Tolerance, NoShortcuts: k.NoShortcuts,
		Parameters: k.Parameters(), Size: "tokens", Counted: counted, Estimated: k.estimated,
	}.Run(ctx, options, data.Selecting(table, data.ColumnsOf[Row](), k.columnsOf(options)))
}

// ShardColumns implements run.Divisible.
func (*Experiment) ShardColumns() []data.Column {
	return run.Without(data.ColumnsOf[Row](), data.ColumnsOf[theory.ThreeTokens]())
}

// columnsOf returns the columns of the table of a run with the given options, which may select a shard.
func (k *Experiment) columnsOf(options run.Options) []data.Column {
	if options.Part.Of > 0 {
		return k.ShardColumns()
	}
	return k.Columns()
}

// estimated returns the row with the fractions that follow from its counts, and with the theory of three
// tokens if that is requested.
func (k *Experiment) estimated(r Row, _ theory.Point) (Row, error) {
	r = r.estimated()
	if k.threeTokens() && r.Tokens == 3 && k.Interaction.Identity() {
		cell := k.cell(int(r.Tokens), r.Beta)
		r.ThreeTokens = theory.ThreeTokensAt(cell, []float64{k.Horizon}, k.Tolerance)[0]
	}
	return r, nil
}
