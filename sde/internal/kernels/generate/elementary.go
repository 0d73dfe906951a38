package main

// This file has the functions of package elementary for vectors, with the same operations in the same order,
// so that they give the same bits.

const (
	log2OfE        = 0x1.71547652b82fep+0
	ln2High        = 0x1.62e42feep-1
	ln2Low         = 0x1.a39ef35793c76p-33
	roundToInteger = 0x1.8p52

	one       = 0x3ff << 52
	mantissa  = 1<<52 - 1
	sqrtHalf  = 0x3fe6a09e667f3bcd // the bits of √½ rounded up
	signBit   = 1 << 63
	integer52 = 0x433 << 52 // the bits of 2^52; an integer in the low bits is added to 2^52
)

// reduceByLn2 returns an integer k and r such that x = k·ln 2 + r; the low bits of t hold k, and n is k as a
// float64.
func (b *block) reduceByLn2(x *node) (t, n, r *node) {
	magic := b.number(roundToInteger)
	t = b.fma(x, b.number(log2OfE), magic)
	n = b.minus(t, magic)
	r = b.minusFMA(n, b.number(ln2High), x)
	return t, n, b.minusFMA(n, b.number(ln2Low), r)
}

// expMinusOneNearZero returns e^r - 1 for |r| ≤ 0.3466. Where r⁴ is below 2^-1000 and changes no bit of the
// result, r⁴ is replaced by 2^-1000, because operations on subnormal numbers take processors a hundred times
// as long.
func (b *block) expMinusOneNearZero(r *node) *node {
	c := b.numbers(0, 0, 0x1p-1, 0x1.5555555555557p-3, 0x1.5555555555556p-5, 0x1.11111111100dcp-7,
		0x1.6c16c16c162d4p-10, 0x1.a01a01abe7fe1p-13, 0x1.a01a01a6d889cp-16, 0x1.71de0231960ebp-19,
		0x1.27e4db646b17ep-22, 0x1.af4de97ca4194p-26, 0x1.1f730349868cep-29)
	r2 := b.times(r, r)
	some := b.maximum(r2, b.number(0x1p-500))
	r4 := b.times(some, some)
	low := b.fma(b.fma(c[5], r, c[4]), r2, b.fma(c[3], r, c[2]))
	middle := b.fma(b.fma(c[9], r, c[8]), r2, b.fma(c[7], r, c[6]))
	high := b.fma(c[12], r2, b.fma(c[11], r, c[10]))
	q := b.fma(b.fma(high, r4, middle), r4, low)
	return b.fma(r2, q, r)
}

func (b *block) numbers(values ...float64) []*node {
	nodes := make([]*node, len(values))
	for k, v := range values {
		nodes[k] = b.number(v)
	}
	return nodes
}

// power returns 2^k, given k in the low bits of t, if 2^k is a normal number.
func (b *block) power(t *node) *node { return b.plusWord(b.shiftLeft(t, 52), b.bits(one)) }

// exp returns e^x for every x. If x is below smallestExponent, exp returns 0 and computes nothing with x: an
// operation that underflows takes processors ten times as long. Arguments above 710 are replaced by 710, for
// which e^x overflows.
func (b *block) exp(x *node) *node {
	above := b.compare(notLess, x, b.number(smallestExponent))
	t, n, r := b.reduceByLn2(b.minimum(b.number(710), b.keep(above, x))) // if x is NaN, the minimum is x
	y := b.plus(b.expMinusOneNearZero(r), b.number(1))
	return b.keep(above, b.scaleByPowerOfTwo(y, t, n))
}

const (
	smallestExponent = -0x1.74910d52d3052p+9
	notLess          = 0x15 // a predicate of compare that is true for NaN
)

// keep returns x in the lanes where the mask is set, and 0 in the other lanes.
func (b *block) keep(mask, x *node) *node {
	if b.wide {
		return b.choose(mask, x, b.number(0))
	}
	return b.and(mask, x)
}

// expOrZero returns e^x, or 0 if e^x is below smallestWeight.
func (b *block) expOrZero(x *node) *node {
	x = b.maximum(b.number(-355), b.minimum(b.number(710), x)) // if x is NaN, the maximum is x
	t, n, r := b.reduceByLn2(x)
	y := b.plus(b.expMinusOneNearZero(r), b.number(1))
	if b.wide {
		y = b.scalef(y, n)
	} else { // the factor 2^1024 is out of range
		y = b.times(y, b.plusWord(b.shiftLeft(t, 52), b.bits(one-1<<52)))
		y = b.plus(y, y)
	}
	return b.keep(b.compare(notLess, y, b.number(smallestWeight)), y)
}

const smallestWeight = 0x1p-511 // the value of SmallestWeight in package kernels

// scaleByPowerOfTwo returns y·2^n, rounded once. The low bits of t hold n as an integer.
func (b *block) scaleByPowerOfTwo(y, t, n *node) *node {
	if b.wide {
		return b.scalef(y, n)
	}
	magic := b.number(roundToInteger)
	half := b.fma(n, b.number(0.5), magic)
	rest := b.plus(b.minus(n, b.minus(half, magic)), magic)
	return b.times(b.times(y, b.power(half)), b.power(rest))
}

// expm1Negative returns e^x - 1 for x ≤ 0; for x = -0 it returns +0.
func (b *block) expm1Negative(x *node) *node {
	t, _, r := b.reduceByLn2(b.maximum(x, b.number(-40)))
	power := b.power(t)
	return b.fma(power, b.expMinusOneNearZero(r), b.minus(power, b.number(1)))
}

// tanh returns tanh x as package activation does, for finite x.
func (b *block) tanh(x *node) *node {
	size := b.bits(signBit - 1)
	lost := b.expm1Negative(b.times(b.number(-2), b.and(x, size)))
	result := b.over(lost, b.plus(b.number(2), lost))
	return b.or(b.and(result, size), b.and(x, b.bits(signBit)))
}

// log returns ln x for positive, normal, finite x.
func (b *block) log(x *node) *node {
	bias, shifted := b.number(0x1p52+1023), b.plusWord(x, b.bits(one-sqrtHalf))
	n := b.minus(b.or(b.shiftRight(shifted, 52), b.bits(integer52)), bias)
	f := b.minus(b.plusWord(b.and(shifted, b.bits(mantissa)), b.bits(sqrtHalf)), b.number(1))
	return b.fma(n, b.number(ln2High), b.plus(b.logNearOne(f), b.times(n, b.number(ln2Low))))
}

// logNearOne returns ln(1+f) for 1+f in [√½, √2].
func (b *block) logNearOne(f *node) *node {
	c := b.numbers(0, 0x1.5555555555558p-1, 0x1.99999999952abp-2, 0x1.2492492df7663p-2, 0x1.c71c62ddb431bp-3,
		0x1.7462b6e311a89p-3, 0x1.39fe16ad885a7p-3, 0x1.2b5bd9a316a24p-3)
	s := b.over(f, b.plus(f, b.number(2)))
	z := b.times(s, s)
	z2 := b.times(z, z)
	low := b.fma(b.fma(c[4], z, c[3]), z2, b.fma(c[2], z, c[1]))
	high := b.fma(c[7], z2, b.fma(c[6], z, c[5]))
	r := b.times(z, b.fma(high, b.times(z2, z2), low))
	return b.minusFMA(s, b.minus(f, r), f)
}

// sinCosNearZero returns sin r and cos r for |r| ≤ π/4.
func (b *block) sinCosNearZero(r *node) (sin, cos *node) {
	c := b.numbers(0, -0x1.5555555555555p-3, 0x1.1111111111110p-7, -0x1.a01a01a019933p-13,
		0x1.71de3a54600cap-19, -0x1.ae645411d76a9p-26, 0x1.61217e4ef55f8p-33, -0x1.ab1764e7b2047p-41)
	z := b.times(r, r)
	z2 := b.times(z, z)
	low := b.fma(b.fma(c[4], z, c[3]), z2, b.fma(c[2], z, c[1]))
	high := b.fma(c[7], z2, b.fma(c[6], z, c[5]))
	sin = b.fma(b.times(z, r), b.fma(high, b.times(z2, z2), low), r)

	c = b.numbers(0, -0.5, 0x1.5555555555555p-5, -0x1.6c16c16c16965p-10, 0x1.a01a019f4e480p-16,
		-0x1.27e4fa17532cap-22, 0x1.1eeb685cba14cp-29, -0x1.907d3e3374a42p-37)
	low = b.fma(b.fma(c[3], z, c[2]), z, c[1])
	high = b.fma(b.fma(c[7], z, c[6]), z2, b.fma(c[5], z, c[4]))
	cos = b.fma(z, b.fma(high, b.times(z2, z), low), b.number(1))
	return sin, cos
}
