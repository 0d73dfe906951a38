package special

import "math"

// Product returns the product a·b of complex numbers without fused operations.
func Product(a, b complex128) complex128 {
	return complex(float64(real(a)*real(b))-float64(imag(a)*imag(b)),
		float64(real(a)*imag(b))+float64(imag(a)*real(b)))
}

// Scaled returns a·b for a real number a, without fused operations.
func Scaled(a float64, b complex128) complex128 {
	return complex(float64(a*real(b)), float64(a*imag(b)))
}

// Reciprocal returns the reciprocal 1/a of a complex number, without overflow for large a (Smith, 1962).
func Reciprocal(a complex128) complex128 {
	x, y := real(a), imag(a)
	if math.Abs(x) >= math.Abs(y) {
		ratio := y / x
		size := 1 / (x + float64(y*ratio))
		return complex(size, -ratio*size)
	}
	ratio := x / y
	size := 1 / (y + float64(x*ratio))
	return complex(ratio*size, -size)
}
