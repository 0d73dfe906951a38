package hybrid

import (
	"context"
	"errors"

	"antipode/data"
	"antipode/experiments/internal/outcomes"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/experiments/setting"
	"antipode/experiments/theory"
	"antipode/sde/response"
)

// DerivedRow is a row of the table with all columns: those of BlockRow, and those of the derivatives with
// respect to β and ε.
type DerivedRow struct {
	BlockRow
	ByBeta    outcomes.Derivatives `column:"beta" meaning:"β"`
	ByEpsilon outcomes.Derivatives `column:"epsilon" meaning:"the noise amplitude ε"`
	Simulated
}

// Simulated holds the simulated derivatives of the antipodal probability with respect to β and ε.
type Simulated struct {
	_               struct{} `meaning:"derivative of the antipodal probability at this depth and horizon"`
	_               struct{} `meaning:"with respect to β, from simulated random scalars and the starting"`
	_               struct{} `meaning:"overlap that divides their outcomes; null where a layer may reverse"`
	_               struct{} `meaning:"the order of overlaps, and where fewer than 20 trajectories are"`
	_               struct{} `meaning:"antipodal or fewer than 20 are not"`
	ByBeta          float64  `column:"dp_dbeta_simulated,nullable"`
	_               struct{} `meaning:"standard error of dp_dbeta_simulated"`
	ByBetaStderr    float64  `column:"dp_dbeta_stderr,nullable"`
	_               struct{} `meaning:"derivative of the antipodal probability at this depth and horizon"`
	_               struct{} `meaning:"with respect to the noise amplitude ε, from simulated random scalars"`
	_               struct{} `meaning:"and the starting overlap that divides their outcomes; null where"`
	_               struct{} `meaning:"dp_dbeta_simulated is"`
	ByEpsilon       float64  `column:"dp_depsilon_simulated,nullable"`
	_               struct{} `meaning:"standard error of dp_depsilon_simulated"`
	ByEpsilonStderr float64  `column:"dp_depsilon_stderr,nullable"`
}

// derivatives returns the parameter that adds the columns of derivatives to the table.
func (h *Experiment) derivatives() parameter.Parameter {
	return parameter.Parameter{Name: "derivatives",
		Meaning: "adds the derivatives of the antipodal probability with respect to β and ε, from " +
			"theory and from simulation, with its standard error",
		Value: parameter.Switch{On: &h.Derivatives},
		Inapplicable: parameter.Unless(h.differentiable(), "derivatives are not known with another "+
			"interaction than the identity, nor beside an MLP; must be left out beside them")}
}

// differentiable reports whether the derivatives of the antipodal probability are available with the present
// parameters.
func (h *Experiment) differentiable() bool { return h.hasTheory() && h.beside().None() }

// showsDerivatives reports whether the derivatives are both requested and available.
func (h *Experiment) showsDerivatives() bool { return h.Derivatives && h.differentiable() }

// setDerivatives sets the columns of derivatives of a row. The argument theories holds the theoretical
// derivatives with respect to β and to ε. The simulated derivatives are null if an outcome is so rare that
// the few trajectories on which the derivatives depend may not be among those simulated.
func (h *Experiment) setDerivatives(
	ctx context.Context, options run.Options, r *DerivedRow, theories []theory.Derivative,
) (err error) {
	r.ByBeta, r.ByEpsilon = outcomes.DerivativesOf(theories[0]), outcomes.DerivativesOf(theories[1])
	r.Simulated = data.NullRow[Simulated]()
	if min(r.Row.Antipodal, r.Trajectories-r.Row.Antipodal) >= outcomes.LeastSeen {
		r.Simulated, err = h.simulated(ctx, options, r.Beta, r.Epsilon)
	}
	return err
}

// simulated estimates the derivatives of the antipodal probability in the cell of the given β and ε from at
// least two trajectories. The derivatives are null if a layer may reverse the order of overlaps.
func (h *Experiment) simulated(
	ctx context.Context, options run.Options, beta, epsilon float64,
) (s Simulated, err error) {
	r := &response.Hybrid{Cell: h.cell(beta, epsilon),
		Layers: setting.CheckedLayers(h.Depth, h.Horizon), Trajectories: h.Trajectories,
		Tolerance: h.Tolerance, Seed: options.Seed, Workers: options.Workers}
	all, err := r.Run(ctx)
	if errors.Is(err, response.ErrFolds) {
		return data.NullRow[Simulated](), nil
	}
	return Simulated{ByBeta: all.ByBeta.Value, ByBetaStderr: all.ByBeta.Error,
		ByEpsilon: all.ByEpsilon.Value, ByEpsilonStderr: all.ByEpsilon.Error}, err
}
