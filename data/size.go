package data

import (
	"bytes"
	"math"
)

// FileBytes predicts the size in bytes of the Arrow file of a table with the given number of rows, within a
// few per cent. The prediction is the size of an empty table plus the sizes of the values, without the
// bitmaps of nulls. FileBytes returns an error if a table with the schema cannot be written.
func (s Schema) FileBytes(rows float64) (float64, error) {
	var empty bytes.Buffer
	w, err := Stream(&empty, "a table", s)
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		return 0, err
	}
	const perColumnOfBatch = 100 // positions of the values, stored twice, and the alignment of the values
	batches := math.Ceil(rows / float64(s.batchRows()))
	return float64(empty.Len()) + rows*float64(s.RowBytes()) +
		batches*float64(perColumnOfBatch*len(s.Columns)), nil
}
