package harmonics

// Expansion is the series of e^{β(t-1)} in spherical harmonics of S^{d-1}, truncated at some degree.
type Expansion struct {
	dim, degree int
	// Tail is an upper bound of the absolute error, apart from rounding, of the truncated series of
	// e^{β(t-1)}, which is at most 1.
	Tail        float64
	eigenvalues []float64
	solids      []solid
	polynomials []polynomials // polynomials in the last coordinate, for each degree l in the others
	first       []int         // index of the first weight of each l; the last entry is the number of weights
	moments     []int         // first moment of each l, up to one degree more; then the number of moments
	places      []place       // for each moment, where its weights are
	terms       [][]term      // terms of the products with each coordinate, between moments
}

// place says which indices the weights of a harmonic have. The weight for the sum of masses has index first,
// and the weight for coordinate c of the points has index first + (c+1)·step. A harmonic of too high a degree
// has no weights; first is then negative.
type place struct{ first, step int32 }

// New returns the expansion of e^{β(t-1)} in harmonics for dimension d ≥ 2 and β ≥ 0.
func New(dim int, beta float64) *Expansion {
	e := &Expansion{dim: dim}
	e.eigenvalues, e.Tail = eigenvalues(dim, beta)
	e.degree = len(e.eigenvalues) - 1
	solids, terms := newSolids(dim, e.degree+1)
	e.solids = solids[:dim-1]
	e.first, e.moments = []int{0}, []int{0}
	for l := range e.degree + 2 {
		e.polynomials = append(e.polynomials, newPolynomials(dim, l, e.degree+1-l))
		e.moments = append(e.moments, e.moments[l]+e.others().count(l)*(e.degree+2-l))
	}
	for l := range e.degree + 1 {
		e.first = append(e.first, e.first[l]+e.sums(l)*(e.degree+1-l))
	}
	e.setPlaces()
	e.setTerms(&solids[dim-1], terms)
	return e
}

// setPlaces computes where the weights of each moment are, and sets the field places. Moments are ordered by
// the degree l in all coordinates but the last, then by the harmonic in these coordinates, then by the degree
// of the polynomial in the last coordinate.
func (e *Expansion) setPlaces() {
	e.places = make([]place, e.Moments())
	for l := range e.degree + 2 {
		columns, count := e.degree+1-l, e.others().count(l)
		for s := range count {
			for k := range columns + 1 {
				p := place{first: -1}
				if k < columns {
					p = place{int32(e.first[l] + s*columns + k), int32(count * columns)}
				}
				e.places[e.moments[l]+s*(columns+1)+k] = p
			}
		}
	}
}

// setTerms computes the terms of the products of harmonics with coordinates, and sets the field terms. In the
// given terms, from and to are rows of the harmonics in all coordinates; setTerms replaces these rows by the
// indices of the corresponding moments.
func (e *Expansion) setTerms(all *solid, terms [][]term) {
	moment := make([]int32, all.rows())
	others := e.others()
	for n := range e.degree + 2 {
		for l := range n + 1 {
			for s := range others.count(l) {
				at := e.moments[l] + s*(e.degree+2-l) + n - l
				moment[all.first[n]+others.first[l]+s] = int32(at)
			}
		}
	}
	for _, of := range terms {
		for k, t := range of {
			of[k].from, of[k].to = moment[t.from], moment[t.to]
		}
	}
	e.terms = terms
}

// others returns the solid harmonics in all coordinates but the last.
func (e *Expansion) others() *solid { return &e.solids[e.dim-2] }

// sums returns the number of weights that a polynomial in z has together with all harmonics of degree l in
// the other coordinates. For each of these harmonics there is one weight for the sum of masses, and one for
// each coordinate of the points.
func (e *Expansion) sums(l int) int { return (e.dim + 1) * e.others().count(l) }

// Moments returns the number of moments: one for each harmonic up to one degree above that of the series.
func (e *Expansion) Moments() int { return e.moments[e.degree+2] }

// Numbers returns the number of weights of the harmonics of the expansion.
func (e *Expansion) Numbers() int { return e.first[e.degree+1] }

// Numbers returns the number of weights, d+1 for each harmonic, that an expansion for dimension d = dim and β
// has, without constructing the expansion.
func Numbers(dim int, beta float64) int {
	values, _ := eigenvalues(dim, beta)
	harmonics := 0
	for degree := range values {
		harmonics += int(count(dim, degree))
	}
	return (dim + 1) * harmonics
}

// Weigh computes the weights of the harmonics, given the moments Σ_j m_j Y(x_j). The weights of a harmonic Y
// of degree n are e^-β a_n Σ_j m_j Y(x_j) and, for each coordinate c, e^-β a_n Σ_j m_j (x_j)_c Y(x_j).
func (e *Expansion) Weigh(weights, moments []float64) {
	clear(weights)
	for k, p := range e.places {
		if p.first >= 0 {
			weights[p.first] = moments[k]
		}
	}
	for c, terms := range e.terms {
		for _, t := range terms {
			from, to := e.places[t.from], e.places[t.to]
			if from.first >= 0 {
				weights[int(from.first)+(c+1)*int(from.step)] += float64(t.factor * moments[t.to])
			}
			if to.first >= 0 {
				weights[int(to.first)+(c+1)*int(to.step)] += float64(t.factor * moments[t.from])
			}
		}
	}
	for l := range e.degree + 1 {
		columns := e.degree - l + 1
		for k, w := range weights[e.first[l]:e.first[l+1]] {
			weights[e.first[l]+k] = float64(w * e.eigenvalues[l+k%columns])
		}
	}
}

// Energy returns Σ m_i m_j e^{β(⟨x_i,x_j⟩-1)} over all ordered pairs of points, including i = j, computed
// from the moments of the points as a sum of squares by the addition theorem of harmonics.
func (e *Expansion) Energy(moments []float64) (sum float64) {
	for l := range e.degree + 1 {
		columns := e.degree + 2 - l
		for k, m := range moments[e.moments[l]:e.moments[l+1]] {
			if n := l + k%columns; n <= e.degree {
				sum += float64(e.eigenvalues[n] * float64(m*m))
			}
		}
	}
	return sum
}

// LeastEnergy returns the least Energy that points with total mass 1 can have, which is that of the uniform
// measure.
func (e *Expansion) LeastEnergy() float64 { return e.eigenvalues[0] }
