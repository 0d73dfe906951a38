package overlap

import (
	"math"
	"math/rand/v2"
	"testing"

	"antipode/overlap/internal/interval"
	"antipode/overlap/internal/line"
)

// Enclosures are at most 1e-12 wide. They contain values from another program, and the closed forms on
// the circle.
func TestCertifiedProbabilities(t *testing.T) {
	for _, c := range []struct {
		dim             int
		beta            float64
		uniform, middle float64
		rounding        float64 // rounding error of these values
	}{
		{3, 1, 0.2674900199, 0.2224225631, 1e-10}, {4, 1, 0.1198769963, 0.0844272473, 1e-10},
		{5, 1.5, 0.1510543061, 0.1136681562, 1e-10}, {8, 3, 0.2275077056, 0.2082869569, 1e-10},
		{2, 0.7, 0.5, 0.5, 0}, {2, 0, 0.5, 0.5, 0},
	} {
		for what, want := range map[string]float64{"uniform": c.uniform, "from 0": c.middle} {
			got, err := CertifyUniform(c.dim, c.beta)
			if what == "from 0" {
				got, err = CertifyFrom(c.dim, c.beta, 0)
			}
			if err != nil || !(got.Low <= want+c.rounding && want-c.rounding <= got.High) ||
				!(got.High-got.Low <= 1e-12) {
				t.Errorf("d = %d, β = %v, %s: %v without %v, %v", c.dim, c.beta, what, got, want, err)
			}
		}
	}
}

// checkCertified compares enclosures for random cells with the float64 values of this package and their
// errors.
func checkCertified(t *testing.T, cells int) (widest float64) {
	random := rand.New(rand.NewPCG(20260301, 42))
	for n := range cells {
		dim := 2 + random.IntN(11)
		if n%3 == 0 {
			dim = 2 + random.IntN(LargestCertifiedDim-1)
		}
		beta := LargestCertifiedBeta * random.Float64()
		if critical, ok := CriticalBeta(dim); ok && n%2 == 0 {
			beta = critical + math.Pow(10, 2*random.Float64()-2)
		}
		z0 := 1.98*random.Float64() - 0.99
		d := diffusion(t, dim, beta)
		uniform, err := CertifyUniform(dim, beta)
		point, more := CertifyFrom(dim, beta, z0)
		if err != nil || more != nil {
			t.Fatal(err, more)
		}
		p, q := d.AntipodalUniform(), from(t, d, z0)
		if p.Value < uniform.Low-p.Error || p.Value > uniform.High+p.Error || q.Value < point.Low-q.Error ||
			q.Value > point.High+q.Error {
			t.Errorf("d = %d, β = %v, z0 = %v: %v and %v, float64 has %v and %v", dim, beta, z0,
				uniform, point, p, q)
		}
		widest = max(widest, uniform.High-uniform.Low, point.High-point.Low)
	}
	if widest > 1e-12 {
		t.Errorf("an enclosure is %v wide", widest)
	}
	return widest
}

func TestCertifiedAgainstFloat64(t *testing.T) { t.Logf("at most %.2g wide", checkCertified(t, 12)) }

func TestCertifiedEdges(t *testing.T) {
	if e, err := CertifyUniform(8, 0.5); err != nil || e != (Enclosure{}) {
		t.Errorf("below the threshold: %v, %v", e, err)
	}
	critical, _ := CriticalBeta(5)
	if e, err := CertifyUniform(5, critical); err != nil || e != (Enclosure{0, 1}) {
		t.Errorf("at the threshold: %v, %v", e, err)
	}
	for _, c := range []struct {
		dim  int
		beta float64
		z0   float64
	}{{101, 1, 0}, {4, 20.5, 0}, {1, 1, 0}, {4, 1, 1}, {4, 1, math.NaN()}} {
		if _, err := CertifyFrom(c.dim, c.beta, c.z0); err == nil {
			t.Errorf("%+v", c)
		}
	}
}

// The series at a point encloses the functions there, and the series over a cell encloses those at each
// of its points.
func TestCellSeries(t *testing.T) {
	const dim, beta, u, width = 7, 2.3, 0.4, 0.1
	slope := func(u float64) float64 { return (dim-2)/math.Cosh(beta*(1-math.Tanh(u))) + math.Tanh(u) }
	whole := interval.Interval{Low: u - width, High: u + width}
	near := newCellSeries(dim, interval.Of(beta), interval.Of(u), interval.Of(1), interval.Of(1))
	far := newCellSeries(dim, interval.Of(beta), whole, interval.Interval{Low: 0.1, High: 10}, interval.Of(1))
	for x := -width; x <= width; x += width / 7 {
		sum, power := 0.0, 1.0
		for k := range seriesOrder {
			sum += near.slope[k].High * power
			power *= x
		}
		for _, c := range []struct{ got, want float64 }{{sum, slope(u + x)}} {
			if !(math.Abs(c.got-c.want) <= 1e-13) {
				t.Errorf("at %v: %v, want %v", x, c.got, c.want)
			}
		}
		at := newCellSeries(dim, interval.Of(beta), interval.Of(u+0.99*x), interval.Of(1), interval.Of(1))
		for k := range at.slope {
			if !(far.slope[k].Low <= at.slope[k].Low && at.slope[k].High <= far.slope[k].High) {
				t.Errorf("coefficient %d at %v: %v outside %v", k, x, at.slope[k], far.slope[k])
			}
		}
	}
}

// The integral of G is uncertain by at least the mass between the exact starting overlap and its float64
// value, and by little more.
func TestJumpAtTheStart(t *testing.T) {
	for direction, below := range map[float64]float64{1: 1, -1: 0} {
		w := &certifiedWalk{certificate: &certificate{rounded: 0x1p-53},
			density: interval.Interval{Low: 2, High: 3}}
		w.jump(direction)
		const sliver = 3 * 0x1p-53
		if !(w.weighted.High >= sliver*1.005 && w.weighted.High <= sliver*1.05) ||
			w.weighted.Low != -w.weighted.High || w.below != interval.Of(below) {
			t.Errorf("direction %v: %+v", direction, w)
		}
	}
}

// On the circle the probability from overlap z is ½ - (arcsin z)/π, also from the very point at which the
// walks to both sides begin.
func TestCertifiedFromTheBottom(t *testing.T) {
	bottom := (&certificate{dim: 2, beta: interval.Of(1)}).bottom()
	z0 := math.Tanh(bottom)
	e, err := CertifyFrom(2, 1, z0)
	if want := 0.5 - math.Asin(z0)/math.Pi; err != nil || !(e.Low <= want && want <= e.High) ||
		!(e.High-e.Low <= 1e-12) || line.Atanh(z0) != bottom {
		t.Errorf("%v, %v, want %v; from %v and %v", e, err, want, line.Atanh(z0), bottom)
	}
}
