package hybrid

import (
	"context"
	"slices"

	"antipode/data"
	"antipode/experiments/internal/outcomes"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/experiments/theory"
	"antipode/overlap"
	"antipode/sde"
)

// DerivedRow is a row of the table with derivatives, of which those beside an MLP have the columns of BlockRow
// too.
type DerivedRow struct {
	BlockRow
	outcomes.ByBeta
	outcomes.ByEpsilon
}

// derivatives is the parameter of the derivatives.
func (h *Experiment) derivatives() parameter.Parameter {
	return parameter.Parameter{Name: "derivatives",
		Meaning: "derivatives of the probability of the antipodal outcome with respect to β and ε from theory",
		Value:   parameter.Switch{On: &h.Derivatives}}
}

// derivedColumns are those of DerivedRow, without those of BlockRow if nothing stands beside attention.
func (h *Experiment) derivedColumns() []data.Column {
	plain, block := len(data.ColumnsOf[Row]()), len(data.ColumnsOf[BlockRow]())
	columns := data.ColumnsOf[DerivedRow]()
	if h.beside().None() {
		columns = slices.Delete(columns, plain, block)
	}
	return columns
}

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
			r.BlockRow = r.BlockRow.estimated(of)
			r.ByBeta = outcomes.DerivativesOf(of.Derivatives[0])
			r.ByEpsilon = outcomes.ByEpsilon(outcomes.DerivativesOf(of.Derivatives[1]))
			return r
		})
	job.By = []overlap.Parameter{overlap.ByBeta, overlap.ByEpsilon}
	return job.Run(ctx, options, data.Selecting(table, data.ColumnsOf[DerivedRow](), h.Columns()))
}
