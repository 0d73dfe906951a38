package hidden

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"slices"

	"antipode/data"
	"antipode/experiments/internal/coordinates"
	"antipode/experiments/measure/arrays"
	"antipode/internal/lists"
)

// openTable opens a table of hidden states, and copies its numbers to a temporary file, ordered by layer. A
// table of hidden states has one of three forms:
//
//   - columns x1, x2, … of vectors, one for each token, as antipode simulate --save states writes them: the
//     times of a trajectory are layers, and trajectories are sequences;
//   - a column of lists of tokens × d, with one row for each sequence in each layer. A column layer numbers
//     the layers from 0 and is needed if there are several sequences; without it, every row is a layer;
//   - a column of lists of layers × tokens × d, with one row for each sequence.
func (s *States) openTable(path string) error {
	reader, err := data.Open(path)
	if err != nil {
		return err
	}
	defer reader.Close()
	columns, shape, err := columnsOf(reader.Schema())
	if err != nil {
		return err
	}
	layers, err := layersOf(path, reader.Schema())
	if err != nil {
		return err
	}
	total, inRow, nested := 0, 1, len(shape) == 3
	for _, n := range layers {
		total = max(total, n+1)
	}
	if nested {
		total, inRow, shape = shape[0], shape[0], shape[1:]
	}
	rows := int(reader.Rows())
	if rows == 0 || rows*inRow%total != 0 {
		return fmt.Errorf("has %d rows for %d layers; must be as many for each", rows, total)
	}
	sequences := rows * inRow / total
	file, err := arrays.TemporaryFile()
	if err != nil {
		return err
	}
	s.files = append(s.files, file)
	s.arrays = []arrays.Array{arrays.Float64s(file, total, sequences, shape[0], shape[1])}
	w := tableCopy{to: file, columns: columns, dim: shape[1], slab: shape[0] * shape[1],
		sequences: sequences, seen: make([]int, total)}
	if nested {
		layers = nil
	}
	return w.all(reader, layers, inRow)
}

// columnsOf returns the indices of the columns with the hidden states, and the shape of the numbers in a row.
func columnsOf(schema data.Schema) (columns []int, shape []int, err error) {
	for k := 1; ; k++ {
		at := schema.Index(fmt.Sprintf("x%d", k))
		if at < 0 || schema.Columns[at].Kind != data.Vector || schema.Columns[at].Shape != nil {
			break
		}
		columns = append(columns, at)
		if d := schema.Columns[columns[0]].Length; schema.Columns[at].Length != d {
			return nil, nil, fmt.Errorf("column x%d has vectors of %d numbers, and x1 of %d", k,
				schema.Columns[at].Length, d)
		}
	}
	if columns != nil {
		return columns, []int{len(columns), schema.Columns[columns[0]].Length}, nil
	}
	for at, column := range schema.Columns {
		if len(column.Shape) == 2 || len(column.Shape) == 3 {
			columns, shape = append(columns, at), column.Shape
		}
	}
	if len(columns) != 1 {
		return nil, nil, fmt.Errorf("has %d columns of lists of tokens × d numbers; must have one, "+
			"or columns x1, x2, … of lists of d numbers", len(columns))
	}
	return columns, shape, nil
}

// layersOf returns the layer to which each row of a table of hidden states belongs. The states that antipode
// simulate saved must be of one ensemble. In a table of another program, columns named like parameters of
// simulate may mean anything.
func layersOf(path string, schema data.Schema) (layers []int, err error) {
	byTime := schema.Index("x1") >= 0 && schema.Index("trajectory") >= 0
	reader, err := data.Open(path)
	if err != nil {
		return nil, err
	}
	defer reader.Close()
	_, own := schema.Value(data.KeyCommand)
	var ensemble coordinates.Check
	var last float64
	for table, err := range data.Parts(reader.Next) {
		if err == nil && byTime && own {
			err = ensemble.Add(table)
		}
		if err != nil {
			return nil, err
		}
		name := "layer"
		if byTime {
			name = "trajectory"
		}
		numbers, err := wholes(table, name)
		if err != nil {
			return nil, err
		}
		for row := range table.Rows() {
			switch {
			case numbers == nil:
				layers = append(layers, len(layers))
			case !byTime:
				layers = append(layers, int(numbers[row]))
			case len(layers) > 0 && numbers[row] == last:
				layers = append(layers, layers[len(layers)-1]+1)
			default:
				layers = append(layers, 0)
			}
			if numbers != nil {
				last = numbers[row]
			}
		}
	}
	return layers, nil
}

// wholes returns the entries of a column of integers of a table, or nil if there is no column of that name.
func wholes(table *data.Table, name string) ([]float64, error) {
	at := table.Schema.Index(name)
	if at < 0 {
		return nil, nil
	}
	var numbers []float64
	switch values := table.Columns[at].(type) {
	case data.Slice[int32]:
		numbers = lists.Map(values, func(n int32) float64 { return float64(n) })
	case data.Slice[int64]:
		numbers = lists.Map(values, func(n int64) float64 { return float64(n) })
	}
	if len(numbers) != table.Rows() || slices.Min(append(numbers, 0)) < 0 ||
		slices.Max(append(numbers, 0)) > math.MaxInt32 {
		return nil, fmt.Errorf("column %s must be whole numbers from 0", name)
	}
	return numbers, nil
}

// tableCopy copies the rows of a table of hidden states to the places of their layers and sequences in a
// file.
type tableCopy struct {
	to              io.WriterAt
	columns         []int
	dim             int
	slab, sequences int   // entries of a sequence in a layer; number of sequences
	seen            []int // number of sequences already seen, by layer
}

// all copies all rows of a table. Each row belongs to one layer; if layers is nil, each row has the numbers
// of all layers.
func (w *tableCopy) all(reader *data.Reader, layers []int, inRow int) error {
	row := 0
	for table, err := range data.Parts(reader.Next) {
		if err != nil {
			return err
		}
		for k := range table.Rows() {
			var numbers []float64
			for _, at := range w.columns {
				values, length := table.Columns[at].(data.Slice[float64]), table.Schema.Columns[at].Length
				numbers = append(numbers, values[k*length:(k+1)*length]...)
			}
			for part := range inRow {
				layer := part
				if layers != nil {
					layer = layers[row]
				}
				if err := w.put(layer, numbers[part*w.slab:(part+1)*w.slab]); err != nil {
					return err
				}
			}
			row++
		}
	}
	return nil // the rows are as many as layers × sequences, and no layer has more than its sequences
}

func (w *tableCopy) put(layer int, numbers []float64) error {
	sequence := w.seen[layer]
	if sequence == w.sequences {
		return fmt.Errorf("has more than %d rows of layer %d; must be as many for each", w.sequences, layer)
	}
	w.seen[layer]++
	for token := range slices.Chunk(numbers, w.dim) {
		if slices.ContainsFunc(token, data.IsNull) { // the token is missing
			clear(token)
		}
	}
	content := make([]byte, 0, 8*len(numbers))
	for _, x := range numbers {
		content = binary.LittleEndian.AppendUint64(content, math.Float64bits(x))
	}
	at := (int64(layer)*int64(w.sequences) + int64(sequence)) * int64(w.slab) * 8
	_, err := w.to.WriteAt(content, at)
	return err
}
