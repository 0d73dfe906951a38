package lanes

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"antipode/internal/products"
	"antipode/internal/team"
	"antipode/sde/internal/kernels"
)

// matrixNoise multiplies the attention of all tokens by the random matrix V of a layer. If there are fewer
// tokens than dimensions and the law of V is invariant under rotations, matrixNoise samples V only on the
// span of the attention A_i of the tokens. For any matrix C with C Cᵀ = A Aᵀ, the vectors V A_i have the
// joint law of the rows of C Z, where Z has a row of d independent normal numbers for each column of C.
type matrixNoise struct {
	of       Recursion
	numbers  *kernels.Lanes
	products *products.Multiplier
	team     *team.Team
	draws    []kernels.Vector // random numbers: V or Z
	drawn    []kernels.Vector // the part of draws that the current layer uses
	parts    []*kernels.Lanes // addresses of the parts of draws, one part for each call of part
	part     func(k int)
	change   kernels.Matrix
	span     *span // nil if V is always sampled in full
}

func newMatrixNoise(r Recursion, t *team.Team) *matrixNoise {
	v := &matrixNoise{
		of: r, numbers: kernels.NewLanes(r.Stream, 1),
		products: products.For(t), team: t,
		draws: make([]kernels.Vector, kernels.Width(r.Dim*r.Dim)), change: kernels.NewMatrix(r.Count, r.Dim),
	}
	for from := 0; from < len(v.draws); from += drawnTogether {
		v.parts = append(v.parts, v.numbers.After(from))
	}
	v.part = v.drawPart
	if most := largestSpan(r); most > 0 {
		v.span = newSpan(most, r.Dim, v.products, t)
	}
	return v
}

// largestSpan returns the largest number of tokens for which the matrix V of a layer is sampled only on the
// span of their attention, or 0 if V is always sampled in full.
func largestSpan(r Recursion) int {
	if !r.OnSpan {
		return 0
	}
	return min(r.Count, mostSpan(r.Dim))
}

// mostSpan returns the largest number of tokens of dimension d = dim for which sampling the matrix V on the
// span of their attention is about as fast as sampling all of V. The returned number was measured, as the
// geometric mean over the instruction sets.
func mostSpan(dim int) int { return max(dim/3, dim/2-12) }

// DrawsOnSpan reports whether the lanes of NewMatrixTokens sample matrices only on the span of the attention
// of the tokens, as long as no tokens have merged.
func DrawsOnSpan(r Recursion) bool { return r.Count <= largestSpan(r) }

// multiply returns the products of V with each of the first n rows of field, where V is the random matrix of
// the layer at which the trajectory at has arrived.
func (v *matrixNoise) multiply(field *kernels.Matrix, n int, at *Lane) *kernels.Matrix {
	d := v.of.Dim
	v.numbers.SetAll(kernels.Increments, at.Trajectory, at.Layer)
	change := v.change.General(n, d)
	if v.span != nil && n <= v.span.most {
		v.span.multiply(&v.change, v.draw(v.span.factorise(field, n)))
		return &v.change
	}
	v.products.Multiply(blas.NoTrans, blas.Trans, 1, field.General(n, d), v.draw(d), 0, change)
	return &v.change
}

// draw samples rows of d random numbers.
func (v *matrixNoise) draw(rows int) blas64.General {
	d := v.of.Dim
	v.drawn = v.draws[:kernels.Width(rows*d)]
	v.team.Each((len(v.drawn)+drawnTogether-1)/drawnTogether, v.part)
	return blas64.General{Rows: rows, Cols: d, Stride: d, Data: kernels.Numbers(v.drawn)}
}

// drawnTogether is the number of Vectors of random numbers that a goroutine samples at a time.
const drawnTogether = 2048

func (v *matrixNoise) drawPart(k int) {
	from := k * drawnTogether
	v.of.Draw(v.drawn[from:min(from+drawnTogether, len(v.drawn))], v.parts[k])
}
