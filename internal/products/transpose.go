package products

import (
	"fmt"

	"gonum.org/v1/gonum/blas/blas64"
)

// Transpose writes the transpose of the matrix from to the matrix to. Transpose panics unless the shapes of
// both matrices fit. The matrices from and to must not share memory.
func Transpose(to, from blas64.General) {
	if refuseTranspose(&to, &from); extent(&from) == 0 {
		return
	}
	active().transposed(to.Data, to.Stride, from.Data, from.Stride, from.Rows, from.Cols)
}

// TransposeDivided writes the transpose of the matrix from to the matrix to, with column k of from divided by
// entry k of by. Each quotient is rounded once. TransposeDivided panics in the same cases as Transpose, and
// if by does not have an entry for each column.
func TransposeDivided(to, from blas64.General, by []float64) {
	if refuseTranspose(&to, &from); extent(&from) == 0 {
		return
	}
	if len(by) != from.Cols {
		panic(fmt.Sprintf("products: %d divisors of %d columns", len(by), from.Cols))
	}
	set, r, c := active(), from.Rows/4*4, from.Cols/4*4
	if r > 0 && c > 0 {
		set.transposeDivided(to.Data, to.Stride, from.Data, from.Stride, r, c, by)
	}
	if r < from.Rows {
		transposeDividedGeneric(to.Data[r:], to.Stride, from.Data[r*from.Stride:], from.Stride,
			from.Rows-r, from.Cols, by)
	}
	if c < from.Cols {
		transposeDividedGeneric(to.Data[c*to.Stride:], to.Stride, from.Data[c:], from.Stride, r, from.Cols-c,
			by[c:])
	}
}

// transposed copies the transpose of a matrix with any numbers of rows and columns.
func (set *instructions) transposed(to []float64, toRow int, from []float64, fromRow, rows, columns int) {
	r, c := rows/4*4, columns/4*4
	if r > 0 && c > 0 {
		set.transpose(to, toRow, from, fromRow, r, c)
	}
	if r < rows {
		transposeGeneric(to[r:], toRow, from[r*fromRow:], fromRow, rows-r, columns)
	}
	if c < columns {
		transposeGeneric(to[c*toRow:], toRow, from[c:], fromRow, r, columns-c)
	}
}

func transposeGeneric(to []float64, toRow int, from []float64, fromRow, rows, columns int) {
	for i := range rows {
		for j, x := range from[i*fromRow:][:columns] {
			to[j*toRow+i] = x
		}
	}
}

func transposeDividedGeneric(
	to []float64, toRow int, from []float64, fromRow, rows, columns int, by []float64,
) {
	for i := range rows {
		for j, x := range from[i*fromRow:][:columns] {
			to[j*toRow+i] = x / by[j]
		}
	}
}

// refuseTranspose panics unless the matrix to has the shape of the transpose of the matrix from.
func refuseTranspose(to, from *blas64.General) {
	check("the transpose", to)
	check("the matrix", from)
	if to.Rows != from.Cols || to.Cols != from.Rows {
		panic(fmt.Sprintf("products: the transpose of %d×%d in %d×%d",
			from.Rows, from.Cols, to.Rows, to.Cols))
	}
}

// mirror copies the lower triangle of C, in the rows of a part, to the upper triangle. mirror copies some
// columns at a time, so that the processor keeps the addresses of the memory pages of these columns.
func (set *instructions) mirror(c *view, in part) {
	const rows, columns = 8, 64
	for left := 0; left < in.bottom; left += columns {
		for top := max(in.top, left); top < in.bottom; top += rows {
			bottom := min(top+rows, in.bottom)
			if right := min(left+columns, top); left < right {
				set.transposed(c.data[left*c.down+top:], c.down,
					c.data[top*c.down+left:], c.down, bottom-top, right-left)
			}
			for i := top; i < bottom; i++ {
				for j := top; j < min(i, left+columns); j++ {
					c.data[j*c.down+i] = c.data[i*c.down+j]
				}
			}
		}
	}
}
