package threetokens

// solves is the number of linear systems solved in a step in time, and the order of the approximation of the
// exponential.
const solves = 5

// pole is the γ of the rational function Σ c_k (1-γz)^-k, k = 1 … 5, which approximates e^z to order 5, is
// A-stable and vanishes at infinity (Hairer and Wanner, Solving Ordinary Differential Equations II, table
// IV.6.4).
const pole = 0.278053841136452

// coefficients are the c_k of the rational function Σ c_k (1-γz)^-k. The c_k follow from matching power
// series: (1-γz)^-k has the coefficients γⁿ binom(k+n-1, n), and e^z has the coefficients 1/n!.
var coefficients = func() (c [solves]float64) {
	var a [solves][solves + 1]float64
	power, factorial := 1.0, 1.0
	for n := range solves {
		if n > 0 {
			power *= pole
			factorial *= float64(n)
		}
		a[n][solves] = 1 / factorial
		for k := range solves {
			binomial := 1.0
			for j := 1; j <= n; j++ {
				binomial *= float64(k+j) / float64(j)
			}
			a[n][k] = power * binomial
		}
	}
	for k := range solves {
		for i := range solves {
			if i != k {
				factor := a[i][k] / a[k][k]
				for l := k; l <= solves; l++ {
					a[i][l] -= float64(factor * a[k][l])
				}
			}
		}
	}
	for k := range c {
		c[k] = a[k][solves] / a[k][k]
	}
	return c
}()

// step advances the masses of the states by a step in time. The receiver f must hold the factors of I -
// pole·step·(transposed generator).
func (f *factored) step(mass []float64) {
	x := append([]float64(nil), mass...)
	clear(mass)
	for _, c := range coefficients {
		f.solve(x)
		for i := range mass {
			mass[i] += float64(c * x[i])
		}
	}
}
