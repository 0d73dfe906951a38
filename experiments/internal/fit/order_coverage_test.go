package fit

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"antipode/experiments/experimenttest"
	"antipode/internal/longtest"

	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/stat/distuv"
)

// orderFits describes repeated fits of an order to means at several depths. scatter is the ratio of the
// actual standard deviations of the means to those in the covariance that the fit is given; freedom is the
// number of degrees of freedom, and fits the number of repetitions.
type orderFits struct {
	depths, freedom int
	limit, scatter  float64
	fits            int
}

// check compares the coverage of the interval of an order with its theory. As the interval is widened if the
// residuals are large, it contains the order with the probability that a normal number lies within
// 1.96·√max(1, χ²/f), where χ² has f degrees of freedom. Each fitted parameter takes one degree: the order,
// c, c' if there are at least four depths, and the limit if it is not given.
func (f orderFits) check(t *testing.T, random *rand.Rand) {
	n := f.depths
	e := Estimates{Means: make([]float64, n), Covariance: make([]float64, n*n)}
	const common = 1.5e-7 // standard deviation of an error that all means share
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
	got := experimenttest.Coverage(f.fits, func() (low, high float64) {
		shared := common * random.NormFloat64()
		for i, depth := range e.Depths {
			noise := shared + deviation(i)*random.NormFloat64()
			e.Means[i] = 0.7 + 0.4/depth + second/(depth*depth) + f.scatter*noise
		}
		_, low, high = e.Order(f.limit)
		return low, high
	}, 1)
	experimenttest.CheckCoverage(t, fmt.Sprintf("%+v", f), f.fits, got, widened(f.freedom, f.scatter))
}

// The coverage is right in three kinds of fits; the long tests have more.
func TestIntervalOfAnOrderCovers(t *testing.T) {
	longtest.Only(t)
	random := rand.New(rand.NewPCG(9, 19))
	for _, f := range []orderFits{{3, 0, 0.7, 1, 1500}, {4, 1, 0.7, 3, 200}, {5, 1, math.NaN(), 1, 200}} {
		f.check(t, random)
	}
}

// widened returns the probability that a normal number with the given standard deviation lies within
// 1.96·√max(1, s), where s is the mean square of freedom independent numbers with the same law (0 if there
// are none).
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
