package matrices

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"antipode/internal/enum"
)

// Values is the law of the value matrices of a network.
type Values int8

const (
	// GaussianValues have independent standard normal entries.
	GaussianValues Values = iota
	// OrthogonalValues are √D times an orthogonal matrix with Haar measure. The value matrix of a head
	// consists of some columns of this orthogonal matrix. The entries have the same variance as those of
	// GaussianValues.
	OrthogonalValues
)

// ValuesNames are the names of the laws of value matrices, in the order of the constants.
var ValuesNames = []string{"gaussian", "orthogonal"}

// String returns the name of the law of value matrices.
func (v Values) String() string { return enum.Name(ValuesNames, v, "Values") }

// MarshalText implements encoding.TextMarshaler; it returns the name of the law of value matrices.
func (v Values) MarshalText() ([]byte, error) { return enum.Marshal(ValuesNames, v, "values") }

// UnmarshalText implements encoding.TextUnmarshaler.
func (v *Values) UnmarshalText(text []byte) error {
	return enum.Unmarshal(ValuesNames, v, "values", text)
}

// Labels returns ValuesNames, as labels for a table column.
func (Values) Labels() []string { return ValuesNames }

// orthogonal replaces a normal matrix with at least as many rows as columns by a matrix whose columns are
// orthogonal and of length √rows: √rows times the factor Q of the QR decomposition with positive diagonal of
// R, which has Haar measure.
func orthogonal(m *mat.Dense) {
	rows, columns := m.Dims()
	var qr mat.QR
	qr.Factorize(m)
	var q, r mat.Dense
	qr.QTo(&q)
	qr.RTo(&r)
	scale := math.Sqrt(float64(rows))
	for i := range rows {
		for j := range columns {
			m.Set(i, j, math.Copysign(scale, r.At(j, j))*q.At(i, j))
		}
	}
}
