package fit

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"antipode/experiments/experimenttest"

	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/stat/distuv"
)

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
	e := Estimates{Means: make([]float64, n), Covariance: make([]float64, n*n)}
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
