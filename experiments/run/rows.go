package run

import (
	"encoding/json"
	"errors"
	"strings"

	"antipode/data"
)

// ErrNoRows is the error for a table without rows, for which there is no report and no figure.
var ErrNoRows = errors.New("the table has no rows to show")

// ReadRows sets the parameters of an experiment to those of a table, like ReadParameters, and returns the
// rows of the table, like RowsOf. A table without rows is the error ErrNoRows.
func ReadRows[Row any](e Experiment, table *data.Table) ([]Row, error) {
	if err := ReadParameters(e, table); err != nil {
		return nil, err
	}
	rows, err := RowsOf[Row](table)
	if err == nil && len(rows) == 0 {
		err = ErrNoRows
	}
	return rows, err
}

// RowsOf returns the rows of a table, like data.RowsOf, but sorted by their columns, because another program
// may have changed the order of the rows. If a parameter with the name of a column is a list, the values of
// that column are ordered as in the list.
func RowsOf[Row any](table *data.Table) ([]Row, error) {
	rows, err := data.RowsOf[Row](table)
	if err == nil {
		data.Sort(rows, ordersOf(table.Schema))
	}
	return rows, err
}

// Groups divides rows into groups of consecutive rows with equal keys.
func Groups[Row any, Key comparable](rows []Row, key func(r Row) Key) (groups [][]Row) {
	for begin, end := 0, 1; begin < len(rows); begin, end = end, end+1 {
		for end < len(rows) && key(rows[end]) == key(rows[begin]) {
			end++
		}
		groups = append(groups, rows[begin:end:end])
	}
	return groups
}

// ordersOf returns, by the names of columns, the orders of values in these columns. A list among the
// parameters of a table gives the order of values in the column with the name of the parameter.
func ordersOf(schema data.Schema) map[string]data.Order {
	text, _ := schema.Value(data.KeyParameters)
	var parameters map[string]json.RawMessage
	if json.Unmarshal([]byte(text), &parameters) != nil { // ReadParameters reports the error
		return nil
	}
	orders := map[string]data.Order{}
	for name, value := range parameters {
		var numbers []float64
		var labels []string
		column := strings.ReplaceAll(name, "-", "_")
		if json.Unmarshal(value, &numbers) == nil {
			orders[column] = data.Order{Numbers: numbers}
		} else if json.Unmarshal(value, &labels) == nil {
			orders[column] = data.Order{Labels: labels}
		}
	}
	return orders
}
