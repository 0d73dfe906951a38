package overlap

import (
	"slices"

	"antipode/data"
)

// fullRow has the columns of all kinds of rows. A table of the experiment has only some groups of the columns
// of fullRow.
type fullRow struct {
	BoundaryRow
	Derivatives
	LaterDerivatives
	Certificate
	DepthCertificate
	ThreeTokens
}

// A group of columns is in a table either completely or not at all. The function asked reports whether the
// table of an experiment has the group.
type group struct {
	columns []data.Column
	asked   func(o *Experiment) bool
}

// groups returns the groups of columns of fullRow that follow the columns of Row, in order. The groups are
// the columns for an MLP or a drift, those of the boundary with an MLP, of derivatives, of derivatives at a
// horizon, of proofs, and of three tokens.
func groups() []group {
	all := data.ColumnsOf[BoundaryRow]()
	plain, block := len(data.ColumnsOf[Row]()), len(data.ColumnsOf[BlockRow]())
	return []group{
		{all[plain:block], func(o *Experiment) bool { return !o.beside().None() }},
		{all[block:], (*Experiment).showsBlockBoundary},
		{data.ColumnsOf[Derivatives](), (*Experiment).showsDerivatives},
		{data.ColumnsOf[LaterDerivatives](), func(o *Experiment) bool {
			return o.showsDerivatives() && o.Horizon != nil
		}},
		{data.ColumnsOf[Certificate](), (*Experiment).showsCertificate},
		{data.ColumnsOf[DepthCertificate](), (*Experiment).showsDepthCertificate},
		{data.ColumnsOf[ThreeTokens](), (*Experiment).showsThree},
	}
}

// Columns implements run.Experiment.
func (o *Experiment) Columns() []data.Column {
	return columnsWith(len(o.Epsilon) > 1, func(g group) bool { return g.asked(o) })
}

// columnsWith returns the columns of Row, with the column of ε only if there are several ε (grid), and then
// the columns of the groups for which has is true.
func columnsWith(grid bool, has func(g group) bool) []data.Column {
	columns := data.ColumnsOf[Row]()
	if !grid {
		columns = slices.DeleteFunc(columns, isEpsilon)
	}
	for _, g := range groups() {
		if has(g) {
			columns = append(columns, g.columns...)
		}
	}
	return columns
}

func isEpsilon(c data.Column) bool { return c.Name == "epsilon" }

// writeRows writes the given columns of the rows to the table.
func writeRows(table data.Sink, columns []data.Column, rows ...fullRow) error {
	return data.WriteRows(data.Selecting(table, data.ColumnsOf[fullRow](), columns), rows...)
}
