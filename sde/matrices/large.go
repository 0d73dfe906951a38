package matrices

import (
	"context"
	"runtime"
	"sync"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// Large is a sample of a network of Markov matrices that is so large that its signal is not computed. Only
// products of the matrices of a Large with vectors are formed. The network of a Large has one head and
// neither skip connections nor LayerNorm.
type Large struct {
	source           source
	workers          int
	attention, value []blas64.General // matrices of each layer; value[0] is multiplied by the input
}

// rowsOfChunk is the number of rows of a matrix that a goroutine processes together, as a chunk. A chunk of
// 10,000 columns stays in the cache of a processor. The number of rows must not depend on the number of
// workers; otherwise the rounding of sums over chunks would depend on the number of workers.
const rowsOfChunk = 16

// LargeMemory returns the memory of a Large in bytes: that of its matrices, and of the bases of Lanczos'
// method.
func (n Network) LargeMemory() float64 {
	t, d, layers := float64(n.Tokens), float64(n.Dim), float64(n.Layers)
	const basis = 300
	return 8 * (float64(layers*t*t) + float64(t*d) + float64((layers-1)*d*d) + float64(basis*max(t, d)))
}

// NewLarge samples the matrices of a network that is too large for a Signal. If workers is 0, there is one
// worker for each processor. The network must be valid and have Markov attention, Gaussian values and a
// single head, without skip connections and LayerNorm.
func (n Network) NewLarge(ctx context.Context, seed uint64, sample int64, workers int) (*Large, error) {
	if n.Attention != Markov || n.Skip || n.LayerNorm || n.Heads != 1 || n.Gap == RemoveOutliers ||
		n.Values != GaussianValues {
		panic("matrices: only a network of Markov and Gaussian matrices alone can be large")
	}
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	s := n.source(seed, sample)
	g := &Large{source: s, workers: workers}
	for l := range n.Layers {
		a := g.draw(ctx, newGeneral(n.Tokens, n.Tokens), attentionRole, l)
		if n.Gap != KeepGap { // rows of Markov matrices sum to 1, so RemoveMeans and RemoveUniform agree
			g.chunks(n.Tokens, func(_, first, end int) {
				centreRows(rows(a, first, end))
			})
		}
		rows := n.Dim
		if l == 0 {
			rows = n.Tokens
		}
		g.attention = append(g.attention, a)
		g.value = append(g.value, g.draw(ctx, newGeneral(rows, n.Dim), valueRole, l))
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	return g, nil
}

// draw samples the matrix m of a layer, counted from 0, and returns m.
func (g *Large) draw(ctx context.Context, m blas64.General, r role, layer int) blas64.General {
	drawers := make([]*drawer, parts)
	g.chunks(m.Rows, func(part, first, end int) {
		if ctx.Err() != nil {
			return
		}
		if drawers[part] == nil {
			drawers[part] = g.source.drawer()
		}
		for ; first < end; first += rowsAtOnce {
			drawers[part].rows(rows(m, first, min(first+rowsAtOnce, end)), r, layer, 0, first)
		}
	})
	return m
}

// chunks calls work for every chunk of rows, distributed over several workers. Each worker has a number,
// part, and processes consecutive chunks.
func (g *Large) chunks(rows int, work func(part, first, end int)) {
	var wait sync.WaitGroup
	next := make(chan int, parts)
	for part := range parts {
		next <- part
	}
	close(next)
	for range g.workers {
		wait.Add(1)
		go func() {
			defer wait.Done()
			for part := range next {
				for first := part * rows / parts; first < (part+1)*rows/parts; first += rowsOfChunk {
					work(part, first, min(first+rowsOfChunk, (part+1)*rows/parts))
				}
			}
		}()
	}
	wait.Wait()
}

// parts is the number of separate partial sums over chunks of rows, which are added in order.
const parts = 16

// gram returns MᵀM src for a matrix m, in a single pass through the matrix.
func (g *Large) gram(m blas64.General, src []float64) []float64 {
	return g.overRows(m, func(chunk blas64.General, first int, dst []float64) {
		y := make([]float64, chunk.Rows)
		blas64.Gemv(blas.NoTrans, 1, chunk, dense(src), 0, dense(y))
		blas64.Gemv(blas.Trans, 1, chunk, dense(y), 1, dense(dst))
	})
}

// transposed returns the product Mᵀ src of the transpose of the matrix m with a vector.
func (g *Large) transposed(m blas64.General, src []float64) []float64 {
	return g.overRows(m, func(chunk blas64.General, first int, dst []float64) {
		blas64.Gemv(blas.Trans, 1, chunk, dense(src[first:first+chunk.Rows]), 1, dense(dst))
	})
}

// overRows returns a vector with an entry for each column of the matrix m: the sum, over chunks of rows, of
// the vectors that the function add adds to dst.
func (g *Large) overRows(m blas64.General,
	add func(chunk blas64.General, first int, dst []float64)) []float64 {
	sums := make([][]float64, parts)
	g.chunks(m.Rows, func(part, first, end int) {
		if sums[part] == nil {
			sums[part] = make([]float64, m.Cols)
		}
		add(rows(m, first, end), first, sums[part])
	})
	total := make([]float64, m.Cols)
	for _, s := range sums {
		if s != nil {
			blas64.Axpy(1, dense(s), dense(total))
		}
	}
	return total
}

// times returns the product of the matrix m with the vector src.
func (g *Large) times(m blas64.General, src []float64) []float64 {
	dst := make([]float64, m.Rows)
	g.chunks(m.Rows, func(_, first, end int) {
		blas64.Gemv(blas.NoTrans, 1, rows(m, first, end), dense(src), 0, dense(dst[first:end]))
	})
	return dst
}

func rows(m blas64.General, first, end int) blas64.General {
	return blas64.General{Rows: end - first, Cols: m.Cols, Stride: m.Stride, Data: m.Data[first*m.Stride:]}
}
