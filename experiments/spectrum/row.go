package spectrum

import (
	"math"

	"antipode/internal/lists"
	"antipode/sde/matrices"
)

// Row is a row of the table of experiment spectrum: one value of one layer of a sample.
type Row struct {
	Attention matrices.Attention `column:"attention" meaning:"kind of attention"`
	Sample    int32              `column:"sample" meaning:"network, from 0"`
	Layer     int32              `column:"layer" meaning:"layer, from 1"`
	_         struct{}           `meaning:"singular value or eigenvalue of the attention matrix, singular"`
	_         struct{}           `meaning:"value of the covariance, its stable rank, or that minus 1; or an"`
	_         struct{}           `meaning:"entry of the attention matrix"`
	Quantity  Quantity           `column:"quantity"`
	_         struct{}           `meaning:"place among the values of the matrix, the largest absolute value"`
	_         struct{}           `meaning:"being 1; of an entry its place from 1 on, row after row"`
	Index     int32              `column:"index"`
	Value     float64            `column:"value" meaning:"the value, or its real part"`
	_         struct{}           `meaning:"imaginary part of an eigenvalue; null for others"`
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
