// Package hybrid is the experiment on the noise-induced transition of two tokens: in the hybrid model, the
// amplitude ε of the noise decides between a single cluster and two opposite tokens.
//
//	e := hybrid.New()
//	e.Beta, e.Epsilon = []float64{1}, []float64{0.5, 1.2, 2}
//	err := e.Run(ctx, run.Options{Seed: 1}, table) // rows of type Row
package hybrid

import (
	"context"

	"antipode/data"
	"antipode/experiments/internal/outcomes"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/experiments/setting"
	"antipode/experiments/theory"
	"antipode/internal/lists"
	"antipode/overlap"
	"antipode/sde"
)

// Experiment studies the noise-induced transition of two tokens in the hybrid model (Fedorov et al., Fig. 4).
// The value matrix of the hybrid model is the identity plus a random scalar of amplitude ε. The outcomes over
// the inverse temperature β and the amplitude ε are simulated by recursion (7) and computed by the theory of
// its limit (8).
type Experiment struct {
	Beta         []float64           `json:"beta"`
	Epsilon      []float64           `json:"epsilon"`
	Attention    sde.Attention       `json:"attention"`
	Dim          int64               `json:"dim"`
	Trajectories int64               `json:"trajectories"` // per cell (β, ε)
	Depth        int64               `json:"depth"`        // number of layers per unit of time
	Horizon      float64             `json:"horizon"`      // end of trajectories, in units of time
	Tolerance    float64             `json:"tolerance"`
	Law          sde.Law             `json:"law"`          // law of the random scalar
	Interaction  setting.Interaction `json:"interaction"`  // B = QᵀK
	NoShortcuts  bool                `json:"no-shortcuts"` // no trajectory ends early
	Derivatives  bool                `json:"derivatives,omitzero"`
	MLP          setting.MLP         `json:"mlp,omitzero"`
	Arrangement  sde.Arrangement     `json:"sublayers,omitzero"` // of attention and the MLP
}

// New returns the experiment hybrid with its default parameters: a coarse grid of β and ε that shows each
// outcome on its side of the threshold, and the horizon of Fig. 4.
func New() *Experiment {
	return &Experiment{
		Beta:         setting.Steps(0, 8, 4),
		Epsilon:      setting.Steps(0, 17, 10),
		Attention:    sde.Unnormalized,
		Dim:          3,
		Trajectories: 100,
		Depth:        50,
		Horizon:      50,
		Tolerance:    1e-3,
		Law:          sde.Rademacher,
	}
}

// Paper sets the parameters of Fig. 4 of the paper. Section 6 of the paper states d = 3, depth 100, time 50
// and 1000 trajectories per cell, but neither the grid nor the law of the noise. The grid of Paper contains
// the complete threshold from β = 0 to 4, and its law is the bounded law that Lemma 3 of the paper requires.
func (h *Experiment) Paper() {
	h.Beta, h.Epsilon = setting.Steps(0, 21, 5), setting.Steps(1, 20, 10)
	h.Trajectories, h.Depth = 1000, 100
}

// Name implements run.Experiment.
func (*Experiment) Name() string { return "hybrid" }

// Help implements run.Experiment.
func (*Experiment) Help() (summary, description string) {
	return "outcomes of two tokens in the hybrid model, for each β and noise amplitude, simulated and in " +
			"theory (Fig. 4)",
		`Simulates two tokens of the hybrid recursion for each β and noise amplitude ε. The
value matrix of this recursion is the identity plus a random scalar. The tokens start independent
and uniform on the sphere. The table also has the theoretical probability of both outcomes, at the
horizon and after infinite time. With unnormalized attention the threshold ε² = 2e^-β separates the
two outcomes. With softmax there are two thresholds, and both outcomes are possible between them.
The recursion is close to its limit if the depth is much larger than (ε e^β)².

Example: antipode hybrid --attention softmax --beta 1 --epsilon 1:1.5:0.05 --depth 100 --trajectories 1000`
}

// Parameters implements run.Experiment.
func (h *Experiment) Parameters() []parameter.Parameter {
	return append([]parameter.Parameter{
		setting.BetasParameter(&h.Beta),
		{Name: "epsilon", Meaning: "noise amplitudes ε",
			Value: parameter.Reals(&h.Epsilon, parameter.Range{Low: 0, High: overlap.MaxEpsilon})},
		setting.AttentionParameter(&h.Attention),
		setting.DimParameter(&h.Dim),
		setting.TrajectoriesParameter(&h.Trajectories, "cell (β, ε)"),
		setting.DepthParameter(&h.Depth),
		setting.HorizonParameter(&h.Horizon),
		setting.ToleranceParameter(&h.Tolerance),
		{Name: "law", Meaning: "law of the random scalar in each layer",
			Value: parameter.Named{Field: &h.Law, Names: sde.LawNames}},
		setting.InteractionParameter(&h.Interaction),
		h.beside().NoShortcutsParameter(&h.NoShortcuts,
			"simulate every trajectory to the horizon, even if its outcome is already decided"),
		h.derivatives(),
	}, setting.MLPParameters(&h.MLP, &h.Arrangement)...)
}

// beside returns the MLP beside attention, and its arrangement if that has an effect.
func (h *Experiment) beside() setting.Sublayers {
	return setting.Sublayers{MLP: h.MLP, Arrangement: h.Arrangement}.Effective(false)
}

// Validate implements run.Experiment.
func (h *Experiment) Validate() error {
	return parameter.FirstError(
		func() error { return parameter.Check(h.Parameters()) },
		func() error {
			return setting.CheckCells("epsilon", len(h.Epsilon), setting.Axis{Count: len(h.Beta), Many: "β"})
		},
		func() error { return setting.CheckHorizon(h.Depth, h.Horizon) },
		func() error { return setting.CheckClock(h.Attention, h.Beta) },
		func() error { return h.beside().Check(h.grid()) },
		func() error { return h.Interaction.Check(h.grid()) },
	)
}

// grid returns the cells of the grid, ordered by β and then by ε, without an interaction matrix.
func (h *Experiment) grid() []sde.Cell { return lists.Grid(h.Beta, h.Epsilon, h.cell) }

// cells returns the cells of the grid with the interaction matrix B. A cell in which the overlap of the two
// tokens is a Markov chain is simulated as a chain.
func (h *Experiment) cells() ([]sde.Cell, error) { return h.Interaction.Chains(h.grid()) }

func (h *Experiment) cell(beta, epsilon float64) sde.Cell {
	return h.beside().With(sde.Cell{
		Model:     sde.Hybrid{Law: h.Law, Epsilon: epsilon},
		Attention: h.Attention,
		Tokens:    2, Dim: int(h.Dim), Beta: beta, Depth: int(h.Depth),
		Start: sde.UniformStart{},
	})
}

// Columns implements run.Experiment. The columns are those of DerivedRow. The columns that only BlockRow has
// are left out without an MLP, and the columns of derivatives are left out unless they are requested.
func (h *Experiment) Columns() []data.Column {
	return outcomes.ColumnsOf[Row, BlockRow, DerivedRow](!h.beside().None(), h.showsDerivatives())
}

// Run implements run.Experiment. Run writes the row of a cell as soon as all trajectories of the cell are
// complete.
func (h *Experiment) Run(ctx context.Context, options run.Options, table data.Sink) error {
	ensemble, err := outcomes.NewEnsemble[outcomes.Decision](h, h.cells, h.Trajectories, h.Depth, h.Horizon)
	if err != nil {
		return err
	}
	job := outcomes.Compared[DerivedRow]{
		Ensemble: ensemble, Tolerance: h.Tolerance, NoShortcuts: h.NoShortcuts,
		Parameters: h.Parameters(), Size: "dim", Horizon: h.Horizon, Counted: counted,
		Estimated: func(r DerivedRow, of theory.Point) (_ DerivedRow, err error) {
			if h.showsDerivatives() {
				err = h.setDerivatives(ctx, options, &r, of.Derivatives)
			}
			return r.estimated(of), err
		},
	}
	if h.showsDerivatives() {
		job.By = []overlap.Parameter{overlap.ByBeta, overlap.ByEpsilon}
	}
	return job.Run(ctx, options, data.Selecting(table, data.ColumnsOf[DerivedRow](), h.Columns()))
}

// hasTheory reports whether the theory of two tokens applies to the cells: the interaction matrix B must be
// the identity.
func (h *Experiment) hasTheory() bool { return h.Interaction.Identity() }

// ShardColumns implements run.Divisible.
func (h *Experiment) ShardColumns() []data.Column { return h.Columns() }
