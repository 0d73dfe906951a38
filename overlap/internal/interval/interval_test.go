package interval

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

const precision = 400

func number(x float64) *big.Float { return new(big.Float).SetPrec(precision).SetFloat64(x) }

// within fails unless an interval contains a number and is no wider than the given number of units in the
// last place.
func within(t *testing.T, what string, got Interval, want *big.Float, units float64) {
	t.Helper()
	low, high := number(got.Low).Cmp(want), number(got.High).Cmp(want)
	near, _ := want.Float64()
	if low > 0 || high < 0 {
		t.Fatalf("%s: [%v, %v] does not contain %v", what, got.Low, got.High, near)
	}
	if size := math.Abs(near); !(got.High-got.Low <= units*(size*0x1p-52+0x1p-1000)) {
		t.Fatalf("%s: [%v, %v] is wide", what, got.Low, got.High)
	}
}

// bigExp computes e^x by halving x and the Taylor series.
func bigExp(x *big.Float) *big.Float {
	const halvings = 40
	y := new(big.Float).SetPrec(precision).SetMantExp(x, -halvings)
	sum, term := number(1), number(1)
	for n := 1; n < 30; n++ {
		term.Mul(term, y)
		term.Quo(term, number(float64(n)))
		sum.Add(sum, term)
	}
	for range halvings {
		sum.Mul(sum, sum)
	}
	return sum
}

// bigLog computes log x by Newton's method.
func bigLog(x *big.Float) *big.Float {
	near, _ := x.Float64()
	y := number(math.Log(near))
	for range 5 {
		e := bigExp(new(big.Float).Neg(y))
		e.Mul(e, x)
		e.Sub(e, number(1)) // log(1+e) = e - e²/2 + …
		square := new(big.Float).Mul(e, e)
		y.Add(y, e)
		y.Sub(y, square.Quo(square, number(2)))
	}
	return y
}

// The ends move to their neighbours, bit for bit those of math.Nextafter.
func TestNeighbours(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 3))
	numbers := []float64{0, 0x1p-1074, 0x1p-1022, 1, math.MaxFloat64, math.Inf(1), math.NaN()}
	for range 1000 {
		numbers = append(numbers, math.Float64frombits(random.Uint64()))
	}
	for _, x := range numbers {
		for _, x := range []float64{x, math.Copysign(x, -1)} {
			same := func(a, b float64) bool {
				return math.Float64bits(a) == math.Float64bits(b) || a != a && b != b
			}
			above, below := math.Nextafter(x, math.Inf(1)), math.Nextafter(x, math.Inf(-1))
			if !same(up(x), above) || !same(down(x), below) {
				t.Errorf("%v: up %v, down %v", x, up(x), down(x))
			}
		}
	}
}

func TestArithmetic(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	draw := func() float64 { return math.Ldexp(random.Float64()-0.5, random.IntN(40)-20) }
	for range 20_000 {
		a, b := draw(), draw()
		x, y := number(a), number(b)
		within(t, "sum", Of(a).Add(Of(b)), new(big.Float).Add(x, y), 1e9)
		within(t, "difference", Of(a).Sub(Of(b)), new(big.Float).Sub(x, y), 1e9)
		within(t, "product", Of(a).Mul(Of(b)), new(big.Float).Mul(x, y), 4)
		within(t, "quotient", Of(a).Div(Of(b)), new(big.Float).SetPrec(precision).Quo(x, y), 4)
		within(t, "square", Of(a).Square(), new(big.Float).Mul(x, x), 4)
		a = math.Abs(a)
		within(t, "root", Of(a).Sqrt(), new(big.Float).SetPrec(precision).Sqrt(number(a)), 4)
	}
}

// Operations on intervals contain the results for all numbers in them: the ends, and points inside.
func TestIntervalsOfManyNumbers(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 20_000 {
		a := Interval{random.NormFloat64(), 0}
		a.High = a.Low + random.ExpFloat64()
		b := Interval{random.NormFloat64(), 0}
		b.High = b.Low + random.ExpFloat64()
		x, y := a.Low+random.Float64()*(a.High-a.Low), b.Low+random.Float64()*(b.High-b.Low)
		x, y = min(x, a.High), min(y, b.High)
		for what, pair := range map[string]struct {
			in Interval
			x  float64
		}{
			"sum": {a.Add(b), x + y}, "difference": {a.Sub(b), x - y}, "product": {a.Mul(b), x * y},
			"quotient": {a.Div(b), x / y}, "square": {a.Square(), x * x}, "size": {a.Abs(), math.Abs(x)},
			"exp": {a.Exp(), math.Exp(x)}, "sech": {a.Sech(), 1 / math.Cosh(x)},
			"tanh":  {a.Tanh(), math.Tanh(x)},
			"expm1": {a.Expm1(), math.Expm1(x)},
			"log":   {a.Abs().Log(), math.Log(math.Abs(x))},
		} {
			// The float64 is rounded itself.
			slack := 1e-14 * (1 + math.Abs(pair.x))
			if pair.x < pair.in.Low-slack || pair.x > pair.in.High+slack {
				t.Fatalf("%s of %v and %v: [%v, %v] without %v", what, a, b, pair.in.Low, pair.in.High,
					pair.x)
			}
		}
	}
	if got := Of(1).Div(Interval{-1, 1}); got != All {
		t.Errorf("1/[-1, 1] = %v", got)
	}
}

func TestFunctions(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for range 2000 {
		x := 60 * (random.Float64() - 0.5)
		if random.IntN(3) == 0 {
			x *= 1e-5
		}
		e := bigExp(number(x))
		inverse := new(big.Float).Quo(number(1), e)
		sum := new(big.Float).Add(e, inverse)
		half := new(big.Float).Quo(sum, number(2))
		less := new(big.Float).Sub(e, number(1))
		within(t, "exp", Of(x).Exp(), e, 200)
		within(t, "expm1", Of(x).Expm1(), less, 400)
		within(t, "sech", Of(x).Sech(), new(big.Float).Quo(number(1), half), 400)
		odd := new(big.Float).Sub(e, inverse)
		within(t, "tanh", Of(x).Tanh(), odd.Quo(odd, sum), 800)
		y := math.Exp(x)
		within(t, "log", Of(y).Log(), bigLog(number(y)), 1e9)
		if x > -0.9 {
			within(t, "log1p", Of(x).Log1p(), bigLog(new(big.Float).Add(number(1), number(x))), 400)
		}
	}
	for _, x := range []float64{-1e300, -745, 709.9, 1e300} {
		if e := Of(x).Exp(); !(e.Low >= 0 && e.Contains(math.Exp(x))) {
			t.Errorf("e^%v: %v", x, e)
		}
	}
	for what, c := range map[string]struct {
		got  Interval
		want string
	}{
		"π":   {Pi, "3.14159265358979323846264338327950288419716939937510582097494459230781640628620899"},
		"ln2": {ln2, "0.69314718055994530941723212145817656807550013436025525412068000949339362196969472"},
	} {
		want, _, err := big.ParseFloat(c.want, 10, precision, big.ToNearestEven)
		if err != nil {
			t.Fatal(err)
		}
		within(t, what, c.got, want, 2)
	}
}

// Γ(z+n)/Γ(z) is a product for integer n, and two half steps make an integer step.
func TestLogGammaRatio(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	for range 500 {
		z := math.Ldexp(0.3+random.Float64(), random.IntN(20))
		n := 1 + random.IntN(6)
		product := number(1)
		for k := range n {
			product.Mul(product, new(big.Float).Add(number(z), number(float64(k))))
		}
		want := bigLog(product)
		got := LogGammaRatio(Of(z), Of(float64(n)))
		within(t, "whole", got, want, 1e4/math.Min(1, math.Abs(number1(want))))
		half := 0.5 * float64(n)
		halves := LogGammaRatio(Of(z), Of(half)).Add(LogGammaRatio(Of(z).Add(Of(half)), Of(half)))
		within(t, "halves", halves, want, 1e4/math.Min(1, math.Abs(number1(want))))
		back := LogGammaRatio(Of(z).Add(Of(half)), Of(-half)).Add(LogGammaRatio(Of(z), Of(half)))
		within(t, "there and back", back.Add(Of(1)), number(1), 1e5)
	}
	// Γ(½) = √π.
	half, _, _ := big.ParseFloat("0.57236494292470008707171367567652935582364740645766", 10, precision, 0)
	within(t, "log Γ(½)/Γ(1)", LogGammaRatio(Of(1), Of(-0.5)), half, 1e4)
}

func number1(x *big.Float) float64 { f, _ := x.Float64(); return f }

// ψ(1) = -γ, and ψ(z+n) is ψ(z) plus a sum of reciprocals.
func TestDigamma(t *testing.T) {
	gamma, _, _ := big.ParseFloat("-0.57721566490153286060651209008240243104215933593992", 10, precision, 0)
	within(t, "ψ(1)", DigammaLessLog(Of(1)), gamma, 1e4)
	random := rand.New(rand.NewPCG(9, 10))
	for range 300 {
		z := math.Ldexp(1+random.Float64(), random.IntN(20))
		n := 1 + random.IntN(9)
		sum := number(0)
		for k := range n {
			sum.Add(sum, new(big.Float).Quo(number(1), new(big.Float).Add(number(z), number(float64(k)))))
		}
		next := Of(z).Add(Of(float64(n)))
		got := DigammaLessLog(next).Add(next.Div(Of(z)).Log()).Sub(DigammaLessLog(Of(z)))
		within(t, "difference", got, sum, 1e4*z)
	}
}
