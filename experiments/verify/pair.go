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
func seePair(v *sde.View) (p pair) {
	p.above, p.below = v.Logarithms(0, v.Count()-1)
	return p
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
	ends, err := follow(l, c, trajectories, everyLayers(between, layers), func(row *pair, v *sde.View) { *row = seePair(v) },
		func(v *sde.View) bool {
			p := seePair(v)
			return min(p.above, p.below) <= edge
		})
	return count(ends, func(p pair) bool { return p.above <= edge }), count(ends, func(p pair) bool { return p.below <= edge }), err
}
