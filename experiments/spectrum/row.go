package spectrum

import (
	"math"

	"antipode/internal/lists"
	"antipode/sde/matrices"
)

// Row is a row of the table of experiment spectrum: one value of one layer of a sample.
type Row struct {
	Attention matrices.Attention `column:"attention" meaning:"kind of attention"`
	Sample    int32              `column:"sample" meaning:"number of the network, from 0"`
	Layer     int32              `column:"layer" meaning:"number of the layer, from 1"`
	_         struct{}           `meaning:"what the value is: a singular value, eigenvalue or entry of the"`
	_         struct{}           `meaning:"attention matrix, a singular value of the covariance of the"`
	_         struct{}           `meaning:"signal, its stable rank, or its stable rank minus 1"`
	Quantity  Quantity           `column:"quantity"`
	_         struct{}           `meaning:"rank by absolute value among the singular values or eigenvalues"`
	_         struct{}           `meaning:"of the matrix, where 1 is the largest; for an entry its place in"`
	_         struct{}           `meaning:"the matrix from 1 on, row after row"`
	Index     int32              `column:"index"`
	_         struct{}           `meaning:"value of the row's quantity; the real part of an eigenvalue"`
	Value     float64            `column:"value"`
	_         struct{}           `meaning:"imaginary part of an eigenvalue; null for other quantities"`
	Imaginary float64            `column:"imaginary,nullable"`
}

// Quantity says what the value of a row is, such as a singular value.
type Quantity int8

// The quantities of which rows of the table are values.
const (
	SingularValue Quantity = iota
	Eigenvalue
	Covariance
	StableRank
	StableRankExcess
	Entry
)

// Labels returns the names of the quantities, in the order of the constants.
func (Quantity) Labels() []string {
	return []string{"singular value", "eigenvalue", "covariance", "stable rank", "stable rank excess",
		"entry"}
}

// realRows returns rows with real values of a quantity in a layer. The index of the sample is not yet set in
// the rows.
func realRows(layer int, quantity Quantity, values ...float64) []Row {
	rows := make([]Row, len(values))
	for k, v := range values {
		rows[k] = Row{
			Layer: int32(layer), Quantity: quantity, Index: int32(k + 1), Value: v, Imaginary: math.NaN(),
		}
	}
	return rows
}

// eigenvalueRows returns rows with the eigenvalues in a layer, which are complex.
func eigenvalueRows(layer int, values []complex128) []Row {
	rows := realRows(layer, Eigenvalue, lists.Map(values, func(v complex128) float64 { return real(v) })...)
	for k, v := range values {
		rows[k].Imaginary = imag(v)
	}
	return rows
}

// rankRows returns rows with the stable rank in a layer and its excess over 1.
func rankRows(layer int, excess float64) []Row {
	return append(realRows(layer, StableRank, 1+excess), realRows(layer, StableRankExcess, excess)...)
}

// rowNumbers is how many numbers encode a row.
const rowNumbers = 5

// numbersOf encodes the rows of a sample as the numbers that a piece of work yields.
func numbersOf(rows []Row) []float64 {
	numbers := make([]float64, 0, rowNumbers*len(rows))
	for _, r := range rows {
		numbers = append(numbers, float64(r.Layer), float64(r.Quantity), float64(r.Index), r.Value,
			r.Imaginary)
	}
	return numbers
}

// rowsOf decodes the rows of a sample that numbersOf has encoded.
func rowsOf(n matrices.Network, sample int64, numbers []float64) []Row {
	rows := make([]Row, len(numbers)/rowNumbers)
	for k := range rows {
		v := numbers[k*rowNumbers:]
		rows[k] = Row{
			Attention: n.Attention, Sample: int32(sample), Layer: int32(v[0]), Quantity: Quantity(v[1]),
			Index: int32(v[2]), Value: v[3], Imaginary: v[4],
		}
	}
	return rows
}
