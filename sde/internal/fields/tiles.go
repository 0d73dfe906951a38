package fields

import (
	"gonum.org/v1/gonum/blas"

	"antipode/internal/products"
	"antipode/internal/team"
	"antipode/sde/internal/kernels"
)

// tiles computes attention sums over tokens by matrix products. As the matrix of weights is symmetric, each
// tile of this matrix serves the sums of its rows, and its transpose serves the sums of its columns. A tile,
// which is a square block of the matrix, stays in the cache while the tile and its transpose are multiplied
// by the tokens.
type tiles struct {
	*Field
	free         chan *tile       // as many tiles as there are goroutines
	totals, work []kernels.Vector // four sums of weights for each token; one Vector for each token
	add          func(i, j int, turn team.Turn)

	dst, weighted *kernels.Matrix // result of the current sum, and tokens times masses
}

// tile is the working memory of a goroutine for the weights of some tokens among each other, or with other
// tokens.
type tile struct {
	products           *products.Multiplier
	weights, transpose kernels.Matrix
	scores             []float64 // scores of the pairs, consecutively, for a user-defined function
}

// tileSide is the number of rows and of columns of a tile. tileSide is a multiple of 32, because weights are
// summed in groups of 32.
const tileSide = 128

func newTiles(f *Field) *tiles {
	f.heavy = kernels.NewMatrix(f.of.Count, f.of.Dim)
	t := &tiles{
		Field: f, free: make(chan *tile, f.team.Workers()),
		totals: make([]kernels.Vector, 4*f.of.Count), work: make([]kernels.Vector, f.of.Count),
	}
	side := min(tileSide, 8*kernels.Width(f.of.Count))
	for range f.team.Workers() {
		w := &tile{products.New(1), kernels.NewSquare(side), kernels.NewSquare(side), nil}
		if f.of.Weigh != nil {
			w.scores = make([]float64, side*side)
		}
		t.free <- w
	}
	t.add = t.addTile
	return t
}

func (t *tiles) sum(dst *kernels.Matrix, masses []float64) {
	t.dst, t.weighted = dst, t.weighed(masses)
	totals := t.totals[:4*t.n]
	clear(totals)
	t.team.Triangle((t.n+tileSide-1)/tileSide, t.add)
	factors := t.factors[:t.n]
	kernels.Totals(factors, totals, t.work)
	for i, total := range factors {
		factors[i] = t.factor(total)
	}
}

// span is the range of the tokens that belong to a row or a column of tiles of the matrix of weights.
type span struct{ first, last int }

func (t *tiles) span(k int) span { return span{tileSide * k, min(tileSide*(k+1), t.n)} }

// addTile adds the terms of the pairs of tokens in row i of tiles and tokens in column j.
func (t *tiles) addTile(i, j int, turn team.Turn) {
	w := <-t.free
	rows, columns := t.span(i), t.span(j)
	t.weigh(w, rows, columns)
	turn.Wait()
	t.addTerms(w, &w.weights, rows, columns)
	if i != j {
		t.addTerms(w, &w.transpose, columns, rows)
	}
	t.free <- w
}

// weigh fills a tile with the attention weights of the tokens of rows and columns.
func (t *tiles) weigh(w *tile, rows, columns span) {
	d := t.of.Dim
	down, across := rows.last-rows.first, columns.last-columns.first
	weights := w.weights.General(down, across)
	if rows == columns {
		w.products.Lower(blas.NoTrans, 1, t.x.Part(rows.first, rows.last, d), 0, weights)
		if t.of.Weigh != nil {
			t.weighPairs(w, down, func(i int) int { return i + 1 })
			products.Mirror(weights, 0, down)
			return
		}
		t.weighLower(&w.weights, down)
		return
	}
	w.products.Multiply(blas.NoTrans, blas.Trans, 1, t.x.Part(rows.first, rows.last, d),
		t.x.Part(columns.first, columns.last, d), 0, weights)
	if t.of.Weigh != nil {
		t.weighPairs(w, down, func(int) int { return across })
	} else {
		for k := range down {
			t.kernel.Weigh(w.weights.Row(k)[:kernels.Width(across)])
		}
	}
	products.Transpose(w.transpose.General(across, down), weights)
}

// weighPairs replaces scores by weights with a single call of the user-defined function. Of row k of the
// tile, weighPairs takes the first width(k) scores.
func (t *tiles) weighPairs(w *tile, rows int, width func(row int) int) {
	scores := w.scores[:0]
	for i := range rows {
		scores = append(scores, w.weights.Numbers(i)[:width(i)]...)
	}
	t.of.Weigh(scores)
	for i := range rows {
		scores = scores[copy(w.weights.Numbers(i)[:width(i)], scores):]
	}
}

// addTerms adds the terms of the tokens of span from, with the given weights, to the sums of the tokens of
// span to.
func (t *tiles) addTerms(w *tile, weights *kernels.Matrix, to, from span) {
	down, across, d := to.last-to.first, from.last-from.first, t.of.Dim
	if across%8 != 0 {
		for k := range down {
			clear(kernels.Numbers(weights.Row(k)[:kernels.Width(across)])[across:])
		}
	}
	weights.AddDots(t.totals[4*to.first:4*to.last], 0, t.masses[from.first/8:kernels.Width(from.last)])
	earlier := 1.
	if from.first == 0 {
		earlier = 0
	}
	w.products.Multiply(blas.NoTrans, blas.NoTrans, 1, weights.General(down, across),
		t.weighted.Part(from.first, from.last, d), earlier, t.dst.Part(to.first, to.last, d))
}
