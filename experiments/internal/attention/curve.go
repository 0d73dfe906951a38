package attention

import (
	"cmp"
	"math"
	"slices"

	"antipode/experiments/internal/statistics"
	"antipode/internal/lists"
)

// Curve is a statistic of random attention networks, such as a singular value, as a function of the number of
// tokens. The kind of network, the depth and the layer are the same for all points of a curve.
type Curve struct {
	Kind
	Layers, Layer int
	Points        []Point // points in the order of the table
}

// Point is the estimate of a statistic of networks with a given number of tokens.
type Point struct {
	Tokens float64
	statistics.Estimate
	Limit, Bound float64 // theoretical values; NaN if there is no theory
}

// CurvesOf groups the rows of a table into curves, ordered by the kind of network and then by their first
// rows. The function of returns the curve to which a row belongs, without points, and the point of the row.
func CurvesOf[Row any](kinds []Kind, rows []Row, of func(r Row) (Curve, Point)) (curves []*Curve) {
	type place struct {
		Kind
		layers, layer int
	}
	known := map[place]*Curve{}
	for _, r := range rows {
		empty, point := of(r)
		at := place{empty.Kind, empty.Layers, empty.Layer}
		if known[at] == nil {
			known[at] = &empty
			curves = append(curves, &empty)
		}
		known[at].Points = append(known[at].Points, point)
	}
	slices.SortStableFunc(curves, func(a, b *Curve) int {
		return cmp.Compare(slices.Index(kinds, a.Kind), slices.Index(kinds, b.Kind))
	})
	return curves
}

// Last returns the point of the curve with the largest number of tokens.
func (c *Curve) Last() Point {
	last := c.Points[0]
	for _, p := range c.Points {
		if p.Tokens > last.Tokens {
			last = p
		}
	}
	return last
}

// Plus returns the curve of the statistic plus a constant x. The new curve has no theory.
func (c *Curve) Plus(x float64) *Curve {
	sum := *c
	sum.Points = nil
	for _, p := range c.Points {
		shifted := statistics.Estimate{Value: x + p.Value, Stderr: p.Stderr}
		sum.Points = append(sum.Points, Point{Tokens: p.Tokens, Estimate: shifted, Limit: math.NaN(),
			Bound: math.NaN()})
	}
	return &sum
}

// Rate fits the statistic by a power of the number of tokens, and returns the power; the argument correction
// is that of FitRate.
func (c *Curve) Rate(correction float64) Rate {
	sizes := lists.Map(c.Points, func(p Point) float64 { return p.Tokens })
	means := lists.Map(c.Points, func(p Point) float64 { return p.Value })
	errors := lists.Map(c.Points, func(p Point) float64 { return p.Stderr })
	return FitRate(sizes, means, errors, correction)
}
