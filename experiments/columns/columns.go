// Package columns reads the columns of a table and describes those that may be null.
package columns

import (
	"errors"
	"math"

	"antipode/data"
)

// Reader reads columns of Table and keeps the first error in Err.
type Reader struct {
	Table *data.Table
	Err   error
}

// Of returns the values of a column, nil after an error.
func Of[T int32 | int64 | float64 | int8 | string](c *Reader, name string) []T {
	if c.Err != nil {
		return nil
	}
	var values []T
	values, c.Err = data.ValuesOf[T](c.Table, name)
	return values
}

// Renamed returns the values of a column, which files of older versions have under another
// name.
func Renamed[T int32 | int64 | float64 | int8 | string](c *Reader, name, old string) []T {
	if c.Err == nil {
		if values, err := data.ValuesOf[T](c.Table, name); err == nil {
			return values
		}
	}
	return Of[T](c, old)
}

// Later returns the values of a column of real numbers that files of older versions lack:
// NaN there.
func Later(c *Reader, name string) []float64 {
	if c.Err != nil {
		return nil
	}
	values, err := data.ValuesOf[float64](c.Table, name)
	if err != nil {
		values = make([]float64, c.Table.Rows())
		for k := range values {
			values[k] = math.NaN()
		}
	}
	return values
}

// Nullable describes a column of real numbers in which NaN stands for null.
func Nullable(name, unit, meaning string) data.Column {
	return data.Column{Name: name, Kind: data.Float64, Unit: unit, Meaning: meaning, Nullable: true}
}

// FiniteOrNaN is x, or NaN, which stands for null, where x is infinite.
func FiniteOrNaN(x float64) float64 {
	if math.IsInf(x, 0) {
		return math.NaN()
	}
	return x
}

// ErrNoRows says that a table is empty.
var ErrNoRows = errors.New("the table has no rows to show")
