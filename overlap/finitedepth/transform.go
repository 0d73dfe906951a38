package finitedepth

import (
	"math"
	"math/bits"

	"antipode/overlap"
	"antipode/overlap/internal/special"
	"antipode/sphere/elementary"
)

// A gaussian is a layer near an end of the overlap with given attention weights: V = s + f·Xs + w·Xe and U =
// e + h·Xe, where X is a Gaussian matrix of the given covariance, and s and e are orthogonal unit vectors.
type gaussian struct {
	dim        int
	f, w, h    float64
	covariance overlap.Covariance
}

// A quadraticForm is a symmetric complex 2×2 matrix T.
type quadraticForm struct{ short, cross, long complex128 }

// independent returns transform for a Gaussian matrix X of independent entries of variance A. With the
// covariance matrix N of the two noise components in each direction, the transform is
//
//	D^(-d/2) exp(-(tr T + 2 det T tr N)/D), D = 1 + 2 tr NT + 4 det N det T.
func (g *gaussian) independent(t quadraticForm) complex128 {
	a := g.covariance.A
	n11, n12, n22 := float64(a*(float64(g.f*g.f)+float64(g.w*g.w))), float64(a*g.w*g.h), float64(a*g.h*g.h)
	root := a * g.f * g.h // square root of det N
	det := special.Product(t.short, t.long) - special.Product(t.cross, t.cross)
	inverse := special.Reciprocal(1 + special.Scaled(2*n11, t.short) + special.Scaled(4*n12, t.cross) +
		special.Scaled(2*n22, t.long) + special.Scaled(4*root*root, det))
	exponent := special.Product(t.short+t.long+special.Scaled(2*(n11+n22), det), inverse)
	return special.Product(exponential(-exponent), power(squareRoot(inverse), uint(g.dim)))
}

// transform returns the mean E exp(-T₁₁|V|² - 2T₁₂<V,U> - T₂₂|U|²) for a quadraticForm T; no eigenvalue of
// the real part of T may be far below 0.
//
// The components (Xs)_e and (Xe)_s have variance A and covariance B, and (Xs)_s and (Xe)_e have variance
// A+B+C and covariance C. The components of Xs and Xe orthogonal to e and s are independent with variance A.
// The exponent is a quadratic polynomial of four independent variables: the sum p and the difference m of
// (Xs)_e and (Xe)_s, and the sum n and the difference o of (Xs)_s and (Xe)_e. The variables are integrated
// out in the order p, m, n, o; all pivots lie in the right half-plane.
func (g *gaussian) transform(t quadraticForm) complex128 {
	scaled, product, reciprocal := special.Scaled, special.Product, special.Reciprocal
	v := g.covariance
	if v.B == 0 && v.C == 0 {
		return g.independent(t)
	}
	// The quadratic form T in the coordinates Xs and Xe.
	xx := scaled(g.f*g.f, t.short)
	xy := scaled(g.f, scaled(g.w, t.short)+scaled(g.h, t.cross))
	yy := scaled(g.w*g.w, t.short) + scaled(2*g.w*g.h, t.cross) + scaled(g.h*g.h, t.long)
	sum, difference := xx+yy, xx-yy
	// Standard deviations of the four variables, divided by √2.
	dp, dm := math.Sqrt(0.5*(v.A+v.B)), math.Sqrt(0.5*(v.A-v.B))
	dn, do := math.Sqrt(max(0, 0.5*(v.A+v.B+float64(2*v.C)))), dp
	pm, pn := scaled(2*dp*dm, difference), scaled(4*dp*dn, xy)
	mo, no := scaled(-4*dm*do, xy), scaled(2*dn*do, difference)
	p, m := 1+scaled(2*dp*dp, sum), 1+scaled(2*dm*dm, sum)
	n, o := 1+scaled(2*dn*dn, sum), 1+scaled(2*do*do, sum)
	// The linear part comes from the means e of U and s of V.
	e1, e2 := scaled(g.f, t.cross), scaled(g.w, t.cross)+scaled(g.h, t.long)
	s1, s2 := scaled(g.f, t.short), scaled(g.w, t.short)+scaled(g.h, t.cross)
	lp, lm := scaled(dp, e1+s2), scaled(dm, e1-s2)
	ln, lo := scaled(dn, s1+e2), scaled(do, s1-e2)

	ip := reciprocal(p)
	a, b := product(pm, ip), product(pn, ip)
	mn := -product(a, pn)
	m, n = m-product(a, pm), n-product(b, pn)
	lm, ln = lm-product(a, lp), ln-product(b, lp)
	im := reciprocal(m)
	a, b = product(mn, im), product(mo, im)
	n, no, o = n-product(a, mn), no-product(a, mo), o-product(b, mo)
	ln, lo = ln-product(a, lm), lo-product(b, lm)
	in := reciprocal(n)
	a = product(no, in)
	o, lo = o-product(a, no), lo-product(a, ln)
	io := reciprocal(o)

	quadratic := product(product(lp, lp), ip) + product(product(lm, lm), im) +
		product(product(ln, ln), in) + product(product(lo, lo), io)
	value := exponential(scaled(2, quadratic) - t.short - t.long)
	value = product(value, squareRoot(product(ip, im)))
	value = product(value, squareRoot(product(in, io)))
	across := product(1+scaled(2*v.A, xx), 1+scaled(2*v.A, yy)) - scaled(4*v.A*v.A, product(xy, xy))
	return product(value, power(squareRoot(reciprocal(across)), uint(g.dim-2)))
}

// exponential returns the complex exponential e^z.
func exponential(z complex128) complex128 {
	sin, cos := elementary.SinCos(imag(z))
	return special.Scaled(elementary.Exp(real(z)), complex(cos, sin))
}

// logarithm returns the principal value of the complex logarithm log z.
func logarithm(z complex128) complex128 {
	x, y := real(z), imag(z)
	return complex(float64(0.5*elementary.Log(float64(x*x)+float64(y*y))), elementary.Atan2(y, x))
}

// squareRoot returns the complex square root of z in the right half-plane.
func squareRoot(z complex128) complex128 {
	x, y := real(z), imag(z)
	size := math.Sqrt(float64(x*x) + float64(y*y))
	root := math.Sqrt(float64(0.5 * (size + math.Abs(x))))
	switch {
	case root == 0:
		return 0
	case x >= 0:
		return complex(root, 0.5*y/root)
	}
	return complex(0.5*math.Abs(y)/root, math.Copysign(root, y))
}

// power returns the power z^n of a complex number.
func power(z complex128, n uint) complex128 {
	result := complex128(1)
	for k := bits.Len(n) - 1; k >= 0; k-- {
		result = special.Product(result, result)
		if n>>k&1 == 1 {
			result = special.Product(result, z)
		}
	}
	return result
}

func conjugate(z complex128) complex128 { return complex(real(z), -imag(z)) }

// magnitude returns |Re z| + |Im z|, a norm of the complex number z.
func magnitude(z complex128) float64 { return math.Abs(real(z)) + math.Abs(imag(z)) }
