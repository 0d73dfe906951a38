package exactlaw

import (
	"math"
	"sync"
	"sync/atomic"

	"antipode/sphere/elementary"
)

// shapeFactors is the function G of the package comment in one dimension. It is tabulated, when it
// is first asked for, in panels of width 1/2 in x = log(1+Q/scale), and over y in (0, 1], which is
// 1 at B² = 4Q and 0 at B = ∞.
type shapeFactors struct {
	dim, scale float64
	building   sync.Mutex
	mean       *sphereMean
	most       int // nodes of a rule
	panels     [mostPanels]atomic.Pointer[panel]
}

const (
	panelsPerUnit = 2
	mostPanels    = 100 * panelsPerUnit // Q ≤ e^100
	fewNodes      = 10                  // of a rule, where they suffice
)

// A panel is a polynomial in 2x-1 whose coefficients are polynomials in 2y-1, by powers of the latter.
type panel struct {
	rows         int
	coefficients [][mostNodes]float64
}

var factors sync.Map // of *shapeFactors by their dimension

func shapeFactorsIn(dim int) *shapeFactors {
	if s, ok := factors.Load(dim); ok {
		return s.(*shapeFactors)
	}
	most := 16
	if dim > 16 {
		most = mostNodes
	}
	s, _ := factors.LoadOrStore(dim, &shapeFactors{
		dim: float64(dim), scale: 2 + float64(0.5*float64(dim)),
		mean: newSphereMean(dim - 1), most: most,
	})
	return s.(*shapeFactors)
}

// at returns G at Q, w = B²-4Q and logarithm = log(1+Q/scale).
func (s *shapeFactors) at(q, w, logarithm float64) float64 {
	x := panelsPerUnit * logarithm
	k := int(x)
	p := s.panels[k].Load()
	if p == nil {
		p = s.build(k)
	}
	y := s.middle(q)
	y = 2*y/(y+w) - 1
	x = 2*(x-float64(k)) - 1
	// All polynomials in y side by side: one alone would wait for its products.
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

// middle is the w at which y is ½.
func (s *shapeFactors) middle(q float64) float64 { return float64(4*q) + float64(2*s.scale) }

func (s *shapeFactors) build(k int) *panel {
	s.building.Lock()
	defer s.building.Unlock()
	if p := s.panels[k].Load(); p != nil {
		return p
	}
	p, ok := s.interpolate(k, chebyshevRule(fewNodes))
	if !ok {
		p, _ = s.interpolate(k, chebyshevRule(s.most))
	}
	s.panels[k].Store(p)
	return p
}

// interpolate builds a panel, and tells whether its last coefficients are negligible.
func (s *shapeFactors) interpolate(k int, rule *chebyshev) (p *panel, ok bool) {
	order := len(rule.nodes)
	inY := make([]polynomial, order)
	for i, node := range rule.nodes {
		q := s.scale * elementary.Expm1((float64(k)+node)/panelsPerUnit)
		values := make([]float64, order)
		for j, y := range rule.nodes {
			values[j] = s.integral(q, s.middle(q)*(1/y-1))
		}
		inY[i] = rule.interpolate(values)
	}
	// By Chebyshev polynomials of x, each a polynomial in y.
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
	negligible := 1e-12 * max(1, 0.1*s.dim)
	for i, row := range rows {
		rows[i] = row.shortened(negligible)
		most = max(most, len(rows[i]))
	}
	for len(rows[len(rows)-1]) == 0 {
		rows = rows[:len(rows)-1]
	}
	return newPanel(rows, most), most < order && len(rows) < order
}

// newPanel returns the panel from its Chebyshev coefficients, those in y of each one in x, at most so many.
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

// integral is G by the trapezoidal rule, in log r and in v.
func (s *shapeFactors) integral(q, w float64) float64 {
	square := float64(4*q) + w
	b := math.Sqrt(square)
	great := 0.5 * (b + math.Sqrt(w))
	small := q / max(great, math.SmallestNonzeroFloat64)
	// Where about the integrand is greatest, as a function of r.
	middle := 0.5 * (b + math.Sqrt(square+float64(4*(s.dim+2))))
	step := 0.65 / math.Sqrt(float64(middle*middle)+s.dim+2)
	across := 0.65 / math.Sqrt(float64(middle*b)+s.dim)
	ray := func(x float64) float64 {
		r := elementary.Exp(x)
		return s.overDirections(r*great, r*small, across) - float64(0.5*(r-b)*(r-b)) + float64(2*s.dim*x)
	}
	return logTrapezoid(elementary.Log(middle), step, ray) -
		float64(0.5*s.dim*elementary.Log(square+float64(4*s.scale))) +
		float64(0.5*(s.dim-2)*elementary.Log(q+s.scale))
}

// overDirections returns the logarithm of the mean of exp(λ₁(h₁₁-1) + λ₂(h₂₂-1)) over orthonormal
// h₁, h₂, but for a constant: that of the integral over v ≥ 0 of (cosh v)^(1-d), and the
// means over spheres of R^(d-1) at κ = λ/cosh v.
func (s *shapeFactors) overDirections(great, small, step float64) float64 {
	f := func(v float64) float64 {
		l := logCosh(v)
		sech := elementary.Exp(-l)
		lost := sech * elementary.Expm1(l) // 1 - sech v
		return s.mean.log(great*sech) + s.mean.log(small*sech) - float64((great+small)*lost) -
			float64((s.dim-1)*l)
	}
	top := f(0)
	sum, term := 0.5, 1.0
	for k := 1; term > 1e-14*sum; k++ {
		term = elementary.Exp(f(step*float64(k)) - top)
		sum += term
	}
	return top + elementary.Log(sum*step)
}
