package verify

import (
	"antipode/sde"
	"antipode/sphere/elementary"
)

// pair is the overlap Z of two tokens or clusters, as ln(1+Z) and ln(1-Z).
type pair struct{ above, below float64 }

// z is the overlap.
func (p pair) z() float64 {
	if p.above < p.below {
		return elementary.Expm1(p.above)
	}
	return -elementary.Expm1(p.below)
}

// seePair sees the overlap of the first and the last token of a cell.
func seePair(c sde.Cell) func(x []float64) pair {
	if c.Method == sde.Chain {
		return func(x []float64) pair { return pair{x[0], x[1]} }
	}
	return func(x []float64) pair {
		sum, difference := 0.0, 0.0
		last := x[len(x)-c.Dim:]
		for k, v := range x[:c.Dim] {
			s, d := v+last[k], v-last[k]
			sum += float64(s * s)
			difference += float64(d * d)
		}
		return pair{elementary.Log(0.5 * sum), elementary.Log(0.5 * difference)}
	}
}

// transformerPair is a pair of tokens of recursion (4) at an overlap, with σ = 1 and
// Gaussian matrices, by its chain.
func transformerPair(dim int, beta float64, attention sde.Attention, depth int, overlap float64) sde.Cell {
	return sde.Cell{
		Model: sde.Transformer{Sigma: 1}, Method: sde.Chain, Attention: attention,
		Tokens: 2, Dim: dim, Beta: beta, Depth: depth, Start: sde.PairStart{Overlap: overlap},
	}
}

// exits counts how many trajectories of a pair come to 1+Z ≤ band before 1-Z ≤ band
// within some layers, and the other way round. They are looked at in every eighth
// layer, when those that have got there have got nearer.
func exits(l *laboratory, c sde.Cell, trajectories, layers int64, band float64) (antipodal, single int, err error) {
	const between = 8
	edge := elementary.Log(band)
	ends, err := follow(l, c, trajectories, everyLayers(between, layers), func(c sde.Cell) func(*pair, int64, []float64) {
		see := seePair(c)
		return func(row *pair, _ int64, x []float64) { *row = see(x) }
	}, func(c sde.Cell) func([]float64) bool {
		see := seePair(c)
		return func(x []float64) bool {
			p := see(x)
			return min(p.above, p.below) <= edge
		}
	})
	return count(ends, func(p pair) bool { return p.above <= edge }), count(ends, func(p pair) bool { return p.below <= edge }), err
}
