package run

import (
	"errors"

	"antipode/data"
)

// ErrNoRows says that a table is empty.
var ErrNoRows = errors.New("the table has no rows to show")

// ReadRows sets an experiment to the parameters of a table, as ReadParameters, and returns the
// table's rows, of which there is at least one.
func ReadRows[Row any](e Experiment, table *data.Table) ([]Row, error) {
	return ReadRowsChecked[Row](e, e.Validate, table)
}

// ReadRowsChecked is ReadRows with a check of the parameters in place of e's Validate: one that reads no
// files, which text and figure do not need.
func ReadRowsChecked[Row any](e Experiment, check func() error, table *data.Table) ([]Row, error) {
	if err := readParameters(e, check, table); err != nil {
		return nil, err
	}
	rows, err := data.RowsOf[Row](table)
	if err == nil && len(rows) == 0 {
		err = ErrNoRows
	}
	return rows, err
}
