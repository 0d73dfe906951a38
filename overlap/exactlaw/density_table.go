package exactlaw

import (
	"math"
	"sync"
	"sync/atomic"

	"antipode/sphere/elementary"
	"antipode/sphere/memo"
)

// A densityTable holds the function G(Q, B) of the package comment, on which the density of the shape of two
// tokens after a layer depends, in a dimension above 2. The function G is tabulated, at the first use, in
// panels: eighths of an octave of 1+Q/scale, and fourths of y in [0, 1], where y is 1 at B² = 4Q and 0 at B =
// ∞.
type densityTable struct {
	dim, scale float64
	building   sync.Mutex
	moment     *interpolant // log M as a function of half the square of the mean
	panels     [mostOctaves * partsInX * partsInY]atomic.Pointer[panel]
}

const (
	mostOctaves = 150
	partBits    = 3
	partsInX    = 1 << partBits
	partsInY    = 4
	fewNodes    = 9 // number of Chebyshev nodes of most panels
)

// A panel is a polynomial in 2x-1 and 2y-1 that interpolates G: coefficients[i][j] is the coefficient of
// (2y-1)^i (2x-1)^j.
type panel struct {
	rows         int
	coefficients [][mostNodes]float64
}

// densityTables holds the tables of the function G, indexed by the dimension of the tokens.
var densityTables = memo.Of(0, newDensityTable)

func newDensityTable(dim int) *densityTable {
	d := float64(dim)
	s := &densityTable{dim: d, scale: 2 + float64(0.5*d)}
	mean := newInterpolant(1+float64(0.5*d), -float64(0.5*(d-1)), func(kappa float64) float64 {
		return sphereMean(dim, kappa, func(float64) float64 { return 0 })
	})
	s.moment = newInterpolant(1+float64(0.5*d), 0.5*d, func(z float64) float64 {
		b := math.Sqrt(2 * z)
		middle := 0.5 * (b + math.Sqrt(float64(b*b)+float64(4*(d+2)))) // approximate maximum of the integrand
		step := 0.4 / math.Sqrt(float64(middle*middle)+d+2)
		return logTrapezoid(elementary.Log(middle), step, func(x float64) float64 {
			r := elementary.Exp(x)
			return float64(2*d*x) + mean.at(r*b) - float64(0.5*(r-b)*(r-b))
		})
	})
	return s
}

// at returns the function G at Q and w = B²-4Q.
func (s *densityTable) at(q, w float64) float64 {
	const shift = 52 - partBits
	bits := math.Float64bits(1 + q/s.scale)
	k := int(bits>>shift) - 1023*partsInX
	x := float64(float64(int64(bits&(1<<shift-1)))*(2.0/(1<<shift))) - 1
	y := s.middle(q)
	y = float64(partsInY * (y / (y + w)))
	j := min(int(y), partsInY-1)
	p := s.panel(k*partsInY + j)
	y = float64(2*(y-float64(j))) - 1
	// All polynomials in y are evaluated side by side, so that the processor does not wait for the products
	// of a single polynomial.
	var inner [mostNodes]float64
	some := inner[:p.rows]
	for i := len(p.coefficients) - 1; i >= 0; i-- {
		row := p.coefficients[i][:len(some)]
		for j, c := range row {
			some[j] = float64(some[j]*y) + c
		}
	}
	sum := 0.0
	for j := len(some) - 1; j >= 0; j-- {
		sum = float64(sum*x) + some[j]
	}
	return sum
}

// panel returns panel k of the table, which is computed at the first use.
func (s *densityTable) panel(k int) *panel {
	if p := s.panels[k].Load(); p != nil {
		return p
	}
	return s.build(k)
}

// middle returns the w = B²-4Q at which the variable y of the table is ½.
func (s *densityTable) middle(q float64) float64 { return float64(4*q) + float64(2*s.scale) }

func (s *densityTable) build(k int) *panel {
	s.building.Lock()
	defer s.building.Unlock()
	if p := s.panels[k].Load(); p != nil {
		return p
	}
	p, ok := s.interpolate(k, chebyshevRules.At(fewNodes))
	if !ok {
		p, _ = s.interpolate(k, chebyshevRules.At(mostNodes))
	}
	s.panels[k].Store(p)
	return p
}

// interpolate computes panel k of the table, and reports whether the last Chebyshev coefficients of the panel
// are negligible.
func (s *densityTable) interpolate(k int, rule *chebyshev) (p *panel, ok bool) {
	order := len(rule.nodes)
	inY := make([]polynomial, order)
	column, row := k/partsInY, k%partsInY
	for i, node := range rule.nodes {
		mantissa := 1 + float64((float64(column%partsInX)+node)/partsInX)
		q := float64(s.scale * (math.Ldexp(mantissa, column/partsInX) - 1))
		values := make([]float64, order)
		for j, node := range rule.nodes {
			y := (float64(row) + node) / partsInY
			values[j] = s.evaluate(q, s.middle(q)*(1/y-1))
		}
		inY[i] = rule.interpolate(values)
	}
	// Interpolate in x by Chebyshev polynomials whose coefficients are polynomials in y.
	rows, most := make([]polynomial, order), 0
	for j := range order {
		values := make([]float64, order)
		for i := range order {
			values[i] = inY[i][j]
		}
		for i, c := range rule.interpolate(values) {
			rows[i] = append(rows[i], c)
		}
	}
	negligible := 1e-11 * max(1, 0.1*s.dim)
	for i, row := range rows {
		rows[i] = row.shortened(negligible)
		most = max(most, len(rows[i]))
	}
	for len(rows) > 1 && len(rows[len(rows)-1]) == 0 {
		rows = rows[:len(rows)-1]
	}
	return newPanel(rows, most), most < order && len(rows) < order
}

// newPanel returns the panel with the given Chebyshev coefficients. rows[j] holds the coefficients in y of
// the Chebyshev polynomial T_j in x; no row has more than most entries.
func newPanel(rows []polynomial, most int) *panel {
	inY := make([][]float64, len(rows))
	for i, row := range rows {
		inY[i] = row.powers()
	}
	p := &panel{len(rows), make([][mostNodes]float64, most)}
	for k := range most {
		column := make(polynomial, len(rows))
		for i := range inY {
			if k < len(inY[i]) {
				column[i] = inY[i][k]
			}
		}
		copy(p.coefficients[k][:], column.powers())
	}
	return p
}

// evaluate computes G at Q and w = B²-4Q without the table: the logarithm of the mean of exp(-Q(1-x)) M over
// the unit sphere of R^(d-1), minus the asymptotic growth of this logarithm.
func (s *densityTable) evaluate(q, w float64) float64 {
	square := float64(4*q) + w
	return sphereMean(int(s.dim)-1, q, func(below float64) float64 {
		return s.moment.at(float64(0.5*w) + float64(q*(2-below)))
	}) - float64(0.5*s.dim*elementary.Log(square+float64(4*s.scale))) +
		float64(0.5*(s.dim-2)*elementary.Log(q+s.scale))
}
