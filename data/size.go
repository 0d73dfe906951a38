package data

import (
	"bytes"
	"math"
)

// FileBytes predicts the size of an Arrow file of a table with that number of rows, within some per cent:
// that of an empty table and of the values. Where nulls are is left out, an eighth of a byte each. It is an
// error if the schema cannot be written.
func (s Schema) FileBytes(rows float64) (float64, error) {
	var empty bytes.Buffer
	w, err := Stream(&empty, "a table", s)
	if err != nil {
		return 0, err
	}
	if err := w.Close(); err != nil {
		return 0, err
	}
	const perColumnOfBatch = 100 // where its values are, twice, and their alignment
	batches := math.Ceil(rows / float64(s.batchRows()))
	return float64(empty.Len()) + rows*float64(s.RowBytes()) +
		batches*float64(perColumnOfBatch*len(s.Columns)), nil
}
