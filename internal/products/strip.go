package products

import (
	"math"

	"antipode/internal/instructionset"
)

// instructions are the kernels of matrix products in one instruction set, and the sizes of the blocks of
// matrices that the kernels read.
type instructions struct {
	// strip computes C ← AB + βC for a few rows of C; the number of rows is one of heights. Adjacent entries
	// of a column of A are aRow apart, and adjacent entries of a row of A aStep apart. B is divided into
	// panels of width columns, bPanel apart; the rows of a panel are bStep apart.
	strip func(c []float64, cRow int, a []float64, aRow, aStep int,
		b []float64, bStep, bPanel int, depth, rows, columns int, beta float64)
	// transpose copies the transpose of a matrix whose numbers of rows and columns are multiples of 4.
	transpose func(to []float64, toRow int, from []float64, fromRow, rows, columns int)
	// transposeDivided copies the transpose of a matrix as transpose does, with column k of the matrix
	// divided by entry k of by.
	transposeDivided func(
		to []float64, toRow int, from []float64, fromRow, rows, columns int, by []float64)
	// spread copies panels·width adjacent numbers to panels, width numbers to each panel. The distance
	// between two panels is panel.
	spread func(to []float64, panel int, from []float64, panels int)

	// scale writes the first len(to) numbers of from, multiplied by the number by, to the slice to. divide
	// writes these numbers, divided by the number by, to the slice to.
	scale, divide func(to, from []float64, by float64)

	heights  []int // numbers of rows of a strip, decreasing to 1
	together int   // rows of A that are copied together, a multiple of the first height and of 4
	width    int   // columns of a panel of B
	depth    int   // rows of the blocks into which B is divided
	columns  int   // columns of the blocks of B, a multiple of width
	direct   int   // least number of rows of C for which a block of a large B is copied
}

// genericWidth is the number of columns of a panel of B for the kernels without vector instructions.
const genericWidth = 4

// generic are the kernels of matrix products in Go, for every machine.
var generic = instructions{
	strip: stripGeneric, transpose: transposeGeneric, transposeDivided: transposeDividedGeneric,
	spread: spreadGeneric,
	scale:  scaleGeneric, divide: divideGeneric,
	heights: []int{4, 3, 2, 1}, together: 4, width: genericWidth, depth: 256, columns: 128, direct: 128,
}

// active returns the kernels of matrix products in the instruction set in use.
func active() *instructions { return &sets[instructionset.Level()] }

func stripGeneric(c []float64, cRow int, a []float64, aRow, aStep int,
	b []float64, bStep, bPanel int, depth, rows, columns int, beta float64,
) {
	for j := 0; j < columns; j += genericWidth {
		width := min(columns-j, genericWidth)
		if rows == 4 && width == 4 {
			tile(c[j:], cRow, a, aRow, aStep, b, bStep, depth, beta)
		} else {
			for i := range rows {
				for k := range width {
					entry(&c[i*cRow+j+k], a[i*aRow:], aStep, b[k:], bStep, depth, beta)
				}
			}
		}
		if j+genericWidth < columns {
			b = b[bPanel:]
		}
	}
}

// entry computes a single entry of C ← AB + βC from a row of A and a column of B.
func entry(c *float64, a []float64, aStep int, b []float64, bStep, depth int, beta float64) {
	sum := start(beta, *c)
	for l := range depth {
		sum = math.FMA(a[l*aStep], b[l*bStep], sum)
	}
	*c = sum
}

// start returns the start βc of the sum for an entry c of C, or 0 if β = 0.
func start(beta, c float64) float64 {
	if beta == 0 {
		return 0
	}
	return beta * c
}

// tile computes four rows and four columns of C ← AB + βC.
func tile(c []float64, cRow int, a []float64, aRow, aStep int, b []float64, bStep, depth int, beta float64) {
	var sums [4][4]float64
	for i := range sums {
		for j := range sums[i] {
			sums[i][j] = start(beta, c[i*cRow+j])
		}
	}
	s00, s01, s02, s03 := sums[0][0], sums[0][1], sums[0][2], sums[0][3]
	s10, s11, s12, s13 := sums[1][0], sums[1][1], sums[1][2], sums[1][3]
	s20, s21, s22, s23 := sums[2][0], sums[2][1], sums[2][2], sums[2][3]
	s30, s31, s32, s33 := sums[3][0], sums[3][1], sums[3][2], sums[3][3]
	for l := range depth {
		row := b[l*bStep:]
		b0, b1, b2, b3 := row[0], row[1], row[2], row[3]
		x := a[l*aStep]
		s00, s01 = math.FMA(x, b0, s00), math.FMA(x, b1, s01)
		s02, s03 = math.FMA(x, b2, s02), math.FMA(x, b3, s03)
		x = a[l*aStep+aRow]
		s10, s11 = math.FMA(x, b0, s10), math.FMA(x, b1, s11)
		s12, s13 = math.FMA(x, b2, s12), math.FMA(x, b3, s13)
		x = a[l*aStep+2*aRow]
		s20, s21 = math.FMA(x, b0, s20), math.FMA(x, b1, s21)
		s22, s23 = math.FMA(x, b2, s22), math.FMA(x, b3, s23)
		x = a[l*aStep+3*aRow]
		s30, s31 = math.FMA(x, b0, s30), math.FMA(x, b1, s31)
		s32, s33 = math.FMA(x, b2, s32), math.FMA(x, b3, s33)
	}
	for i, row := range [4][4]float64{
		{s00, s01, s02, s03}, {s10, s11, s12, s13}, {s20, s21, s22, s23}, {s30, s31, s32, s33},
	} {
		copy(c[i*cRow:], row[:])
	}
}
