package products

import (
	"fmt"
	"unsafe"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// view is a matrix in memory: the entry (i, j) is data[i*down+j*right]. One of down and right is 1.
type view struct {
	data          []float64
	rows, columns int
	down, right   int
}

// of makes v the matrix op(A), that is, A or its transpose. In the text of a panic, A is called name. The
// matrix A is passed by pointer, as copies of descriptions of matrices would take longer than small products.
func (v *view) of(name string, transpose blas.Transpose, a *blas64.General) {
	check(name, a)
	v.data = a.Data
	switch transpose {
	case blas.NoTrans:
		v.rows, v.columns, v.down, v.right = a.Rows, a.Cols, a.Stride, 1
	case blas.Trans, blas.ConjTrans:
		v.rows, v.columns, v.down, v.right = a.Cols, a.Rows, 1, a.Stride
	default:
		panic(fmt.Sprintf("products: op(%s) is %q", name, byte(transpose)))
	}
}

// ofTransposed makes v the transpose of the matrix a.
func (v *view) ofTransposed(a *view) {
	v.data, v.rows, v.columns, v.down, v.right = a.data, a.columns, a.rows, a.right, a.down
}

// check panics unless all entries of the matrix a lie in the slice a.Data.
func check(name string, a *blas64.General) {
	if a.Rows < 0 || a.Cols < 0 || a.Stride < max(1, a.Cols) || len(a.Data) < extent(a) {
		refuseMatrix(name, a)
	}
}

func refuseMatrix(name string, a *blas64.General) {
	panic(fmt.Sprintf("products: %s is %d×%d with stride %d in %d numbers",
		name, a.Rows, a.Cols, a.Stride, len(a.Data)))
}

// extent returns the number of float64 values in memory from the first entry of a matrix to the last entry,
// both included.
func extent(a *blas64.General) int {
	if a.Rows == 0 || a.Cols == 0 {
		return 0
	}
	return (a.Rows-1)*a.Stride + a.Cols
}

// refuseShared panics if C shares an entry with a matrix A. If A and C have different strides, refuseShared
// also panics if C lies between the rows of A, or A between the rows of C.
func refuseShared(name string, a, c *blas64.General) {
	if extent(a) == 0 || extent(c) == 0 {
		return
	}
	const size = unsafe.Sizeof(float64(0))
	start, end := uintptr(unsafe.Pointer(&a.Data[0])), uintptr(unsafe.Pointer(&c.Data[0]))
	if start > end {
		a, c, start, end = c, a, end, start
	}
	distance := int((end - start) / size) // from the first entry of a to the first entry of c
	if distance >= extent(a) {
		return
	}
	if a.Stride == c.Stride {
		if column := distance % a.Stride; column >= a.Cols && column+c.Cols <= a.Stride {
			return
		}
	}
	panic("products: C shares memory with " + name)
}
