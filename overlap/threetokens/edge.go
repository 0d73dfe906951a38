package threetokens

// stencil is the number of rows on either side of an edge of a cell whose values define the interpolant of
// fromEdge.
const stencil = 4

// powers is the row-major matrix that maps the values of a function at ±½, ±1½, ±2½ and ±3½, in ascending
// order, to the coefficients of the interpolating polynomial, lowest degree first.
var powers = func() []float64 {
	const n = 2 * stencil
	m := make([]float64, n*n)
	for k := range n {
		power := 1.0
		for degree := range n {
			m[k*n+degree] = power
			power *= float64(k) - (stencil - 0.5)
		}
	}
	eliminate(square(m, n))
	return m
}()

// fromEdge returns the integral of a function from s to infinity, minus the sum of its values at ½, 1½, and
// so on, where s is from -½ to ½, given its values at ±½, ±1½, ±2½ and ±3½, in ascending order. The function
// is replaced by the interpolating polynomial of degree 7. Up to 0 the polynomial is integrated. From 0 on
// the Euler-Maclaurin formula of the midpoint rule gives the integral minus the sum as
// -f'/24 + 7·f⁽³⁾/5760 - 31·f⁽⁵⁾/967680 + 127·f⁽⁷⁾/154828800, with the derivatives at 0.
func fromEdge(values []float64, s float64) float64 {
	const n = 2 * stencil
	var c [n]float64
	apply(c[:], powers, values, 1)
	integral, power := 0.0, s
	for degree, coefficient := range c {
		integral += float64(coefficient * power / float64(degree+1))
		power *= s
	}
	return -c[1]/24 + 7*6*c[3]/5760 - 31*120*c[5]/967680 + 127*5040*c[7]/154828800 - integral
}
