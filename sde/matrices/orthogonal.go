package matrices

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"antipode/sde/internal/enum"
)

// Values says what the value matrices are.
type Values int8

const (
	// GaussianValues have independent standard normal entries.
	GaussianValues Values = iota
	// OrthogonalValues are √D times an orthogonal matrix of Haar's law, or the columns of one that a
	// head has: entries have the variance of GaussianValues.
	OrthogonalValues
)

// ValuesNames are the names, in the order of the constants.
var ValuesNames = []string{"gaussian", "orthogonal"}

// String returns the name.
func (v Values) String() string { return enum.Name(ValuesNames, v, "Values") }

// MarshalText implements encoding.TextMarshaler: the name.
func (v Values) MarshalText() ([]byte, error) { return enum.Marshal(ValuesNames, v, "values") }

// UnmarshalText implements encoding.TextUnmarshaler.
func (v *Values) UnmarshalText(text []byte) error {
	return enum.Unmarshal(ValuesNames, v, "values", text)
}

// Labels are ValuesNames.
func (Values) Labels() []string { return ValuesNames }

// orthogonal makes of a normal matrix with at least as many rows as columns one whose columns are
// orthogonal, of length √rows: the factor Q with a positive diagonal of R, which has Haar's law.
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
