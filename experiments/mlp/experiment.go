// Package mlp is the experiment on two tokens under attention and an MLP: how the MLP changes their outcomes.
//
//	e := mlp.New()
//	e.Dim, e.Strength = []int{8}, []float64{0, 1, 2}
//	err := e.Run(ctx, run.Options{Seed: 1}, table) // rows of type Row
package mlp

import (
	"context"
	"slices"

	"antipode/data"
	"antipode/experiments/internal/outcomes"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/experiments/setting"
	"antipode/experiments/theory"
	"antipode/overlap"
	"antipode/sde"
	"antipode/sphere/activation"
)

// Experiment studies two tokens of a transformer whose layers have an infinitely wide MLP beside attention,
// with new weights in each layer. Experiment simulates the Markov chain of the overlap for a grid of inverse
// temperatures β and strengths c of the MLP, and counts the outcomes. Experiment also computes the boundaries
// at which outcomes begin to be attracting at infinite depth.
type Experiment struct {
	Activation   []activation.Activation `json:"activation"`
	Dim          []int                   `json:"dim"`
	Beta         []float64               `json:"beta"`
	Strength     []float64               `json:"strength"`     // strengths c of the MLP
	Variance     float64                 `json:"variance"`     // variance w of the pre-activations
	Trajectories int64                   `json:"trajectories"` // trajectories per cell
	Depth        int64                   `json:"depth"`        // number of layers per unit of time
	Horizon      float64                 `json:"horizon"`      // end of trajectories, in units of time
	Tolerance    float64                 `json:"tolerance"`
	// NoShortcuts says that no trajectory ends before the horizon.
	NoShortcuts bool `json:"no-shortcuts"`
}

// New returns the experiment mlp with its default parameters: a coarse grid that shows all effects of an MLP.
func New() *Experiment {
	return &Experiment{
		Activation:   []activation.Activation{activation.Linear, activation.Tanh, activation.ReLU},
		Dim:          []int{4, 8, 16},
		Beta:         setting.Steps(0, 7, 2),
		Strength:     setting.Steps(0, 7, 2),
		Variance:     1,
		Trajectories: 100,
		Depth:        50,
		Horizon:      15,
		Tolerance:    1e-3,
	}
}

// Name implements run.Experiment.
func (*Experiment) Name() string { return "mlp" }

// Help implements run.Experiment.
func (*Experiment) Help() (summary, description string) {
	return "outcomes of two tokens with an MLP beside attention, for each activation, β and strength of " +
			"the MLP",
		`Simulates two tokens of a Transformer that start independent and uniform on the sphere.
Each layer has an MLP of infinite width beside attention, with new random weights. A row of the
table is an activation, a dimension, a β and a strength c of the MLP; the pre-activations have
variance w. The row has the outcomes, their probabilities in the limit of infinite depth and
horizon, and the strengths at which each outcome attracts.

Example: antipode mlp --activation tanh,gelu --dim 8 --variance 9 --strength 0:4:0.5`
}

// Parameters implements run.Experiment.
func (m *Experiment) Parameters() []parameter.Parameter {
	return []parameter.Parameter{
		{Name: "activation", Meaning: "activations of the MLP",
			Value: parameter.NamedList(&m.Activation, activation.Names)},
		setting.DimsParameter(&m.Dim),
		setting.BetasParameter(&m.Beta),
		{Name: "strength", Meaning: "strengths c of the MLP: the variance that it adds to each coordinate",
			Value: parameter.Reals(&m.Strength, parameter.Range{Low: 0, High: overlap.MaxStrength})},
		{Name: "variance", Meaning: "variance w of the MLP's pre-activations; 1 by default, as in " +
			"--mlp ACTIVATION:c",
			Value: parameter.Real(&m.Variance,
				parameter.Range{Low: activation.LeastVariance, High: activation.LargestVariance})},
		setting.TrajectoriesParameter(&m.Trajectories, "cell"),
		setting.DepthParameter(&m.Depth),
		setting.HorizonParameter(&m.Horizon),
		setting.ToleranceParameter(&m.Tolerance),
		{Name: "no-shortcuts",
			Meaning: "simulate every trajectory to the horizon, even if its outcome is already decided; " +
				"by default a trajectory ends when it is decided, if the trajectories of its point have " +
				"ten million layers or more in total",
			Value: parameter.Switch{On: &m.NoShortcuts},
			Inapplicable: parameter.Unless(slices.Contains(m.Strength, 0), "beside an MLP every trajectory "+
				"goes on to the horizon; must be left out without a strength of 0")},
	}
}

// Validate implements run.Experiment.
func (m *Experiment) Validate() error {
	if err := parameter.Check(m.Parameters()); err != nil {
		return err
	}
	if err := setting.CheckCells("strength", len(m.Strength), setting.Axis{Count: len(m.Beta), Many: "β"},
		setting.Axis{Count: len(m.Dim), Many: "dimensions"},
		setting.Axis{Count: len(m.Activation), Many: "activations"}); err != nil {
		return err
	}
	return setting.CheckHorizon(m.Depth, m.Horizon)
}

// cells returns the cells of the grid, ordered by activation function, dimension, β and strength.
func (m *Experiment) cells() (cells []sde.Cell) {
	for _, a := range m.Activation {
		for _, d := range m.Dim {
			for _, beta := range m.Beta {
				for _, c := range m.Strength {
					cells = append(cells, m.cell(a, d, beta, c))
				}
			}
		}
	}
	return cells
}

func (m *Experiment) cell(a activation.Activation, d int, beta, strength float64) sde.Cell {
	return sde.Cell{
		Model: sde.Transformer{Sigma: 1}, Method: sde.Chain, Tokens: 2, Dim: d, Beta: beta,
		Depth: int(m.Depth), Start: sde.UniformStart{},
		MLP: sde.MLP{Activation: a, Strength: strength, Variance: m.Variance},
	}
}

// Columns implements run.Experiment.
func (*Experiment) Columns() []data.Column { return data.ColumnsOf[Row]() }

// Run implements run.Experiment. Run writes the row of a cell as soon as all trajectories of the cell are
// complete.
func (m *Experiment) Run(ctx context.Context, options run.Options, table data.Sink) error {
	cells := func() ([]sde.Cell, error) { return m.cells(), nil }
	ensemble, err := outcomes.NewEnsemble[outcomes.Decision](m, cells, m.Trajectories, m.Depth, m.Horizon)
	if err != nil {
		return err
	}
	return outcomes.Compared[Row]{
		Ensemble: ensemble, Tolerance: m.Tolerance, NoShortcuts: m.NoShortcuts,
		Parameters: m.Parameters(), Size: "dim",
		Counted:   counted,
		Estimated: func(r Row, _ theory.Point) (Row, error) { return estimated(r), nil },
	}.Run(ctx, options, table)
}

// ShardColumns implements run.Divisible.
func (m *Experiment) ShardColumns() []data.Column { return m.Columns() }
