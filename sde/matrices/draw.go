package matrices

import (
	"math"

	"antipode/sde/internal/kernels"
	"antipode/sde/internal/products"

	"gonum.org/v1/gonum/blas/blas64"
)

// rowsAtOnce is how many rows of a matrix are drawn side by side, in the lanes of vector
// instructions.
const rowsAtOnce = 8

// drawer draws rows of matrices of one sample; it is for one goroutine.
type drawer struct {
	source
	lanes  *kernels.Lanes
	buffer []kernels.Vector // an entry of each of the rows
}

func (s source) drawer() *drawer { return &drawer{source: s, lanes: kernels.NewLanes(s.stream, 1)} }

// rows draws up to rowsAtOnce rows of a matrix with these columns, from a first one on:
// normal numbers, or for the role of attention a Markov matrix.
func (d *drawer) rows(dst []float64, columns int, r role, layer, head, first int) {
	for k := range rowsAtOnce {
		d.lanes.Set(k, kernels.Increments, d.sample, d.step(r, layer, head, first+k))
	}
	if len(d.buffer) < columns {
		d.buffer = make([]kernels.Vector, columns)
	}
	buffer := d.buffer[:columns]
	if r == attentionRole {
		d.Law.draw(buffer, d.lanes)
	} else {
		d.lanes.Normals(buffer, 1, 0)
	}
	count := len(dst) / columns
	products.Transpose(blas64.General{Rows: count, Cols: columns, Stride: columns, Data: dst},
		blas64.General{Rows: columns, Cols: count, Stride: rowsAtOnce, Data: kernels.Numbers(buffer)})
	if r == attentionRole {
		for k := range count {
			row := dst[k*columns : (k+1)*columns]
			divide(row, sum(row))
		}
	}
}

// draw draws positive entries, up to a common factor.
func (l Law) draw(dst []kernels.Vector, lanes *kernels.Lanes) {
	switch l {
	case Exponential:
		lanes.Uniforms(dst, 0.5, 0)
		each(dst, func(x float64) float64 { return x + 0.5 })
		kernels.Log(dst, dst)
		each(dst, func(x float64) float64 { return -x })
	case Uniform:
		lanes.Uniforms(dst, 0.5, 0)
		each(dst, func(x float64) float64 { return x + 0.5 })
	case Lognormal:
		lanes.Normals(dst, math.Sqrt(math.Ln2), 0)
		kernels.Exp(dst, dst)
	case HalfNormal:
		lanes.Normals(dst, 1, 0)
		each(dst, math.Abs)
	}
}

func each(dst []kernels.Vector, f func(x float64) float64) {
	for v := range dst {
		for k, x := range dst[v] {
			dst[v][k] = f(x)
		}
	}
}
