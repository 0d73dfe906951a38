package matrices

import (
	"antipode/internal/enum"
	"antipode/internal/products"

	"gonum.org/v1/gonum/mat"
)

// Gap specifies what happens to the gap of an attention matrix, which is the distance of its largest singular
// value from the other singular values.
type Gap int8

const (
	// KeepGap leaves the attention matrix as it is.
	KeepGap Gap = iota
	// RemoveMeans subtracts the mean of each row from the T entries of the row: A becomes A - A11ᵀ/T.
	RemoveMeans
	// RemoveUniform subtracts 1/T from the entries of a T×T attention matrix A, which becomes A - 11ᵀ/T as
	// printed in (9). If the rows of A sum to 1, RemoveUniform and RemoveMeans agree. The rows of the
	// attention Linear, Sigmoid and ReLU do not sum to 1; in this case RemoveUniform leaves a part of the gap
	// or creates another gap.
	RemoveUniform
	// RemoveOutliers removes every singular value above 5 times the median of the singular values, with its
	// singular vectors. The singular values up to 5 times the median are the bulk. For independent entries
	// the largest singular value of the bulk is 2.5 times the median. For a product of two Gaussian matrices,
	// which attention by small scores resembles, the bulk ends at 4.6 times its median.
	RemoveOutliers
)

// GapNames are the names of the treatments of a gap, in the order of the constants.
var GapNames = []string{"keep", "remove", "remove-uniform", "remove-outliers"}

// String returns the name of the treatment of a gap.
func (g Gap) String() string { return enum.Name(GapNames, g, "Gap") }

// MarshalText implements encoding.TextMarshaler; it returns the name of the treatment of a gap.
func (g Gap) MarshalText() ([]byte, error) { return enum.Marshal(GapNames, g, "gap") }

// UnmarshalText implements encoding.TextUnmarshaler.
func (g *Gap) UnmarshalText(text []byte) error { return enum.Unmarshal(GapNames, g, "gap", text) }

// Labels returns GapNames, as labels for a table column.
func (Gap) Labels() []string { return GapNames }

// outlierThreshold is the threshold above which RemoveOutliers removes singular values, divided by their
// median.
const outlierThreshold = 5

// remove removes the gap from an attention matrix, in place.
func (g Gap) remove(m *mat.Dense, multiplier *products.Multiplier) error {
	switch g {
	case RemoveMeans:
		centreRows(m.RawMatrix())
	case RemoveUniform:
		subtractUniform(m)
	case RemoveOutliers:
		right, err := outlierDirections(m)
		if right == nil {
			return err
		}
		tokens, count := right.Dims()
		images, directions := mat.NewDense(tokens, count, nil).RawMatrix(), right.RawMatrix()
		multiplier.Multiply(plain, plain, 1, m.RawMatrix(), directions, 0, images)
		multiplier.Multiply(plain, transposed, -1, images, directions, 1, m.RawMatrix())
	}
	return nil
}

// outlierDirections returns, as columns, the right singular vectors of the singular values beyond the bulk,
// or nil if no singular value is beyond the bulk. A single right singular vector is computed by Lanczos'
// method. Several vectors require a decomposition of the matrix, which takes ten times as long as the
// computation of the singular values.
func outlierDirections(m *mat.Dense) (*mat.Dense, error) {
	values, err := SingularValues(m)
	if err != nil {
		return nil, err
	}
	tokens, _ := m.Dims()
	count := beyondBulk(values)
	switch count {
	case 0:
		return nil, nil
	case 1:
		if direction, err := leadingDirection(m, values[0]); err == nil {
			return mat.NewDense(tokens, 1, direction), nil
		}
	}
	var svd mat.SVD
	if !svd.Factorize(m, mat.SVDThinV) {
		return nil, ErrNoConvergence
	}
	var right mat.Dense
	svd.VTo(&right)
	return mat.DenseCopyOf(right.Slice(0, tokens, 0, count)), nil
}

// leadingDirection returns the right singular vector of the largest singular value of a matrix, given this
// singular value.
func leadingDirection(m *mat.Dense, value float64) ([]float64, error) {
	const tolerance = 1e-15
	rows, columns := m.Dims()
	y := mat.NewVecDense(rows, nil)
	_, direction, err := largest(func(dst, src []float64) { // divided, as the square may underflow
		y.MulVec(m, mat.NewVecDense(columns, src))
		y.ScaleVec(1/value, y)
		x := mat.NewVecDense(columns, dst)
		x.MulVec(m.T(), y)
		x.ScaleVec(1/value, x)
	}, columns, 1, tolerance)
	return direction, err
}

// beyondBulk returns the number of outliers, above the bulk, among singular values in descending order.
func beyondBulk(values []float64) (count int) {
	n := len(values)
	threshold := outlierThreshold * (values[(n-1)/2] + values[n/2]) / 2
	for count < n && values[count] > threshold {
		count++
	}
	return count
}

// subtractUniform subtracts uniform attention 11ᵀ/T from some rows of an attention matrix.
func subtractUniform(m *mat.Dense) {
	rows, tokens := m.Dims()
	for i := range rows {
		row := m.RawRowView(i)
		for k := range row {
			row[k] -= 1 / float64(tokens)
		}
	}
}

// outliers holds the singular values of a matrix and their singular vectors. The first count singular values
// are beyond the bulk.
type outliers struct {
	values      []float64
	left, right mat.Dense
	count       int
}

func outliersOf(m *mat.Dense) (o outliers, err error) {
	var svd mat.SVD
	if !svd.Factorize(m, mat.SVDThin) {
		return o, ErrNoConvergence
	}
	o.values = svd.Values(nil)
	svd.UTo(&o.left)
	svd.VTo(&o.right)
	o.count = beyondBulk(o.values)
	return o, nil
}

// backward converts the gradient with respect to an attention matrix after removal of its gap to the gradient
// with respect to the attention matrix before the removal.
func (g Gap) backward(raw, gradient *mat.Dense) error {
	switch g {
	case RemoveMeans:
		centreRows(gradient.RawMatrix())
	case RemoveOutliers:
		o, err := outliersOf(raw)
		if err != nil {
			return err
		}
		o.backward(gradient)
	}
	return nil
}

// backward applies the adjoint of the derivative of f(A) = Uf(S)Vᵀ, where f is 0 on the outliers and the
// identity on the other singular values. The map f removes the outliers from a matrix A = USVᵀ with singular
// values s_i. In the bases U and V, the symmetric part of a change of A is multiplied by
// (f_i-f_j)/(s_i-s_j), and the antisymmetric part by (f_i+f_j)/(s_i+s_j), where f_i = f(s_i). Both factors
// are 0 if s_i and s_j are outliers, and 1 if neither s_i nor s_j is an outlier.
func (o outliers) backward(gradient *mat.Dense) {
	var g, half mat.Dense
	half.Mul(o.left.T(), gradient)
	g.Mul(&half, &o.right)
	n := len(o.values)
	kept := func(k int) float64 {
		if k < o.count {
			return 0
		}
		return o.values[k]
	}
	for i := range n {
		for j := range i + 1 {
			a, b := g.At(i, j), g.At(j, i)
			difference, sum := 1.0, 1.0
			if j < o.count { // values descend: if i or j is an outlier, j is
				difference, sum = 0, 0
				if i >= o.count {
					difference = (kept(i) - kept(j)) / (o.values[i] - o.values[j])
					sum = (kept(i) + kept(j)) / (o.values[i] + o.values[j])
				}
			}
			symmetric, antisymmetric := float64(difference*(a+b)/2), float64(sum*(a-b)/2)
			g.Set(i, j, symmetric+antisymmetric)
			g.Set(j, i, symmetric-antisymmetric)
		}
	}
	half.Mul(&o.left, &g)
	gradient.Mul(&half, o.right.T())
}
