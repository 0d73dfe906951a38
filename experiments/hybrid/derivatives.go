package hybrid

import (
	"context"

	"antipode/data"
	"antipode/experiments/internal/outcomes"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/experiments/theory"
	"antipode/overlap"
	"antipode/sde"
)

// DerivedRow is a row of the table with derivatives.
type DerivedRow struct {
	Row
	outcomes.ByBeta
	outcomes.ByEpsilon
}

// derivatives is the parameter of the derivatives.
func (h *Experiment) derivatives() parameter.Parameter {
	return parameter.Parameter{Name: "derivatives",
		Meaning: "derivatives of the probability of the antipodal outcome with respect to β and ε from " +
			"theory",
		Value: parameter.Switch{On: &h.Derivatives},
		Inapplicable: parameter.Unless(h.differentiable(), "they are not known with another interaction "+
			"than the identity, nor beside an MLP; must be left out beside them")}
}

// differentiable reports whether anything of the derivatives is known.
func (h *Experiment) differentiable() bool { return h.hasTheory() && h.beside().None() }

// showsDerivatives reports whether derivatives are asked for, and apply.
func (h *Experiment) showsDerivatives() bool { return h.Derivatives && h.differentiable() }

// runDerived is Run with derivatives.
func (h *Experiment) runDerived(
	ctx context.Context, options run.Options, ensemble *sde.Ensemble[outcomes.Decision], table data.Sink,
) error {
	job := compared(h, ensemble,
		func(cell sde.Cell, t outcomes.Tally) DerivedRow {
			r := data.NullRow[DerivedRow]()
			r.Row = counted(cell, t)
			return r
		},
		func(r DerivedRow, of theory.Point) DerivedRow {
			r.Row = r.Row.estimated(of)
			r.ByBeta = outcomes.DerivativesOf(of.Derivatives[0])
			r.ByEpsilon = outcomes.ByEpsilon(outcomes.DerivativesOf(of.Derivatives[1]))
			return r
		})
	job.By = []overlap.Parameter{overlap.ByBeta, overlap.ByEpsilon}
	return job.Run(ctx, options, table)
}
