package threetokens

import (
	"math"

	"antipode/overlap/internal/quadrature"
	"antipode/sphere/elementary"
)

// outcomes returns the probability single that all three overlaps are at least 1-τ, and the probability
// twoAgainstOne that one overlap is at least 1-τ and two overlaps are at most -1+τ, for the tolerance τ.
func (g *grid) outcomes(mass []float64, tolerance float64) (single, twoAgainstOne float64) {
	total := 0.0
	for _, m := range mass {
		total += m
	}
	single = 1 - total // mass beyond the last row of the grid
	line := g.rowsOf(mass, 0, 0)
	// r = cot(ω/2), 1-cos ω = 2/(1+r²) and 1+cos ω = 2r²/(1+r²).
	single += g.above(line, g.of(math.Sqrt((2-tolerance)/tolerance)))
	twoAgainstOne = g.sum(line) - g.above(line, g.of(math.Sqrt(tolerance/(2-tolerance))))
	for k := range g.x {
		for i := 1; i < g.closeness; i++ {
			single += g.above(g.rowsOf(mass, i, k), g.within(i, k, tolerance))
		}
		twoAgainstOne += g.opposite(mass, k, tolerance, 2)
	}
	return single, twoAgainstOne
}

// kink returns the amount by which the probability twoAgainstOne of outcomes changes if the last range of q
// begins exactly where the condition m12 ≤ τ begins to bound m13. There the integrand has a kink, which is
// farthest inside the range in two dimensions and for a great tolerance.
func (g *grid) kink(mass []float64, tolerance float64) (change float64) {
	for k := range g.x {
		change += g.opposite(mass, k, tolerance, 1+math.Sqrt(1-float64(0.5*tolerance))) -
			g.opposite(mass, k, tolerance, 2)
	}
	return change
}

// rowsOf returns the masses of the states (q_i, x_k) in all rows of the grid.
func (g *grid) rowsOf(mass []float64, i, k int) []float64 {
	rows := make([]float64, g.rows)
	for j := range rows {
		rows[j] = mass[j*g.size()+g.state(i, k)]
	}
	return rows
}

func (g *grid) sum(rows []float64) (sum float64) {
	for _, m := range rows {
		sum += m
	}
	return sum
}

// above returns the mass above y, given the masses of the rows. The sum over rows is a midpoint rule. So for
// the edge b of a cell of y and the density f, the Euler-Maclaurin formula gives
//
//	∫_b f dy = width·Σ f - width²/24·f'(b) + 7·width⁴/5760·f⁽³⁾(b).
//
// From y to the nearest edge of a cell, the interpolated density is integrated. A narrow density changes much
// from row to row, and fromEdge takes more rows and higher derivatives.
func (g *grid) above(rows []float64, y float64) float64 {
	position := y / g.width // in units of the width, the edges of cells are integers
	edge := int(math.Round(position))
	if edge >= g.rows {
		return 0
	}
	edge = max(edge, 0)
	at := func(j int) float64 { // the density behaves like y^(d-2) near y = 0
		switch {
		case j >= g.rows:
			return 0
		case j < 0 && g.dim%2 == 1:
			return -rows[-1-j]
		case j < 0:
			return rows[-1-j]
		}
		return rows[j]
	}
	sum := 0.0
	for j := edge; j < g.rows; j++ {
		sum += rows[j]
	}
	if edge == 0 {
		return sum
	}
	s := position - float64(edge)
	if narrow(g.dim) {
		values := make([]float64, 2*stencil)
		for k := range values {
			values[k] = at(edge - stencil + k)
		}
		return sum + fromEdge(values, s)
	}
	a, b, c, d := at(edge-2), at(edge-1), at(edge), at(edge+1)
	value := float64((float64(9*(b+c)) - (a + d)) / 16)
	slope := (float64(27*(c-b)) - (d - a)) / 24
	curve := float64(0.5 * (d - c - b + a))
	third := d - float64(3*c) + float64(3*b) - a
	sum += -slope/24 + 7*third/5760
	return sum - float64(s*(value+float64(s*(float64(slope/2)+float64(s*(curve/6+s*third/24))))))
}

// within returns the y above which all three overlaps are at least 1-τ, for q_i and x_k and the tolerance τ.
func (g *grid) within(i, k int, tolerance float64) float64 {
	low, high := 0.0, float64(g.rows)*g.width
	for range 50 {
		middle := 0.5 * (low + high)
		r := g.ratio(middle)
		if _, _, m23 := placeOf(alphaAt(g.q[i], r, g.x[k]), r, g.x[k]).distances(); m23 > tolerance {
			low = middle
		} else {
			high = middle
		}
	}
	return 0.5 * (low + high)
}

// opposite returns the mass of the states with x_k, m12 ≤ τ and m13 ≥ 2-τ. In these states the first two
// tokens are within the tolerance τ of each other, and the third token is within τ of the opposites of both.
// The condition m12 ≤ τ bounds q by log τ/m13. The density in q is interpolated, and integrated up to this
// bound.
//
// The last range of q begins at log τ/greatest, where the condition m12 ≤ τ begins to bound m13. The greatest
// m13 is 1+√(1-τ/2), a little below 2; see kink.
func (g *grid) opposite(mass []float64, k int, tolerance, greatest float64) (sum float64) {
	low, high := elementary.Log(tolerance/greatest), elementary.Log(tolerance/(2-tolerance))
	const panels = 4
	for p := range panels {
		width := (low + g.length) / panels
		sum += g.integrateOpposite(mass, k, tolerance, -g.length+float64(width*float64(p)), width, false)
	}
	return sum + g.integrateOpposite(mass, k, tolerance, low, high-low, true)
}

// range13 returns the range of y in which m12 ≤ τ and m13 ≥ 2-τ, at the closeness q and at x_k, for the
// tolerance τ.
func (g *grid) range13(q float64, k int, tolerance float64) (from, until float64) {
	ratio := elementary.Exp(q)
	until = g.of(ratioAt(ratio*(2-tolerance), 2-tolerance, g.x[k]))
	if most := tolerance / ratio; most < 2 {
		from = g.of(ratioAt(tolerance, most, g.x[k]))
	}
	return from, until
}

// integrateOpposite returns the contribution of a range of q to the mass that opposite returns. The argument
// bounded tells whether the condition m12 ≤ τ bounds m13 in this range.
func (g *grid) integrateOpposite(
	mass []float64, k int, tolerance, start, width float64, bounded bool,
) (sum float64) {
	for n, node := range quadrature.Gauss.Node {
		share := 0.5 * (1 + node)
		weight := float64(0.5 * quadrature.Gauss.Weight[n] * width)
		if bounded { // m13 behaves like a square root at the end of the range
			weight = float64(weight * 2 * share)
			share *= share
		}
		q := start + float64(width*share)
		rows := make([]float64, g.rows)
		for i, w := range g.interpolation(q) {
			if i > 0 {
				for j := range rows {
					rows[j] += w * mass[j*g.size()+g.state(i, k)] / g.weightQ[i]
				}
			}
		}
		from, until := g.range13(q, k, tolerance)
		if until > from {
			sum += float64(weight * (g.above(rows, from) - g.above(rows, until)))
		}
	}
	return sum
}
