package elementary

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"antipode/internal/longtest"
)

// The references are Taylor series in math/big with this many bits.
const precision = 176

func bigFloat(x float64) *big.Float { return new(big.Float).SetPrec(precision).SetFloat64(x) }

// bigSeries returns Σ term_n, term_0 = first, term_n = term_{n-1}·factor·ratio(n).
func bigSeries(first, factor *big.Float, ratio func(n int) (num, den int64)) *big.Float {
	sum := new(big.Float).Copy(first)
	term := new(big.Float).Copy(first)
	for n := 1; ; n++ {
		num, den := ratio(n)
		term.Mul(term, factor)
		term.Mul(term, big.NewFloat(float64(num)))
		term.Quo(term, big.NewFloat(float64(den)))
		if term.Sign() == 0 || term.MantExp(nil) < sum.MantExp(nil)-precision {
			return sum
		}
		sum.Add(sum, term)
	}
}

func bigExp(x *big.Float) *big.Float {
	const halvings = 16
	small := new(big.Float).SetMantExp(x, -halvings)
	y := bigSeries(bigFloat(1), small, func(n int) (int64, int64) { return 1, int64(n) })
	for range halvings {
		y.Mul(y, y)
	}
	return y
}

func bigExpm1(x *big.Float) *big.Float {
	if x.MantExp(nil) > -8 {
		return new(big.Float).Sub(bigExp(x), bigFloat(1))
	}
	return bigSeries(x, x, func(n int) (int64, int64) { return 1, int64(n + 1) })
}

// bigLog solves e^y = x by Newton's method, beginning at start.
func bigLog(x *big.Float, start float64) *big.Float {
	y := bigFloat(start)
	for range 2 {
		e := bigExp(new(big.Float).Neg(y))
		e.Mul(e, x)
		y.Add(y, e.Sub(e, bigFloat(1)))
	}
	return y
}

func bigSinCos(x *big.Float) (sin, cos *big.Float) {
	x2 := new(big.Float).Mul(x, x)
	x2.Neg(x2)
	cos = bigSeries(bigFloat(1), x2, func(n int) (int64, int64) { return 1, int64(2*n-1) * int64(2*n) })
	sin = bigSeries(x, x2, func(n int) (int64, int64) { return 1, int64(2*n) * int64(2*n+1) })
	return sin, cos
}

// bigErf is (2/√π)·Σ (-1)^n x^{2n+1}/(n!(2n+1)); at 6 its terms exceed the sum by 2^50.
func bigErf(x *big.Float) *big.Float {
	x2 := new(big.Float).Mul(x, x)
	x2.Neg(x2)
	// The next term is obtained by dividing out the factor 2n+1: (2n-1)/(n(2n+1)).
	sum := bigSeries(x, x2, func(n int) (int64, int64) { return int64(2*n - 1), int64(n) * int64(2*n+1) })
	factor := new(big.Float).SetPrec(precision)
	factor.SetString(
		"1.12837916709551257389615890312154517168810125865799771368817144342128493688298682897348732040" +
			"421472689")
	return sum.Mul(sum, factor)
}

// ulps returns |got - want| in units in the last place of want.
func ulps(got float64, want *big.Float) float64 {
	rounded, _ := want.Float64()
	if got == rounded {
		return 0
	}
	unit := math.Abs(math.Nextafter(rounded, math.Inf(1)) - rounded)
	difference := new(big.Float).Sub(bigFloat(got), want)
	d, _ := difference.Quo(difference, bigFloat(unit)).Float64()
	return math.Abs(d)
}

func TestWithinStatedUlps(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	uniform := func(a, b float64) func() float64 {
		return func() float64 { return a + (b-a)*r.Float64() }
	}
	scales := func(low, high float64) func() float64 { // both signs, all magnitudes
		return func() float64 {
			x := math.Exp2(low + (high-low)*r.Float64())
			if r.IntN(2) == 0 {
				return -x
			}
			return x
		}
	}
	positive := func(f func() float64) func() float64 {
		return func() float64 { return math.Abs(f()) }
	}
	sine := func(x float64) float64 { s, _ := SinCos(x); return s }
	cosine := func(x float64) float64 { _, c := SinCos(x); return c }
	exact := func(f func(*big.Float) *big.Float) func(float64) *big.Float {
		return func(x float64) *big.Float { return f(bigFloat(x)) }
	}
	log := func(x float64) *big.Float { return bigLog(bigFloat(x), math.Log(x)) }
	log1p := func(x float64) *big.Float {
		return bigLog(new(big.Float).Add(bigFloat(1), bigFloat(x)), math.Log1p(x))
	}
	bigSine := func(x float64) *big.Float { s, _ := bigSinCos(bigFloat(x)); return s }
	bigCosine := func(x float64) *big.Float { _, c := bigSinCos(bigFloat(x)); return c }

	for _, c := range []struct {
		name  string
		f     func(float64) float64
		want  func(float64) *big.Float
		draw  func() float64
		bound float64
	}{
		{"Exp, all", Exp, exact(bigExp), uniform(-708, 709.7), 1},
		{"Exp, subnormal", Exp, exact(bigExp), uniform(-745.2, -708), 1},
		{"Exp, near 0", Exp, exact(bigExp), scales(-60, 1), 1},
		{"Expm1, all", Expm1, exact(bigExpm1), uniform(-45, 100), 2},
		{"Expm1, near 0", Expm1, exact(bigExpm1), scales(-60, 2), 2},
		{"Log, all", Log, log, positive(scales(-1000, 1000)), 1.25},
		{"Log, near 1", Log, log, uniform(0.5, 2), 1.25},
		{"Log1p, near 0", Log1p, log1p, scales(-60, -1), 1},
		{"Log1p, beyond", Log1p, log1p, positive(scales(-2, 70)), 1.25},
		{"Log1p, near -1", Log1p, log1p, uniform(-1, -0.5), 1.25},
		{"sin", sine, bigSine, uniform(-40, 40), 1.5},
		{"sin, up to π/4", sine, bigSine, uniform(-math.Pi/4, math.Pi/4), 1},
		{"sin, near 0", sine, bigSine, scales(-60, -1), 1},
		{"cos", cosine, bigCosine, uniform(-40, 40), 1.5},
		{"cos, up to π/4", cosine, bigCosine, uniform(-math.Pi/4, math.Pi/4), 1},
		{"cos, near 0", cosine, bigCosine, scales(-40, -1), 1},
		{"Erf, all", Erf, exact(bigErf), uniform(-6.5, 6.5), 1.25},
		{"Erf, near 0", Erf, exact(bigErf), scales(-60, 0), 1},
	} {
		worst, at := 0.0, 0.0
		for range longtest.Choose(2_000, 60_000) { // 10⁶ in all
			x := c.draw()
			if e := ulps(c.f(x), c.want(x)); e > worst || e != e {
				worst, at = e, x
			}
		}
		t.Logf("%-16s %.3f ulp at %v", c.name, worst, at)
		if !(worst <= c.bound) {
			t.Errorf("%s: %.3f ulp at %v, more than %g", c.name, worst, at, c.bound)
		}
	}
}

// At multiples of π/2 the reduction of the argument loses accuracy.
func TestSinCosNearMultiplesOfHalfPi(t *testing.T) {
	for n := 1; n < 1<<20; n = n*3 + 1 {
		x := float64(n) * (math.Pi / 2)
		if x > largestReduced {
			break
		}
		sin, cos := SinCos(x)
		// The series would lose accuracy, so the argument is reduced first, with many bits.
		turn := new(big.Float).SetPrec(precision)
		turn.SetString("6.28318530717958647692528676655900576839433879875021164194988918461563281257" +
			"241799725606965068423413596429617302656461329418768921910116446")
		rest := new(big.Float).SetPrec(precision).Mul(turn, bigFloat(math.Floor(x/(2*math.Pi))))
		s, c := bigSinCos(rest.Sub(bigFloat(x), rest))
		if ulps(sin, s) > 1.5 || ulps(cos, c) > 1.5 {
			t.Errorf("SinCos(%v): %.2f and %.2f ulp", x, ulps(sin, s), ulps(cos, c))
		}
	}
}

func TestSpecialValues(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	zero := math.Copysign(0, -1)
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"Exp(0)", Exp(0), 1}, {"Exp(-0)", Exp(zero), 1},
		{"Exp(inf)", Exp(inf), inf}, {"Exp(-inf)", Exp(-inf), 0}, {"Exp(nan)", Exp(nan), nan},
		{"Exp(710)", Exp(710), inf}, {"Exp(-746)", Exp(-746), 0},
		{"Exp(largest)", Exp(largestExponent), 0x1.fffffffffff2ap+1023},
		{"Exp(-745.1)", Exp(-745.1), math.SmallestNonzeroFloat64},
		{"Expm1(0)", Expm1(0), 0}, {"Expm1(-0)", Expm1(zero), zero},
		{"Expm1(inf)", Expm1(inf), inf}, {"Expm1(-inf)", Expm1(-inf), -1}, {"Expm1(nan)", Expm1(nan), nan},
		{"Expm1(smallest)", Expm1(5e-324), 5e-324},
		{"Log(1)", Log(1), 0}, {"Log(0)", Log(0), -inf}, {"Log(-1)", Log(-1), nan},
		{"Log(inf)", Log(inf), inf}, {"Log(nan)", Log(nan), nan}, {"Log(-inf)", Log(-inf), nan},
		{"Log(smallest)", Log(5e-324), -744.4400719213812},
		{"Log1p(0)", Log1p(0), 0}, {"Log1p(-0)", Log1p(zero), zero}, {"Log1p(-1)", Log1p(-1), -inf},
		{"Log1p(-2)", Log1p(-2), nan}, {"Log1p(inf)", Log1p(inf), inf}, {"Log1p(nan)", Log1p(nan), nan},
		{"Log1p(smallest)", Log1p(5e-324), 5e-324},
		{"Erf(0)", Erf(0), 0}, {"Erf(-0)", Erf(zero), zero}, {"Erf(7)", Erf(7), 1}, {"Erf(-6)", Erf(-6), -1},
		{"Erf(inf)", Erf(inf), 1}, {"Erf(-inf)", Erf(-inf), -1}, {"Erf(nan)", Erf(nan), nan},
		{"sin(-0)", first(SinCos(zero)), 0}, {"sin(inf)", first(SinCos(inf)), nan},
		{"sin(nan)", first(SinCos(nan)), nan},
		{"cos(0)", second(SinCos(0)), 1}, {"cos(inf)", second(SinCos(inf)), nan},
	} {
		if math.Float64bits(c.got) != math.Float64bits(c.want) && !(c.got != c.got && c.want != c.want) {
			t.Errorf("%s = %v, want %v", c.name, c.got, c.want)
		}
	}
}

func first(a, _ float64) float64  { return a }
func second(_, b float64) float64 { return b }

func TestSinCosOfLargeArguments(t *testing.T) {
	for _, x := range []float64{1e7, -1e9, 1e12, 1e15} {
		sin, cos := SinCos(x)
		wantSin, wantCos := math.Sincos(x)
		if bound := math.Abs(x) * 0x1p-53; !(math.Abs(sin-wantSin) <= bound) ||
			!(math.Abs(cos-wantCos) <= bound) {
			t.Errorf("SinCos(%g) = %v, %v; want %v, %v within %g", x, sin, cos, wantSin, wantCos, bound)
		}
	}
}

// The bits that every machine must produce: a digest of many values of each function.
func TestSameBitsOnEveryMachine(t *testing.T) {
	digest := func(f func(float64) float64, a, b float64) (h uint64) {
		for i := range 20000 {
			x := math.FMA(float64(i)/20000, b-a, a)
			h = (h ^ math.Float64bits(f(x))) * 0x100000001b3
		}
		return h
	}
	for _, c := range []struct {
		name string
		got  uint64
		want uint64
	}{
		{"Exp", digest(Exp, -745, 709), 0x820e79753998e9fc},
		{"Expm1", digest(Expm1, -3, 3), 0x51b6feb933e68246},
		{"Log", digest(Log, 1e-3, 50), 0x0ad98087dee60b6c},
		{"Log1p", digest(Log1p, -0.9, 9), 0xa8a39e5b63a57715},
		{"Erf", digest(Erf, -7, 7), 0xcc5d0105b2941299},
		{"SinCos", digest(func(x float64) float64 { s, c := SinCos(x); return s + c }, -50, 50),
			0x72e73c07544d0f07},
	} {
		if c.got != c.want {
			t.Errorf("%s: digest %#016x, want %#016x", c.name, c.got, c.want)
		}
	}
}

func BenchmarkExp(b *testing.B) {
	s := 0.0
	for i := range b.N {
		s += Exp(-float64(i&1023) / 64)
	}
	sink = s
}

func BenchmarkLog(b *testing.B) {
	s := 0.0
	for i := range b.N {
		s += Log(float64(i&1023)/1024 + 0x1p-20)
	}
	sink = s
}

func BenchmarkSinCos(b *testing.B) {
	t := 0.0
	for i := range b.N {
		s, c := SinCos(float64(i&1023)/1024 - 0.5)
		t += s + c
	}
	sink = t
}

var sink float64

// Beyond 2^20 the sine and the cosine are those of the remainder of x divided by the float64 2π, up to the
// largest numbers.
func TestSinCosOfHugeArguments(t *testing.T) {
	for _, x := range []float64{0x1p20, math.Nextafter(0x1p20, 0x1p21), 1e9, 1e17, 0x1p60, 1e100, 1e300,
		math.MaxFloat64} {
		for _, x := range []float64{x, -x} {
			rest := math.Mod(x, 2*math.Pi)
			tolerance := 2e-15
			if math.Abs(x) <= 0x1p20 { // of the true 2π
				rest, tolerance = x, 3e-16
			}
			sin, cos := SinCos(x)
			if !(math.Abs(sin-math.Sin(rest)) <= tolerance) || !(math.Abs(cos-math.Cos(rest)) <= tolerance) {
				t.Errorf("x = %g: %v and %v, want %v and %v", x, sin, cos, math.Sin(rest), math.Cos(rest))
			}
		}
	}
}
