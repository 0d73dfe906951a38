package harmonics

// Expansion is the series of e^{β(t-1)} on S^{d-1} to some degree.
type Expansion struct {
	dim, degree int
	// Tail bounds the difference of the series and e^{β(t-1)}, at most 1, but for rounding.
	Tail        float64
	eigenvalues []float64
	solids      []solid
	polynomials []polynomials // of each degree l of the harmonics in the coordinates before the last
	first       []int         // where the moments of each l begin; after the last, how many numbers they are
}

// New returns the expansion for d ≥ 2 and β ≥ 0.
func New(dim int, beta float64) *Expansion {
	e := &Expansion{dim: dim}
	e.eigenvalues, e.Tail = eigenvalues(dim, beta)
	e.degree = len(e.eigenvalues) - 1
	e.solids = newSolids(dim-1, e.degree)
	e.first = []int{0}
	for l := range e.degree + 1 {
		e.polynomials = append(e.polynomials, newPolynomials(dim, l, e.degree-l))
		e.first = append(e.first, e.first[l]+e.sums(l)*(e.degree-l+1))
	}
	return e
}

// Degree is that of the last term.
func (e *Expansion) Degree() int { return e.degree }

// others is the harmonics in the coordinates before the last.
func (e *Expansion) others() *solid { return &e.solids[e.dim-2] }

// sums is the number of moments for each polynomial in z beside the harmonics of degree l in the others: with
// masses, and with each coordinate times masses.
func (e *Expansion) sums(l int) int { return (e.dim + 1) * e.others().count(l) }

// Numbers is the number of moments.
func (e *Expansion) Numbers() int { return e.first[e.degree+1] }

// Numbers is the number of moments of an expansion, without making it: d+1 for each harmonic.
func Numbers(dim int, beta float64) int {
	values, _ := eigenvalues(dim, beta)
	harmonics := 0
	for degree := range values {
		harmonics += int(count(dim, degree))
	}
	return (dim + 1) * harmonics
}

// Weigh multiplies moments by the eigenvalues of their degrees.
func (e *Expansion) Weigh(moments []float64) {
	for l := range e.degree + 1 {
		columns := e.degree - l + 1
		for k, m := range moments[e.first[l]:e.first[l+1]] {
			moments[e.first[l]+k] = float64(m * e.eigenvalues[l+k%columns])
		}
	}
}
