package matrices

import (
	"math"

	"antipode/internal/products"
	"antipode/sde/internal/kernels"

	"gonum.org/v1/gonum/blas/blas64"
)

// rowsAtOnce is the number of rows of a random matrix that are sampled side by side, in the lanes of vector
// instructions.
const rowsAtOnce = 8

// drawer samples the rows of the random matrices of one sample of a network. A drawer is not safe for
// concurrent use.
type drawer struct {
	source
	lanes  *kernels.Lanes
	buffer []kernels.Vector // each Vector holds one entry of each of the rows
	totals kernels.Vector   // sums of the sampled rows
}

func (s source) drawer() *drawer { return &drawer{source: s, lanes: kernels.NewLanes(s.stream, 1)} }

// matrix samples the entries of a random matrix of a network. The lanes move to the next rows before the
// current rows are written to the matrix: numbers that have just been sampled are still on their way to
// memory, and later stores would wait for them.
func (d *drawer) matrix(m blas64.General, r role, layer, head int) {
	d.move(r, layer, head, 0)
	for first := 0; first < m.Rows; first += rowsAtOnce {
		buffer := d.draw(m.Cols, r)
		if first+rowsAtOnce < m.Rows {
			d.move(r, layer, head, first+rowsAtOnce)
		}
		d.write(rows(m, first, min(first+rowsAtOnce, m.Rows)), buffer, r)
	}
}

// rows samples up to rowsAtOnce rows of a random matrix, beginning with row first.
func (d *drawer) rows(m blas64.General, r role, layer, head, first int) {
	d.move(r, layer, head, first)
	d.write(m, d.draw(m.Cols, r), r)
}

// move moves the generators of the random numbers to the rows of a matrix from row first on.
func (d *drawer) move(r role, layer, head, first int) {
	d.lanes.SetSteps(kernels.Increments, d.sample, d.step(r, layer, head, first))
}

// draw samples the given number of entries of each row: normal entries or, for attentionRole, the entries of
// a Markov matrix before division by their sum.
func (d *drawer) draw(columns int, r role) []kernels.Vector {
	if len(d.buffer) < columns {
		d.buffer = make([]kernels.Vector, columns)
	}
	buffer := d.buffer[:columns]
	if r == attentionRole {
		d.Law.draw(buffer, d.lanes)
	} else {
		d.lanes.Normals(buffer, 1, 0)
	}
	return buffer
}

// write copies the entries that draw has returned to rows of a matrix.
func (d *drawer) write(m blas64.General, buffer []kernels.Vector, r role) {
	drawn := blas64.General{Rows: m.Cols, Cols: m.Rows, Stride: rowsAtOnce, Data: kernels.Numbers(buffer)}
	if r != attentionRole {
		products.Transpose(m, drawn)
		return
	}
	d.totals = sumsOfLanes(buffer)
	products.TransposeDivided(m, drawn, d.totals[:m.Rows])
}

// sumsOfLanes returns the sums of the rows of a matrix that are stored in the lanes of Vectors; the entries
// of a row are added in their order.
func sumsOfLanes(rows []kernels.Vector) kernels.Vector {
	var a, b, c, d, e, f, g, h float64
	for k := range rows {
		v := &rows[k]
		a, b, c, d = a+v[0], b+v[1], c+v[2], d+v[3]
		e, f, g, h = e+v[4], f+v[5], g+v[6], h+v[7]
	}
	return kernels.Vector{a, b, c, d, e, f, g, h}
}

// draw samples positive entries with the law l, up to a common factor.
func (l Law) draw(dst []kernels.Vector, lanes *kernels.Lanes) {
	numbers := kernels.Numbers(dst)
	switch l {
	case Exponential:
		lanes.Uniforms(dst, 0.5, 0)
		kernels.Logarithms(numbers, 0.5)
	case Uniform:
		lanes.Uniforms(dst, 0.5, 0)
		add(numbers, 0.5)
	case Lognormal:
		lanes.Normals(dst, math.Sqrt(math.Ln2), 0)
		kernels.Exp(dst, dst)
	case HalfNormal:
		lanes.Normals(dst, 1, 0)
		for k, x := range numbers {
			numbers[k] = math.Abs(x)
		}
	}
}

func add(numbers []float64, change float64) {
	for k := range numbers {
		numbers[k] += change
	}
}
