package kernels

import "math"

// Combine sets dst to α·a∘b - γ·c∘d, the products by entries, of rows of the same length. It is what
// three-term recurrences need. dst may be one of the others.
func Combine(dst []Vector, alpha float64, a, b []Vector, gamma float64, c, d []Vector) {
	active.combine(dst, alpha, a, b, gamma, c, d)
}

func combineGeneric(dst []Vector, alpha float64, a, b []Vector, gamma float64, c, d []Vector) {
	for v := range dst {
		for k := range 8 {
			subtracted := float64(float64(gamma*c[v][k]) * d[v][k])
			dst[v][k] = math.FMA(float64(alpha*a[v][k]), b[v][k], -subtracted)
		}
	}
}
