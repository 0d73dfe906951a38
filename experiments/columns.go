package experiments

import "antipode/data"

// columns reads columns of a table and keeps the first error.
type columns struct {
	table *data.Table
	err   error
}

// column returns the values of a column, nil after an error.
func column[T int32 | int64 | float64 | int8 | string](c *columns, name string) []T {
	if c.err != nil {
		return nil
	}
	var values []T
	values, c.err = data.Values[T](c.table, name)
	return values
}

// nullable describes a column of real numbers in which NaN stands for null.
func nullable(name, unit, meaning string) data.Column {
	return data.Column{Name: name, Kind: data.Float64, Unit: unit, Meaning: meaning, Nullable: true}
}
