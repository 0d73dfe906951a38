package kernels

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/mathext"
)

// cellOf is the random word whose 52 lowest bits number the cell of [0, 1) that holds u.
func cellOf(u float64) uint64 { return uint64(u * 0x1p52) }

// normalMoment is E g^k of a standard normal number.
func normalMoment(k int) float64 {
	if k%2 == 1 {
		return 0
	}
	moment := 1.0
	for ; k > 1; k -= 2 {
		moment *= float64(k - 1)
	}
	return moment
}

// The pair of Box and Muller, integrated over its two words: all joint moments up to the sixth are
// those of two independent normal numbers. The radius is integrated in -log u, and the mean of a
// trigonometric polynomial over 64 equidistant angles is its integral.
func TestPairOfNormalNumbersHasExactMoments(t *testing.T) {
	const scale, angles, longest = 0.7, 16, 36.0
	for a := range 7 {
		for b := range 7 - a {
			overAngles := func(s float64) float64 {
				sum := 0.0
				for k := range uint64(4 * angles) {
					high := k/angles<<62 | cellOf((float64(k%angles)+0.5)/angles)
					x, y := boxMuller(cellOf(math.Exp(-s)), high, scale)
					sum += math.Pow(x, float64(a)) * math.Pow(y, float64(b))
				}
				return math.Exp(-s) * sum / (4 * angles)
			}
			got := quad.Fixed(overAngles, 0, longest, 60, nil, 0)
			want := math.Pow(scale, float64(a+b)) * normalMoment(a) * normalMoment(b)
			if !(math.Abs(got-want) <= 1e-11) {
				t.Errorf("E x^%d y^%d = %v, want %v", a, b, got, want)
			}
		}
	}
}

// The laws of one word, integrated over it, by a Gauss-Legendre rule. The moments of the truncated normal law
// follow from E x^(n+2) = (n+1) E x^n - 2·2^(n+1) φ(2)/(2Φ(2)-1).
func TestLawsOfOneWordHaveExactMoments(t *testing.T) {
	const bound = 1.7
	edge := 2 * math.Exp(-2) / math.Sqrt(2*math.Pi) / math.Erf(math.Sqrt2)
	var truncated [9]float64
	truncated[0] = 1
	for n := 0; n+2 < len(truncated); n += 2 {
		truncated[n+2] = float64(n+1)*truncated[n] - math.Exp2(float64(n+1))*edge
	}
	for k := range 9 {
		moment := func(number func(word uint64) float64) float64 {
			return quad.Fixed(func(u float64) float64 { return math.Pow(number(cellOf(u)), float64(k)) },
				0, 1, 60, nil, 0)
		}
		uniform := 0.0
		if k%2 == 0 {
			uniform = math.Pow(bound, float64(k)) / float64(k+1)
		}
		got := moment(func(word uint64) float64 { return symmetric(word, bound) })
		if !(math.Abs(got-uniform) <= 1e-12*(1+uniform)) {
			t.Errorf("uniform: moment %d is %v, want %v", k, got, uniform)
		}
		if got := moment(truncatedNormal); !(math.Abs(got-truncated[k]) <= 1e-12*(1+truncated[k])) {
			t.Errorf("truncated normal: moment %d is %v, want %v", k, got, truncated[k])
		}
		exponential := quad.Fixed(func(s float64) float64 {
			return math.Exp(-s) * math.Pow(-math.Log(unit(cellOf(math.Exp(-s)))), float64(k))
		}, 0, 36, 60, nil, 0)
		if want := math.Gamma(float64(k + 1)); k < 4 && !(math.Abs(exponential-want) <= 1e-10*want) {
			t.Errorf("-log of a uniform number: moment %d is %v, want %v", k, exponential, want)
		}
	}
}

// The laws at an address are those of its words: numbers 2j and 2j+1 from the two words of block j,
// signs from the bits of block 0.
func TestLawsAreThoseOfTheWords(t *testing.T) {
	s, n := NewStream(5, 6), 7
	a := s.at(Paths, 3, 4)
	uniform, truncated, signs := make([]float64, n), make([]float64, n), make([]float64, n)
	s.Uniforms(uniform, 0.3, Paths, 3, 4)
	s.TruncatedNormals(truncated, 0.3, Paths, 3, 4)
	s.Signs(signs, 0.3, Paths, 3, 4)
	coins, _ := a.block(0, 0)
	for k := range n {
		word, high := a.block(uint32(k/2), 0)
		if k%2 == 1 {
			word = high
		}
		u := (float64(word&(1<<52-1)) + 0.5) * 0x1p-52
		if want := 0.3 * (2*u - 1); !(math.Abs(uniform[k]-want) <= 1e-15) {
			t.Errorf("uniform number %d: %v, want %v", k, uniform[k], want)
		}
		below := 0.5 * (1 + math.Erf(truncated[k]/0.3/math.Sqrt2)/math.Erf(math.Sqrt2))
		if !(math.Abs(below-u) <= 1e-15) {
			t.Errorf("truncated normal number %d: above a fraction %v, want %v", k, below, u)
		}
		if want := 0.3 - 0.6*float64(coins>>k&1); signs[k] != want {
			t.Errorf("sign %d: %v, want %v", k, signs[k], want)
		}
	}
}

// A sum of squares is -2 log of a uniform number for each two degrees of freedom, and the square of
// a normal number for a single one, each from a block of its own.
func TestSummedSquaresOfEveryFreedom(t *testing.T) {
	a := NewStream(7, 8).at(Increments, 9, 10)
	for freedom := range mostSummed + 1 {
		var want [2]float64
		for j := range freedom / 2 {
			low, high := a.block(uint32(5+j), 0)
			want[0] -= 2 * math.Log((float64(low&(1<<52-1))+0.5)*0x1p-52)
			want[1] -= 2 * math.Log((float64(high&(1<<52-1))+0.5)*0x1p-52)
		}
		if freedom%2 == 1 {
			x, y := normalPair(a, uint32(5+freedom/2), 0, 1)
			want[0] += x * x
			want[1] += y * y
		}
		first, second := summedSquares(a, freedom, 5)
		if !(math.Abs(first-want[0]) <= 1e-14*want[0]) || !(math.Abs(second-want[1]) <= 1e-14*want[1]) {
			t.Errorf("%d degrees of freedom: %v, %v, want %v", freedom, first, second, want)
		}
	}
}

// acceptance is the largest uniform number with which a normal number is accepted, and the χ² number
// that it gives then.
func acceptance(law *chiSquaredLaw, normal float64) (probability, number float64) {
	low, high := 0.0, 1.0
	if number = chiSquaredTrial(law, normal, 1-0x1p-53); number >= 0 {
		return 1, number
	}
	for range 60 {
		if middle := (low + high) / 2; chiSquaredTrial(law, normal, middle) >= 0 {
			low, number = middle, chiSquaredTrial(law, normal, middle)
		} else {
			high = middle
		}
	}
	return low, number
}

// The numbers that the rejection lets through, integrated over the normal number and the
// probability with which each is accepted, have the moments of χ² with n degrees of freedom,
// n(n+2)…(n+2k-2), and its mean logarithm ψ(n/2) + log 2, at every n that a chain draws so up to d = 22 and
// some large ones; and a trial fails with a probability below 0.01.
func TestRejectionHasTheMomentsOfChiSquared(t *testing.T) {
	const longest = 9.0
	for _, freedom := range []int{9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 62, 1000, 99_998} {
		law, n := newChiSquaredLaw(freedom), float64(freedom)
		var sums [6]float64 // of powers 0 to 4 over their means, and of the logarithm
		x, weight := make([]float64, 400), make([]float64, 400)
		quad.Legendre{}.FixedLocations(x, weight, max(-longest, -1/law[1][0]), longest)
		for i, normal := range x {
			probability, number := acceptance(law, normal)
			w := weight[i] * probability * math.Exp(-normal*normal/2) / math.Sqrt(2*math.Pi)
			if number > 0 {
				sums[5] += w * (math.Log(number/2) - mathext.Digamma(n/2))
			}
			for k := range 5 {
				sums[k] += w
				w *= number / (n + 2*float64(k))
			}
		}
		for k := 1; k < 5; k++ {
			if ratio := sums[k] / sums[0]; !(math.Abs(ratio-1) <= 2e-6) {
				t.Errorf("%d degrees of freedom: moment %d is off by %.3g of it", freedom, k, ratio-1)
			}
		}
		if !(math.Abs(sums[5]/sums[0]) <= 2e-6) || sums[0] < 0.99 || sums[0] > 1 {
			t.Errorf("%d degrees of freedom: mean logarithm off by %v, accepted %v", freedom,
				sums[5]/sums[0], sums[0])
		}
	}
}

// With a law that rejects one trial in five, lanes need many, and each is with numbers of its own: those
// of the address's next attempts, whichever other lanes wait.
func TestEveryTrialHasNumbersOfItsOwn(t *testing.T) {
	withEach(t, func(t *testing.T) {
		law := newChiSquaredLaw(1)
		l, trajectories, steps := scattered(rand.New(rand.NewPCG(3, 4)), 40)
		draws := make([]Vector, chainRows*40)
		rejected := l.cleared()
		active().chainDraws(draws, rejected, l.addresses, &l.keys, law)
		l.retry(draws, rejected, law)
		most := 0
		for lane := range steps {
			a := l.stream.at(Increments, trajectories[lane], steps[lane])
			want, trials := [2]float64{-1, -1}, 0
			for ; want[0] < 0 || want[1] < 0; trials++ {
				x, y := normalPair(a, chiSquaredBlock, uint32(2*trials), 1)
				u, v := a.block(chiSquaredBlock, uint32(2*trials+1))
				if want[0] < 0 {
					want[0] = chiSquaredTrial(law, x, unit(u))
				}
				if want[1] < 0 {
					want[1] = chiSquaredTrial(law, y, unit(v))
				}
			}
			most = max(most, trials)
			rows := draws[chainRows*(lane/8):]
			if got := [2]float64{rows[firstSquare][lane%8], rows[firstSquare+1][lane%8]}; got != want {
				t.Errorf("lane %d after %d trials: %v, want %v", lane, trials, got, want)
			}
		}
		if most < 4 {
			t.Errorf("at most %d trials: tells little", most)
		}
	})
}

// A square keeps its value when it is rescaled, and its exponent says by how much.
func TestRescaledSquaresKeepTheirValue(t *testing.T) {
	for _, c := range []struct{ square, exponent, wantSquare, wantExponent float64 }{
		{0x1p-401, 0, 0x1p-145, -256}, {0x1p-500, -512, 0x1p-244, -768}, {0x1p-400, 0, 0x1p-400, 0},
		{0x1p-129, -256, 0x1p-385, 0}, {0x1p-129, -768, 0x1p-385, -512}, {0x1p-130, -256, 0x1p-130, -256},
		{4, 0, 4, 0}, {0, 0, 0, 0}, {0, -256, 0, -256},
	} {
		t.Run(fmt.Sprint(c.square, c.exponent), func(t *testing.T) {
			if square, exponent := rescaled(c.square, c.exponent); square != c.wantSquare ||
				exponent != c.wantExponent {
				t.Errorf("%v·2^%v, want %v·2^%v", square, exponent, c.wantSquare, c.wantExponent)
			}
		})
	}
}
