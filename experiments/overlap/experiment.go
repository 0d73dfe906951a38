// Package overlap is the experiment on the theory of the overlap of two tokens or two clusters, without any
// simulation.
//
//	e := overlap.New()
//	e.Dim, e.Beta = []int{4, 8}, []float64{0.5, 1, 2}
//	err := e.Run(ctx, run.Options{Seed: 1}, table) // rows of type Row
package overlap

import (
	"context"
	"slices"

	"antipode/data"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/experiments/setting"
	"antipode/experiments/theory"
	"antipode/overlap"
	"antipode/sde"
	"antipode/sphere/invariant"
)

// Experiment is the theory of the overlap of two tokens, or of two clusters, without any simulation (Fedorov
// et al., Theorem 2 and Proposition 1). The theory says whether the overlaps -1 and 1 are attracting, with
// what probability the overlap converges to -1 and to 1, and how long this takes.
type Experiment struct {
	Dim         []int                `json:"dim"`
	Beta        []float64            `json:"beta"`
	Attention   sde.Attention        `json:"attention"`
	Interaction setting.Interaction  `json:"interaction"` // "identity" or "resampled:S"
	Masses      [2]float64           `json:"masses"`      // tokens of the two clusters
	Epsilon     Noises               `json:"epsilon"`     // of the hybrid; nil for random value matrices
	Covariance  invariant.Covariance `json:"covariance"`  // covariance of the entries of value matrices
	Z0          *float64             `json:"z0"`          // overlap at time 0; nil for uniform tokens
	Depth       *int64               `json:"depth"`       // layers per unit of time; nil for infinite depth
	Horizon     *float64             `json:"horizon"`     // units of time; nil for infinity
	Tolerance   float64              `json:"tolerance"`
	Law         sde.Law              `json:"law"`      // law of the hybrid's random scalar, at a finite depth
	Boundary    bool                 `json:"boundary"` // shows where overlap -1 is attracting
	Derivatives bool                 `json:"derivatives,omitzero"`
	Certify     bool                 `json:"certify,omitzero"`
	Tokens      int64                `json:"tokens,omitzero"` // 3 adds three tokens to two; 0 or 2 does not
	setting.Sublayers
}

// New returns the experiment overlap with its default parameters: a cell in which both outcomes have a
// positive probability.
func New() *Experiment {
	return &Experiment{
		Dim: []int{4}, Beta: []float64{1}, Attention: sde.Softmax,
		Masses: [2]float64{1, 1}, Covariance: invariant.Ginibre, Tolerance: 1e-3, Law: sde.Rademacher,
	}
}

// Name implements run.Experiment.
func (*Experiment) Name() string { return "overlap" }

// Help implements run.Experiment.
func (*Experiment) Help() (summary, description string) {
	return "theory of two clusters: which outcomes attract, their probabilities, and lifetimes",
		`Prints the theory of the overlap of two tokens or of two clusters. The report says which
ends of the interval attract and why. The report and the table have the probability of each outcome:
in the limit from the scale function, at a horizon from the Fokker-Planck equation, and exactly at a
depth and a horizon. They also have the critical β, and how long unequal clusters stay antipodal.
Nothing is simulated, so --seed and --workers change nothing. --json prints an object for one point
and a list of objects for a grid; null means that a value was not asked for or is not defined. --out
writes the table as well.

Examples: antipode overlap --dim 8 --beta 3 --json
          antipode overlap --masses 1,2 --beta 2.5
          antipode overlap --dim 3 --epsilon 1.2 --horizon 50
          antipode overlap --dim 10 --beta 2 --depth 40 --horizon 30
          antipode overlap --boundary --mlp tanh:0.5:4
          antipode overlap --dim 5 --beta 1.5 --derivatives --certify
          antipode overlap --tokens 3 --horizon 20 --beta 2`
}

// Parameters implements run.Experiment.
func (o *Experiment) Parameters() []parameter.Parameter {
	return append([]parameter.Parameter{
		o.boundary(),
		setting.DimsParameter(&o.Dim),
		setting.BetasParameter(&o.Beta),
		setting.AttentionParameter(&o.Attention),
		o.interaction(),
		{Name: "masses", Meaning: "numbers m1,m2 of tokens in the two clusters",
			Value: masses{&o.Masses, parameter.Range{Low: 1, High: overlap.MaxMass}}},
		{Name: "epsilon", Meaning: "noise amplitudes ε of the hybrid model; none for the model with " +
			"random value matrices",
			Value: parameter.OptionalReals((*[]float64)(&o.Epsilon), "none",
				parameter.Range{Low: 0, High: overlap.MaxEpsilon})},
		o.covariance(),
		{Name: "z0", Meaning: "overlap at time 0; uniform for independent uniform tokens",
			Value: parameter.OptionalReal(&o.Z0, setting.UniformStart, parameter.Range{Low: -1, High: 1})},
		{Name: "depth", Meaning: "depth L at which the boundary, the Lyapunov exponent and the law at " +
			"the horizon are computed; none for the limit of infinite depth",
			Unit:  "layers per unit of time",
			Value: parameter.OptionalWhole(&o.Depth, "none", parameter.Range{Low: 1, High: 1e6}),
			Inapplicable: parameter.Unless(o.hasExponents() || o.Horizon != nil && o.paperNoise(),
				o.noDepth())},
		{Name: "horizon", Meaning: "horizon T at which probabilities are also computed; none for only " +
			"the limit of infinite time",
			Unit: "units of time",
			Value: parameter.OptionalReal(&o.Horizon, "none",
				parameter.Range{Low: 0, High: 1e6, Open: true})},
		{Name: "tolerance", Meaning: "tolerance τ of the outcomes at the horizon: an overlap within τ " +
			"of ±1 counts as ±1",
			Value: parameter.Real(&o.Tolerance, parameter.Range{Low: 1e-12, High: 0.5}),
			Inapplicable: parameter.Unless(o.Horizon != nil,
				"there is no horizon; must be left out without --horizon")},
		{Name: "law", Meaning: "law of the random scalar in each layer of the hybrid model, at a " +
			"finite depth",
			Value: parameter.Named{Field: &o.Law, Names: sde.LawNames},
			Inapplicable: parameter.Unless(o.Epsilon != nil && o.atDepth(),
				"this law is that of the hybrid model at a depth; "+
					"must be left out without --epsilon, --depth and --horizon")},
		o.derivatives(),
		o.certify(),
		o.tokens(),
	}, o.sublayers()...)
}

// sublayers returns the parameters of the sublayers beside one head of attention.
func (o *Experiment) sublayers() []parameter.Parameter {
	all := o.Sublayers.Parameters(false)
	for k := range all {
		switch all[k].Name {
		case "heads":
			all[k].Inapplicable = "neither the limit nor any law at a depth that is known depends on the " +
				"number of heads; must be left out"
		case "drift":
			all[k].Inapplicable = parameter.Unless(o.Epsilon == nil,
				"the drift is the mean of value matrices; must be left out beside --epsilon")
		case "sublayers":
			all[k].Inapplicable = parameter.Unless(o.MLP != setting.MLP{} && o.atDepth() && o.paperNoise(),
				"the order of sublayers drops out of the limit; must be left out without --mlp and the "+
					"exact law at --depth and --horizon")
		}
	}
	return all
}

// hasExponents reports whether the boundary of attraction and the Lyapunov exponent at a finite depth are
// known.
func (o *Experiment) hasExponents() bool {
	return o.Epsilon == nil && o.equalMasses() && o.beside().None()
}

// paperNoise reports whether the exact law at a depth can be computed for the noise of the model. The exact
// law can be computed for the hybrid model. For random value matrices the exact law can be computed if the
// scores have no random part and the entries of value matrices are independent; for unequal clusters the
// entries must have mean 0. An MLP is allowed.
func (o *Experiment) paperNoise() bool {
	if o.Epsilon != nil {
		return true
	}
	_, independent := o.Covariance.Independent()
	return independent && !o.resampled() && (o.beside().Drift == 0 || o.equalMasses())
}

// noDepth returns why a depth is refused if neither the boundary and the exponent nor the law at a depth are
// known.
func (o *Experiment) noDepth() string {
	if o.Horizon == nil {
		return "must be left out beside --epsilon, --mlp, --drift and unequal masses without --horizon"
	}
	if _, independent := o.Covariance.Independent(); independent && !o.resampled() {
		return "must be left out beside --drift and unequal masses"
	}
	return "must be left out beside --mlp, --drift and unequal masses if entries of value matrices are " +
		"dependent or scores are random"
}

// atDepth reports whether the exact law at a depth and a horizon is requested.
func (o *Experiment) atDepth() bool { return o.Depth != nil && o.Horizon != nil }

// resampled reports whether attention scores have a random part.
func (o *Experiment) resampled() bool { return !o.Interaction.Identity() }

func (o *Experiment) interaction() parameter.Parameter {
	return setting.TheoryInteractionParameter(&o.Interaction).Where(o.Epsilon == nil,
		"the theory of the hybrid model has none; must be left out beside --epsilon")
}

func (o *Experiment) covariance() parameter.Parameter {
	return setting.CovarianceParameter(&o.Covariance).Where(o.Epsilon == nil,
		"the hybrid model has no value matrices; must be left out beside --epsilon")
}

func (o *Experiment) equalMasses() bool { return o.Masses[0] == o.Masses[1] }

// Validate implements run.Experiment.
func (o *Experiment) Validate() error {
	if err := setting.Check(o.Parameters(), o.Dim, o.Beta); err != nil {
		return err
	}
	if err := setting.CheckCells("epsilon", len(o.noises()), setting.Axis{Count: len(o.Beta), Many: "β"},
		setting.Axis{Count: len(o.Dim), Many: "dimensions"}); err != nil {
		return err
	}
	if o.Epsilon != nil && !o.equalMasses() {
		return parameter.Errorf("masses", parameter.FormatList(o.Masses[:]), "must be equal in the hybrid "+
			"model")
	}
	if o.resampled() && !o.equalMasses() {
		return parameter.Errorf("masses", parameter.FormatList(o.Masses[:]), "must be equal with random "+
			"queries and keys")
	}
	if o.Epsilon == nil {
		if err := o.checkCovariance(); err != nil {
			return err
		}
	}
	if o.atDepth() {
		if _, err := setting.Layers(*o.Depth, *o.Horizon); err != nil {
			return err
		}
	}
	if o.Depth == nil && o.Horizon == nil && o.equalMasses() {
		return nil
	}
	return setting.CheckClock(o.Attention, o.Beta)
}

// checkCovariance returns an error for a covariance of value matrices that no random matrix has, or with
// which the noise of the overlap is too small for the theory.
func (o *Experiment) checkCovariance() error {
	if err := setting.CheckCovariance(o.Covariance, o.Dim, sde.Gaussian); err != nil {
		return err
	}
	if o.turns() && !o.equalMasses() {
		return parameter.Errorf("masses", parameter.FormatList(o.Masses[:]), "must be equal with "+
			"antisymmetric value matrices")
	}
	if _, err := o.diffusionAt(slices.Max(o.Dim), 1); err != nil {
		return setting.RefusedCovariance(o.Covariance, theory.Problem(err))
	}
	return nil
}

// beside returns the sublayers beside one head of attention that have an effect. At infinite depth the number
// of heads has no effect, and the hybrid has no drift.
func (o *Experiment) beside() setting.Sublayers {
	s := o.Effective(false)
	if o.Epsilon != nil {
		s.Drift = 0
	}
	if !o.atDepth() {
		s.Arrangement = sde.Together
	}
	return s
}

// Run implements run.Experiment. Run uses neither the seed nor the number of workers of the options.
func (o *Experiment) Run(ctx context.Context, options run.Options, table data.Sink) error {
	if err := o.Validate(); err != nil {
		return err
	}
	dims, betas := o.grid()
	state := run.State{Total: int64(len(dims) * len(betas) * len(o.noises()))}
	for _, d := range dims {
		critical, err := o.criticalAtDepth(d)
		if err != nil {
			return err
		}
		proof, err := o.depthCertificate(d)
		if err != nil {
			return err
		}
		critical = proof.bounded(critical)
		for _, beta := range betas {
			for _, epsilon := range o.noises() {
				if err := ctx.Err(); err != nil {
					return err
				}
				row, err := o.at(epsilon).row(d, beta)
				if err != nil {
					return err
				}
				row.Epsilon, row.BetaCDepth, row.DepthCertificate = epsilon, critical, proof
				if err := o.write(table, row); err != nil {
					return err
				}
				state.Done++
				options.Report(state)
			}
		}
	}
	return nil
}

// write writes a row with the columns that the table of the experiment has.
func (o *Experiment) write(table data.Sink, row fullRow) error {
	if o.showsBlockBoundary() {
		row.BoundaryRow = o.boundaryRow(row.BlockRow)
	}
	return writeRows(table, o.Columns(), row)
}
