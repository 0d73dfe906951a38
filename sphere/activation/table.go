package activation

import (
	"math"

	"antipode/sphere/elementary"
	"antipode/sphere/memo"
)

// A Table interpolates (1+φ̂(z))/(1+z) and (1-φ̂(z))/(1-z) as functions of s = 2(1+z) and d = 2(1-z), the
// squared lengths of the sum and the difference of two unit vectors. The quotient with the smaller
// denominator is interpolated by polynomials in x = min(s, d) on cells of x, 32 for each power of two. The
// quotient with the greater denominator follows from the interpolated quotient. The singularities of φ̂ are
// at x ≤ 0, at least 33 half-widths of a cell from the middle of the cell. So interpolation at eight
// Chebyshev points has an error of 1e-16. A Table is immutable, and safe for concurrent use.
type Table struct {
	// Cells holds, for each cell, the coefficients of powers of t in [-½, ½]. If the activation is odd, all
	// cells belong to the quotient (1-φ̂)/(1-z) for d ≤ s. If the activation is not odd, only the cells
	// before Even belong to (1-φ̂)/(1-z), and the cells from Even on belong to s(1+φ̂)/(1+z) for s < d. The
	// first cell of each kind holds the limit for x → 0.
	Cells [][tablePoints]float64
	First uint64 // number of the first cell in the numbering of all float64 values
	Even  int    // index of the first cell of s(1+φ̂)/(1+z); 0 if φ is odd
}

const (
	tablePoints = 8
	tableShift  = 47 // number of mantissa bits that determine the position in a cell
	tableCells  = 1 << (52 - tableShift)
)

// tables holds recently used tables of correlations, as an experiment uses a few tables again and again.
var tables = memo.Of(16, func(of tableKey) *Table {
	c, err := NewCorrelation(of.Activation, of.variance)
	if err != nil {
		panic(err) // impossible: the key comes from a valid Correlation
	}
	return c.newTable()
})

type tableKey struct {
	Activation
	variance float64
}

// Table returns the table that interpolates the correlation.
func (c *Correlation) Table() *Table { return tables.At(tableKey{c.activation, c.variance}) }

func (c *Correlation) newTable() *Table {
	lowest := 2 - int(math.Ceil(2/math.Ln2*c.Reach()))
	t := &Table{First: math.Float64bits(math.Ldexp(1, lowest))>>tableShift - 1}
	t.Cells = c.cells(lowest, c.nearOne)
	if !c.Odd() {
		t.Even = len(t.Cells)
		t.Cells = append(t.Cells, c.cells(lowest, c.nearMinusOne)...)
	}
	return t
}

// cells returns the cells of a table of the function value(x) for x from 2^lowest to 2, preceded by a cell
// that holds value(0).
func (c *Correlation) cells(lowest int, value func(x float64) float64) [][tablePoints]float64 {
	var nodes [tablePoints]float64
	for i := range nodes {
		_, nodes[i] = elementary.SinCos(float64(math.Pi * (float64(i) + 0.5) / tablePoints))
	}
	cells := make([][tablePoints]float64, 1, 1+(1-lowest)*tableCells)
	cells[0][0] = value(0)
	for power := lowest; power < 1; power++ {
		for k := range tableCells {
			var values [tablePoints]float64
			for i, y := range nodes {
				place := float64((float64(k) + 0.5 + float64(0.5*y)) / tableCells)
				values[i] = value(math.Ldexp(1+place, power))
			}
			cells = append(cells, powers(&values, &nodes))
		}
	}
	return cells
}

// powers returns the coefficients, in powers of t = y/2, of the polynomial with the given values at the nodes
// y.
func powers(values, nodes *[tablePoints]float64) (c [tablePoints]float64) {
	var before, now [tablePoints]float64 // coefficients of T_(k-1) and T_k in powers of y
	now[0] = 1
	for k := range tablePoints {
		sum := 0.0
		for i, y := range nodes {
			last, value := y, 1.0 // the Chebyshev polynomials T_-1 and T_0
			for range k {
				last, value = value, float64(2*y*value)-last
			}
			sum += float64(values[i] * value)
		}
		if sum *= 2.0 / tablePoints; k == 0 {
			sum *= 0.5
		}
		var next [tablePoints]float64
		for j := range tablePoints {
			c[j] += float64(sum * now[j])
			if next[j] = -before[j]; j > 0 {
				next[j] += 2 * now[j-1]
			}
		}
		if k == 0 {
			next[1] = 1
		}
		before, now = now, next
	}
	for j := range c {
		c[j] = math.Ldexp(c[j], j)
	}
	return c
}

// place returns the overlap z ≥ 0 with 2(1-z) = x.
func place(x float64) overlap {
	at := overlap{math.Inf(1), 1 - float64(0.5*x), 2 - float64(0.5*x), 0.5 * x}
	if x > 0 {
		at.u = 0.5 * elementary.Log(4/x-1)
	}
	return at
}

// other returns (1-f(z))/(1-z) at an overlap z, where f is the non-linear part of the correlation φ̂.
func (c *Correlation) other(at overlap) float64 {
	if c.activation == Linear {
		return 1
	}
	return c.fall(at)
}

// nearOne returns (1-φ̂(z))/(1-z) for the overlap z ≥ 0 with x = 2(1-z).
func (c *Correlation) nearOne(x float64) float64 {
	return c.linear + float64((1-c.linear)*c.other(place(x)))
}

// nearMinusOne returns 2(1+φ̂(z)) for the overlap z ≤ 0 with x = 2(1+z), for a correlation φ̂ with an even
// part.
func (c *Correlation) nearMinusOne(x float64) float64 {
	at := place(x)
	return float64(c.linear*x) + float64((1-c.linear)*(4-2*float64(at.below*c.other(at))))
}

// Shares writes (1+φ̂(z))/(1+z) to plus and (1-φ̂(z))/(1-z) to minus, for many pairs of unit vectors at once.
// The arguments s and d hold the squared lengths s = 2(1+z) of the sums and d = 2(1-z) of the differences of
// the two unit vectors of a pair. If the activation is not odd, (1+φ̂(z))/(1+z) grows like 1/s as z → -1, and
// is +Inf at z = -1. All slices must have the same length. The relative error of Shares is below 4e-14.
func (t *Table) Shares(plus, minus, s, d [][8]float64) {
	for v := range plus {
		for k := range 8 {
			plus[v][k], minus[v][k] = t.at(s[v][k], d[v][k])
		}
	}
}

// at returns the quotients plus = (1+φ̂(z))/(1+z) and minus = (1-φ̂(z))/(1-z). As s(1+φ̂)/(1+z) +
// d(1-φ̂)/(1-z) = 4, each quotient follows from the other. The quotient plus follows from minus without loss
// of accuracy where φ̂ ≥ 0.
func (t *Table) at(s, d float64) (plus, minus float64) {
	switch {
	case s < d && t.Even > 0:
		plus = t.look(t.Even, s)
		return plus / s, (4 - plus) / d
	case s < d:
		plus = t.look(0, s)
		return plus, (4 - float64(s*plus)) / d
	}
	minus = t.look(0, d)
	return (4 - float64(d*minus)) / s, minus
}

// look evaluates, at x, the polynomial of the cell that contains x, among the cells from index from on. An x
// that exceeds 2 by rounding, or is NaN, is replaced by the number before 2.
func (t *Table) look(from int, x float64) float64 {
	if !(x < 2-0x1p-52) {
		x = 2 - 0x1p-52
	}
	bits := max(math.Float64bits(x), t.First<<tableShift)
	c := &t.Cells[from+int(bits>>tableShift-t.First)]
	within := math.Float64frombits(bits&(1<<tableShift-1) | 0x3ff<<52)
	y := float64(tableCells*within) - (tableCells + 0.5)
	square := float64(y * y) // summing even and odd powers separately is faster
	even := float64((float64((float64(c[6]*square)+c[4])*square)+c[2])*square) + c[0]
	odd := float64((float64((float64(c[7]*square)+c[5])*square)+c[3])*square) + c[1]
	return even + float64(y*odd)
}
