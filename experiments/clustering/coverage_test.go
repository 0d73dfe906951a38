package clustering

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"antipode/data"
	"antipode/experiments/internal/fit"
	"antipode/experiments/internal/outcomes"
	"antipode/sde"

	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/stat/distuv"
)

// coverage is the share of draws whose interval holds what it is for.
func coverage(draws int, interval func() (low, high float64), truth float64) float64 {
	covered := 0
	for range draws {
		if low, high := interval(); low <= truth && truth <= high {
			covered++
		}
	}
	return float64(covered) / float64(draws)
}

// checkCoverage compares a share of draws with a probability, 4.5 standard errors.
func checkCoverage(t *testing.T, what string, draws int, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 4.5*math.Sqrt(want*(1-want)/float64(draws)) {
		t.Errorf("%s: %.4f are covered, want %.4f", what, got, want)
	}
}

// The coverage of the Wilson interval by enumeration of all counts: on average over the probability
// 95 %, and never far below but for probabilities of about one event (L. Brown, T. Cai, A. DasGupta,
// Statistical Science 16 (2001) 101: between 0.92 and 0.98 away from the ends).
func TestWilsonCoverageByEnumeration(t *testing.T) {
	for _, trials := range []int64{20, 50, 200} {
		mean, least, cells := 0.0, 1.0, 2000
		for cell := range cells {
			p, covered := (float64(cell)+0.5)/float64(cells), 0.0
			law := distuv.Binomial{N: float64(trials), P: p}
			for k := range trials + 1 {
				if low, high := outcomes.Wilson(k, trials); low <= p && p <= high {
					covered += law.Prob(float64(k))
				}
			}
			mean += covered / float64(cells)
			if float64(trials)*min(p, 1-p) > 5 {
				least = min(least, covered)
			}
		}
		if math.Abs(mean-0.95) > 0.005 || least < 0.92 {
			t.Errorf("%d trials: coverage %.4f on average, %.4f at least", trials, mean, least)
		}
	}
}

// orderFits are fits of an order to means at so many depths, whose scatter is so many times what their
// covariance says.
type orderFits struct {
	depths, freedom int
	limit, scatter  float64
	fits            int
}

// check compares the coverage of the interval of an order. It grows with the scatter, and so covers as
// often as a normal number lies within 1.96·√max(1, χ²/f) with f degrees of freedom. Each unknown takes
// one: the order, c, c' from four depths on, and the limit if it is not given.
func (f orderFits) check(t *testing.T, random *rand.Rand) {
	n := f.depths
	e := fit.Estimates{Means: make([]float64, n), Covariance: make([]float64, n*n)}
	const common = 1.5e-7 // an error that all means share
	deviation := func(i int) float64 { return 1e-7 * float64(1+i%3) }
	second := 0.3
	if n == 3 { // no second term is fitted
		second = 0
	}
	for i := range n {
		e.Depths = append(e.Depths, float64(int(8)<<i))
		for j := range n {
			e.Covariance[i*n+j] = common * common
		}
		e.Covariance[i*n+i] += deviation(i) * deviation(i)
	}
	got := coverage(f.fits, func() (low, high float64) {
		shared := common * random.NormFloat64()
		for i, depth := range e.Depths {
			noise := shared + deviation(i)*random.NormFloat64()
			e.Means[i] = 0.7 + 0.4/depth + second/(depth*depth) + f.scatter*noise
		}
		_, low, high = e.Order(f.limit)
		return low, high
	}, 1)
	checkCoverage(t, fmt.Sprintf("%+v", f), f.fits, got, widened(f.freedom, f.scatter))
}

// The long tests have more fits.
func TestIntervalOfAnOrderCovers(t *testing.T) {
	if testing.Short() {
		t.Skip("hundreds of fits")
	}
	random := rand.New(rand.NewPCG(9, 19))
	for _, f := range []orderFits{{3, 0, 0.7, 1, 1500}, {4, 1, 0.7, 3, 200}, {5, 1, math.NaN(), 1, 200}} {
		f.check(t, random)
	}
}

// widened is the probability that a normal number of a standard deviation lies within 1.96·√max(1, s),
// s the mean square of so many others of the same.
func widened(freedom int, deviation float64) float64 {
	inside := func(s float64) float64 {
		reach := distuv.UnitNormal.Quantile(0.975) * math.Sqrt(max(1, s*deviation*deviation)) / deviation
		return math.Erf(reach / math.Sqrt2)
	}
	if freedom == 0 {
		return inside(0)
	}
	law := distuv.ChiSquared{K: float64(freedom)}
	share := func(p float64) float64 { return inside(law.Quantile(p) / float64(freedom)) }
	return quad.Fixed(share, 0, 1, 2000, nil, 0)
}

// pairedSample are draws of coupled values, with the means, covariance and standard errors that they have by
// their definition.
func pairedSample(t *testing.T) (rows [][3]float64, e fit.Estimates) {
	t.Helper()
	random := rand.New(rand.NewPCG(2, 3))
	m := fit.NewMoments(3)
	for range 50 {
		shared := random.NormFloat64()
		row := [3]float64{shared + 0.1*random.NormFloat64(), 2 + shared + 0.2*random.NormFloat64(),
			shared - 0.3*random.NormFloat64()}
		rows = append(rows, row)
		m.Add(row[:])
	}
	return rows, m.Estimates([]int{4, 8, 24})
}

// standardErrorOf is that of the mean of a combination of the values of each row.
func standardErrorOf(rows [][3]float64, combination func(row [3]float64) float64) (mean, stderr float64) {
	n := float64(len(rows))
	for _, row := range rows {
		mean += combination(row) / n
	}
	squares := 0.0
	for _, row := range rows {
		squares += math.Pow(combination(row)-mean, 2)
	}
	return mean, math.Sqrt(squares / (n - 1) / n)
}

func close(a, b float64) bool { return math.Abs(a-b) <= 1e-12*(1+math.Abs(b)) }

// Errors of means, of their differences and of extrapolations are those of the same combinations of
// coupled values, trajectory by trajectory: differences of values that go together have much smaller
// errors than the values.
func TestErrorsOfCoupledMeans(t *testing.T) {
	rows, e := pairedSample(t)
	for i := range 3 {
		mean, stderr := standardErrorOf(rows, func(row [3]float64) float64 { return row[i] })
		if !close(e.Means[i], mean) || !close(e.Stderr(i), stderr) {
			t.Errorf("mean %d: %v ± %v, want %v ± %v", i, e.Means[i], e.Stderr(i), mean, stderr)
		}
		for j := range 3 {
			want, wantError := standardErrorOf(rows, func(row [3]float64) float64 { return row[i] - row[j] })
			if got, stderr := e.Difference(i, j); !close(got, want) || math.Abs(stderr-wantError) > 1e-9 {
				t.Errorf("difference of %d and %d: %v ± %v, want %v ± %v", i, j, got, stderr, want, wantError)
			}
		}
	}
	x := e.Extrapolated()
	combinations := []func(row [3]float64) float64{ // depths 4, 8 and 24
		func(row [3]float64) float64 { return 2*row[1] - row[0] },
		func(row [3]float64) float64 { return 1.5*row[2] - 0.5*row[1] },
	}
	for i, combination := range combinations {
		mean, stderr := standardErrorOf(rows, combination)
		if !close(x.Means[i], mean) || !close(x.Stderr(i), stderr) {
			t.Errorf("extrapolation %d: %v ± %v, want %v ± %v", i, x.Means[i], x.Stderr(i), mean, stderr)
		}
	}
	want, wantError := standardErrorOf(rows,
		func(row [3]float64) float64 { return combinations[0](row) - combinations[1](row) })
	if got, stderr := x.Difference(0, 1); !close(got, want) || math.Abs(stderr-wantError) > 1e-9 {
		t.Errorf("difference of extrapolations: %v ± %v, want %v ± %v", got, stderr, want, wantError)
	}
}

// The table of weak errors: with a limit each row has its difference from that and the error of its
// mean; without one the difference is unknown, the reference is the mean at the greatest depth, and
// the error that of the difference.
func TestErrorsOfWeakRows(t *testing.T) {
	rows, e := pairedSample(t)
	for _, limit := range []float64{0.5, math.NaN()} {
		i := 0
		err := weakRows{weakSchemes()[1], sde.Uniform, 2, e, limit}.write(data.SinkFunc(func(columns ...data.Values) error {
			number := func(k int) float64 { return columns[k].(data.Slice[float64])[0] }
			mean, stderr := standardErrorOf(rows, func(row [3]float64) float64 { return row[i] })
			reference, difference := limit, mean-limit
			if math.IsNaN(limit) {
				reference, _ = standardErrorOf(rows, func(row [3]float64) float64 { return row[2] })
				difference = math.NaN()
				if i < 2 {
					difference, stderr = standardErrorOf(rows,
						func(row [3]float64) float64 { return row[i] - row[2] })
				}
			}
			for k, want := range []float64{mean, stderr, reference, difference} {
				if got := number(4 + k); !close(got, want) && !(got != got && want != want) {
					t.Errorf("limit %v, row %d, column %d: %v, want %v", limit, i, 4+k, got, want)
				}
			}
			if columns[0].(data.Slice[int8])[0] != 1 || columns[1].(data.Slice[int8])[0] != 1 ||
				columns[2].(data.Slice[int32])[0] != []int32{4, 8, 24}[i] ||
				columns[3].(data.Slice[int8])[0] != 2 {
				t.Errorf("row %d is that of %v", i, columns[:4])
			}
			i++
			return nil
		}))
		if err != nil || i != 3 {
			t.Errorf("%d rows, %v", i, err)
		}
	}
}

// Of exponential times, the interval of the final decay covers the decay time as often as the law of
// the sum of k of them, a gamma law, says: the times beyond the median are exponential again. That of
// the mean passage time, whose error is estimated, comes near.
func TestIntervalsOfTimesCover(t *testing.T) {
	const draws, depth, scale = 4000, 10, 1e7
	random := rand.New(rand.NewPCG(4, 44))
	for _, trajectories := range []int{8, 31, 200} {
		passages := make([]passage, trajectories)
		again := func() {
			for k := range passages {
				time := int64(scale * random.ExpFloat64())
				passages[k] = passage{time, time}
			}
		}
		truth := scale / depth
		got := coverage(draws, func() (float64, float64) {
			again()
			return decayInterval(finalDecay(passages, depth), int64(trajectories))
		}, truth)
		k := float64(trajectories / 2)
		law, ratio := distuv.Gamma{Alpha: k, Beta: k}, math.Exp(1.959963984540054/math.Sqrt(k))
		checkCoverage(t, "decay time", draws, got, law.CDF(ratio)-law.CDF(1/ratio))
		got = coverage(draws, func() (float64, float64) {
			again()
			_, low, high := meanPassage(passages, depth)
			return low, high
		}, truth)
		if trajectories == 200 && math.Abs(got-0.95) > 0.015 || got < 0.86 || got > 0.97 {
			t.Errorf("%d passage times: %.4f are covered", trajectories, got)
		}
	}
}
