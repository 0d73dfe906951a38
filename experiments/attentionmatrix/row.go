package attentionmatrix

import (
	"math"

	"antipode/sde/matrices"

	"gonum.org/v1/gonum/mat"
)

// Row is a row of the table of experiment attention-matrix: an entry or an eigenvalue of the attention matrix
// at one β.
type Row struct {
	_         struct{} `meaning:"scale β of query and key weights, whose variance is β√log T/d for T tokens"`
	_         struct{} `meaning:"of dimension d"`
	Beta      float64  `column:"weight_beta" formerly:"beta"`
	_         struct{} `meaning:"whether the number is an entry or an eigenvalue of the attention matrix"`
	Quantity  Quantity `column:"quantity"`
	_         struct{} `meaning:"row of an entry, from 1; for an eigenvalue its rank by absolute value,"`
	_         struct{} `meaning:"where 1 is the largest"`
	Query     int32    `column:"query"`
	Key       int32    `column:"key" meaning:"column of an entry, from 1; 0 for an eigenvalue"`
	_         struct{} `meaning:"entry of the attention matrix, or real part of an eigenvalue of the"`
	_         struct{} `meaning:"attention matrix"`
	Value     float64  `column:"value"`
	_         struct{} `meaning:"imaginary part of an eigenvalue of the attention matrix; null for entries"`
	Imaginary float64  `column:"imaginary,nullable"`
}

// Quantity says whether the value of a row is an entry or an eigenvalue of an attention matrix.
type Quantity int8

// The quantities of which rows of the table are values.
const (
	Entry Quantity = iota
	Eigenvalue
)

// Labels returns the names of the quantities.
func (Quantity) Labels() []string { return []string{"entry", "eigenvalue"} }

// matrixNumbers returns the entries of a sample's attention matrix at β, row by row, followed by its
// eigenvalues.
func matrixNumbers(s *matrices.ScoreSample, beta float64) ([]float64, error) {
	a := s.Attend(beta)
	numbers := append([]float64(nil), a.Data...)
	values, err := matrices.Eigenvalues(mat.NewDense(a.Rows, a.Cols, a.Data))
	for _, v := range values {
		numbers = append(numbers, real(v), imag(v))
	}
	return numbers, err
}

// rowsOf returns the rows of the table for one β. The argument numbers holds the result of matrixNumbers.
func rowsOf(beta float64, tokens int, numbers []float64) (rows []Row) {
	for k, v := range numbers[:tokens*tokens] {
		rows = append(rows, Row{Beta: beta, Quantity: Entry, Query: int32(k/tokens + 1),
			Key:   int32(k%tokens + 1),
			Value: v, Imaginary: math.NaN()})
	}
	for k, values := 0, numbers[tokens*tokens:]; k < tokens; k++ {
		rows = append(rows, Row{Beta: beta, Quantity: Eigenvalue, Query: int32(k + 1), Value: values[2*k],
			Imaginary: values[2*k+1]})
	}
	return rows
}
