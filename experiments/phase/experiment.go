// Package phase is the experiment on the phase transition of two tokens: below a critical inverse temperature
// β they end in one cluster, and above it also at opposite points.
//
//	e := phase.New()
//	e.Dim, e.Beta = []int{4}, []float64{0.3, 1.5}
//	err := e.Run(ctx, run.Options{Seed: 1}, table) // rows of type Row
package phase

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
	"antipode/sphere/invariant"
)

// Experiment studies the phase transition of two tokens (Fedorov et al., Fig. 3). The probability of the
// antipodal outcome, as a function of the dimension d and the inverse temperature β, is simulated by
// recursion (4). At infinite depth the probability is computed from the scale function of the limiting
// diffusion.
type Experiment struct {
	Dim          []int                `json:"dim"`
	Beta         []float64            `json:"beta"`
	Attention    sde.Attention        `json:"attention"`
	Interaction  setting.Interaction  `json:"interaction"`  // "identity", "resampled:S" or "resampled:S:K"
	Trajectories int64                `json:"trajectories"` // per cell (d, β)
	Depth        int64                `json:"depth"`        // number of layers per unit of time
	Horizon      float64              `json:"horizon"`      // end of trajectories, in units of time
	Tolerance    float64              `json:"tolerance"`
	Law          sde.Law              `json:"law"`
	Covariance   invariant.Covariance `json:"covariance"`
	Method       sde.Method           `json:"method"`       // the chain needs Gaussian matrices
	NoShortcuts  bool                 `json:"no-shortcuts"` // no trajectory ends early
	Sigma        float64              `json:"sigma"`        // standard deviation of value matrix entries
	Derivatives  bool                 `json:"derivatives,omitzero"`
	setting.Sublayers
}

// New returns the experiment phase with its default parameters. The default grid is smaller than that of Fig.
// 3, has cells on both sides of the boundary and shows the agreement with the theory.
func New() *Experiment {
	return &Experiment{
		Dim:          []int{3, 4, 5, 6, 8},
		Beta:         setting.Steps(0, 21, 10),
		Attention:    sde.Softmax,
		Trajectories: 2000,
		Depth:        40,
		Horizon:      25,
		Tolerance:    1e-3,
		Law:          sde.Gaussian,
		Covariance:   invariant.Ginibre,
		Sigma:        1,
		Method:       sde.Chain,
	}
}

// Paper sets the parameters of Fig. 3 of the paper. The grid of β is read off the figure. The depth is 100,
// as in the caption; the 50,000 in the text of the paper is the number of layers up to time 500.
func (p *Experiment) Paper() {
	p.Dim = []int{4, 5, 6, 7, 8, 9, 10}
	p.Beta = make([]float64, 31)
	for k := range p.Beta {
		p.Beta[k] = float64(k) / 10
	}
	p.Trajectories, p.Depth, p.Horizon = 40_000, 100, 500
}

// Name implements run.Experiment.
func (*Experiment) Name() string { return "phase" }

// Help implements run.Experiment.
func (*Experiment) Help() (summary, description string) {
	return "how often two tokens end at opposite points, for each dimension and β, simulated and in " +
			"theory (Fig. 3)",
		`Simulates two tokens of the normalised Transformer recursion for each dimension and β, and
counts how many pairs end as two opposite clusters. The tokens start independent and uniform on the
sphere. The table also has the theoretical probability of two opposite clusters: in the limit of
infinite depth and time, at the horizon, and at the horizon and depth of the simulation. Writes a
table and a figure, and prints what they show.

Example: antipode phase --dim 4 --beta 0.3,1.5 --trajectories 4000 --depth 100 --horizon 50`
}

// Parameters implements run.Experiment.
func (p *Experiment) Parameters() []parameter.Parameter {
	parameters := []parameter.Parameter{
		setting.DimsParameter(&p.Dim),
		setting.BetasParameter(&p.Beta),
		setting.AttentionParameter(&p.Attention),
		setting.TrajectoriesParameter(&p.Trajectories, "cell (d, β)"),
		setting.DepthParameter(&p.Depth),
		setting.HorizonParameter(&p.Horizon),
		setting.ToleranceParameter(&p.Tolerance),
		{Name: "law", Meaning: "law of the entries of a value matrix",
			Value: parameter.Named{Field: &p.Law, Names: sde.LawNames}, Then: p.setMethod},
		setting.CovarianceParameter(&p.Covariance),
		setting.SigmaParameter(&p.Sigma),
		p.interaction(),
		{Name: "method", Meaning: "what is simulated: the tokens, or the exact Markov chain of their " +
			"overlap; the chain requires gaussian value matrices and the interaction identity, or " +
			"resampled:S with one head of softmax attention, and is then the default",
			Value: parameter.Named{Field: &p.Method, Names: sde.MethodNames}},
		p.beside().NoShortcutsParameter(&p.NoShortcuts,
			"simulate every trajectory to the horizon, even if its outcome is already decided; by "+
				"default a trajectory of the chain ends when it is decided, if the trajectories of its "+
				"point have ten million layers or more in total"),
		p.derivatives(),
	}
	return append(parameters, p.sublayers()...)
}

// sublayers returns the parameters of the MLP, of the heads and of the drift. Setting an MLP of finite width
// also sets the method to tokens, because the chain has an infinitely wide MLP.
func (p *Experiment) sublayers() []parameter.Parameter {
	all := p.Sublayers.Parameters(setting.SeveralHeadsMatter(p.Law, p.Interaction))
	for k := range all {
		switch all[k].Name {
		case "mlp":
			all[k].Then = func() {
				if p.MLP.Width > 0 {
					p.Method = sde.Tokens
				}
			}
		case "heads":
			all[k].Then = p.avoidChain
		}
	}
	return all
}

// interaction returns the parameter of the interaction matrix B. Setting a B that is not the identity also
// sets the method to tokens. The parameter of B is set after the parameter of the law, which also sets the
// method.
func (p *Experiment) interaction() parameter.Parameter {
	b := setting.InteractionParameter(&p.Interaction)
	b.Then = p.avoidChain
	return b
}

// avoidChain sets the method to tokens unless the overlap is a Markov chain.
func (p *Experiment) avoidChain() {
	if !p.hasChain() {
		p.Method = sde.Tokens
	}
}

// hasChain reports whether the overlap of two tokens is a Markov chain under Gaussian value matrices. The
// overlap is a Markov chain without random queries and keys, and also with one head of softmax attention and
// random queries and keys of infinitely many dimensions.
func (p *Experiment) hasChain() bool {
	return p.Interaction.Identity() || p.hasTheory() && p.Attention == sde.Softmax && p.Heads <= 1
}

// setMethod sets the default method for the law of value matrices: the chain for Gaussian matrices, for which
// the chain is exact, and tokens for other laws.
func (p *Experiment) setMethod() {
	p.Method = sde.Tokens
	if p.Law == sde.Gaussian {
		p.Method = sde.Chain
	}
}

// Validate implements run.Experiment.
func (p *Experiment) Validate() error {
	return parameter.FirstError(
		func() error { return setting.Check(p.Parameters(), p.Dim, p.Beta) },
		func() error { return setting.CheckHorizon(p.Depth, p.Horizon) },
		func() error { return setting.CheckCovariance(p.Covariance, p.Dim, p.Law) },
		p.checkMethod,
		p.checkTheory,
		func() error { return setting.CheckClock(p.Attention, p.Beta) },
		p.checkChain,
		func() error { return p.beside().Check(p.grid()) },
		func() error { return p.Interaction.Check(p.grid()) },
	)
}

// checkMethod returns an error if the method is the chain although the overlap of two tokens is not a Markov
// chain.
func (p *Experiment) checkMethod() error {
	switch {
	case p.Method != sde.Chain:
		return nil
	case p.Law != sde.Gaussian:
		return parameter.Errorf("method", p.Method.String(), "the chain is exact for the gaussian law "+
			"alone; must be tokens with law %s", p.Law.String())
	case !p.hasChain():
		return parameter.Errorf("method", p.Method.String(), "the chain is exact for the interaction "+
			"identity alone, and with one head of softmax for resampled:S; must be tokens with others")
	}
	return nil
}

// checkChain returns an error for a β that is too large for the chain of unnormalised attention.
func (p *Experiment) checkChain() error {
	for _, c := range p.grid() {
		if largest := c.LargestBeta(); p.Method == sde.Chain && c.Beta > largest {
			return parameter.Errorf("beta", c.Beta, "must be at most %.6g for the chain of unnormalized "+
				"attention, or use method tokens", largest)
		}
	}
	return nil
}

// checkTheory returns an error for a covariance of value matrices with which the overlap has too little noise
// for the theory.
func (p *Experiment) checkTheory() error {
	for _, d := range p.Dim {
		if _, err := overlap.NewIsotropic(d, 1, theory.Attention(p.Attention), 1, p.Covariance, 1,
			1); err != nil {
			return setting.RefusedCovariance(p.Covariance, theory.Problem(err))
		}
	}
	return nil
}

// grid returns the cells of the grid, ordered by dimension and then by β, without an interaction matrix.
func (p *Experiment) grid() []sde.Cell { return lists.Grid(p.Dim, p.Beta, p.cell) }

// cells returns the cells of the grid with the interaction matrix B.
func (p *Experiment) cells() ([]sde.Cell, error) {
	cells := p.grid()
	return cells, p.Interaction.Of(cells)
}

func (p *Experiment) cell(d int, beta float64) sde.Cell {
	return p.beside().With(sde.Cell{
		Model:     sde.Transformer{Law: p.Law, Sigma: p.Sigma, Covariance: p.Covariance},
		Method:    p.Method,
		Attention: p.Attention,
		Tokens:    2, Dim: d, Beta: beta, Depth: int(p.Depth),
		Resampling: p.Interaction.Resampling(),
		Start:      sde.UniformStart{},
	})
}

// beside returns the sublayers beside one head of attention that have an effect.
func (p *Experiment) beside() setting.Sublayers {
	return p.Effective(setting.SeveralHeadsMatter(p.Law, p.Interaction))
}

// Columns implements run.Experiment. The columns are those of DerivedRow. The columns that only BlockRow has
// are left out if a layer has only attention, and the columns of derivatives are left out unless they are
// requested.
func (p *Experiment) Columns() []data.Column {
	return outcomes.ColumnsOf[Row, BlockRow, DerivedRow](!p.beside().None(), p.showsDerivatives())
}

// Run implements run.Experiment. Run writes the row of a cell as soon as all trajectories of the cell are
// complete.
func (p *Experiment) Run(ctx context.Context, options run.Options, table data.Sink) error {
	ensemble, err := outcomes.NewEnsemble[outcomes.Decision](p, p.cells, p.Trajectories, p.Depth, p.Horizon)
	if err != nil {
		return err
	}
	criticals := &criticals{p: p, ctx: ctx, options: options, known: map[int]critical{}}
	job := outcomes.Compared[DerivedRow]{
		Ensemble: ensemble, Tolerance: p.Tolerance, NoShortcuts: p.NoShortcuts,
		Parameters: p.Parameters(), Size: "dim", Horizon: p.Horizon, Counted: counted,
		Estimated: func(r DerivedRow, of theory.Point) (DerivedRow, error) {
			at, err := criticals.of(int(r.Dim))
			r.Critical, r.CriticalLow, r.CriticalHigh = at.Beta, at.Low, at.High
			if err == nil && p.showsDerivatives() {
				err = p.setDerivatives(ctx, options, &r, of.Derivatives)
			}
			return r.estimated(of), err
		},
	}
	if p.showsDerivatives() {
		job.By = []overlap.Parameter{overlap.ByBeta, overlap.BySigma}
	}
	return job.Run(ctx, options, data.Selecting(table, data.ColumnsOf[DerivedRow](), p.Columns()))
}

// ShardColumns implements run.Divisible.
func (p *Experiment) ShardColumns() []data.Column { return p.Columns() }

// hasTheory reports whether the theory of two tokens applies to the cells of the experiment.
func (p *Experiment) hasTheory() bool { return p.Interaction.HasTheory() }
