package activation

import (
	"math"

	"antipode/sphere/elementary"
	"antipode/sphere/memo"
)

// A Table is (1+φ̂(z))/(1+z) and (1-φ̂(z))/(1-z) as functions of the squares s = 2(1+z) and d = 2(1-z) of the
// sum and the difference of two unit vectors: polynomials in the smaller square x, of 32 cells for each power
// of two, for that of the two whose denominator is small, and the other one from it. The singularities are at
// x ≤ 0, from the middle of a cell at least 33 times its half width away, so that eight Chebyshev points
// leave an error of 1e-16. It is immutable, and safe for concurrent use.
type Table struct {
	// Cells are coefficients in powers of t from -½ to ½: of (1-φ̂)/(1-z) by d ≤ s, the first one with the
	// limit, and from Even on, if φ is not odd, of s(1+φ̂)/(1+z) by s < d.
	Cells [][tablePoints]float64
	First uint64 // number of the first cell, of all float64
	Even  int    // 0 if φ is odd
}

const (
	tablePoints = 8
	tableShift  = 47 // bits of a mantissa that are the place in a cell
	tableCells  = 1 << (52 - tableShift)
)

// tables are those that have been made: the last few, as a grid of cells asks for one again and again.
var tables = memo.Of(16, func(of tableKey) *Table {
	c, err := NewCorrelation(of.Activation, of.variance)
	if err != nil {
		panic(err) // one of these has asked
	}
	return c.newTable()
})

type tableKey struct {
	Activation
	variance float64
}

// Table returns the table of the correlation.
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

// cells are those of squares from 2^lowest to 2, after one with the limits.
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

// powers returns the coefficients, in powers of t = y/2, of the polynomial through values at the nodes y.
func powers(values, nodes *[tablePoints]float64) (c [tablePoints]float64) {
	var before, now [tablePoints]float64 // coefficients of T_(k-1) and T_k in powers of y
	now[0] = 1
	for k := range tablePoints {
		sum := 0.0
		for i, y := range nodes {
			last, value := y, 1.0 // T_-1 and T_0
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

// place is an overlap z ≥ 0 with 2(1-z) = x.
func place(x float64) overlap {
	at := overlap{math.Inf(1), 1 - float64(0.5*x), 2 - float64(0.5*x), 0.5 * x}
	if x > 0 {
		at.u = 0.5 * elementary.Log(4/x-1)
	}
	return at
}

// other is 1-f of an overlap over 1-z, for the part f of φ̂ that is not linear.
func (c *Correlation) other(at overlap) float64 {
	if c.activation == Linear {
		return 1
	}
	return c.fall(at)
}

// nearOne returns (1-φ̂(z))/(1-z) where z ≥ 0, of x = 2(1-z).
func (c *Correlation) nearOne(x float64) float64 {
	return c.linear + float64((1-c.linear)*c.other(place(x)))
}

// nearMinusOne returns 2(1+φ̂(z)) where z ≤ 0, of x = 2(1+z) and an even part f.
func (c *Correlation) nearMinusOne(x float64) float64 {
	at := place(x)
	return float64(c.linear*x) + float64((1-c.linear)*(4-2*float64(at.below*c.other(at))))
}

// Shares writes (1+φ̂(z))/(1+z) and (1-φ̂(z))/(1-z) of two unit vectors to plus and minus, in lanes, given
// the squares s = 2(1+z) and d = 2(1-z) of their sum and difference. With an activation that is not odd the
// first one grows like 1/s at z = -1, where it is +Inf. Slices have one length. The relative error is below
// 4e-14.
func (t *Table) Shares(plus, minus, s, d [][8]float64) {
	for v := range plus {
		for k := range 8 {
			plus[v][k], minus[v][k] = t.at(s[v][k], d[v][k])
		}
	}
}

// at returns both: as s(1+φ̂)/(1+z) + d(1-φ̂)/(1-z) = 4, one has no digits less than the other where φ̂ ≥ 0.
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

// look evaluates the polynomial of the cell in which a square is, of those from one on. A square beyond 2 by
// rounding, and NaN, are taken for 2.
func (t *Table) look(from int, x float64) float64 {
	if !(x < 2-0x1p-52) {
		x = 2 - 0x1p-52
	}
	bits := max(math.Float64bits(x), t.First<<tableShift)
	c := &t.Cells[from+int(bits>>tableShift-t.First)]
	within := math.Float64frombits(bits&(1<<tableShift-1) | 0x3ff<<52)
	y := float64(tableCells*within) - (tableCells + 0.5)
	square := float64(y * y) // the even and the odd powers are summed apart, which is faster
	even := float64((float64((float64(c[6]*square)+c[4])*square)+c[2])*square) + c[0]
	odd := float64((float64((float64(c[7]*square)+c[5])*square)+c[3])*square) + c[1]
	return even + float64(y*odd)
}
