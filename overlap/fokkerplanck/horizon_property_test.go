package fokkerplanck

import (
	"math"
	"testing"

	"antipode/internal/longtest"
	"antipode/overlap"
	"antipode/overlap/internal/line"
	"antipode/overlap/internal/overlaptest"
	"antipode/sphere/must"

	"gonum.org/v1/gonum/interp"
	"pgregory.net/rapid"
)

// seldom returns the number of cases of a property that takes a second to check.
func seldom() int {
	if longtest.Enabled {
		return 8
	}
	return 1
}

// drawAttracting generates a diffusion whose ends both attract, not too close to a threshold.
func drawAttracting(t *rapid.T) *overlap.Diffusion {
	for {
		dim := rapid.SampledFrom([]int{2, 3, 4, 5, 8, 20}).Draw(t, "dim")
		attention := everyAttention.Draw(t, "attention")
		beta := rapid.Float64Range(0, 8).Draw(t, "beta")
		d, err := overlap.New(dim, beta, attention, 1)
		if rapid.Bool().Draw(t, "hybrid") {
			single, antipodal := overlap.HybridThresholds(beta, overlap.Softmax)
			part := rapid.Float64Range(0.1, 0.9).Draw(t, "part")
			d, err = overlap.NewHybrid(dim, beta, overlap.Softmax, antipodal+part*(single-antipodal))
		}
		if err != nil {
			t.Fatal(err)
		}
		if d.MinusOne() == overlap.Attracting && d.PlusOne() == overlap.Attracting &&
			d.Line().Minus.Slope < -0.02 && d.Line().Plus.Slope > 0.02 {
			return d
		}
	}
}

// At a very long time no probability is left between the ends, except what may still leave the tolerance:
// at most the probability of that.
func TestHorizonTendsToTheLimit(t *testing.T) {
	overlaptest.CheckSeldom(t, 12, func(t *rapid.T) {
		d, z0 := drawAttracting(t), rapid.Float64Range(-0.99, 0.99).Draw(t, "z0")
		laws := must.Get(From(d, z0, []float64{1e12}, 1e-5))(t)
		limit, _ := d.AntipodalFrom(z0)
		const tolerance = 1e-4
		stays, _ := d.AntipodalFrom(-1 + tolerance)
		comes, _ := d.AntipodalFrom(1 - tolerance)
		p := laws[0].Antipodal(tolerance)
		if !(p.Value*stays.Value <= limit.Value+p.Error && limit.Value <= p.Value+comes.Value+p.Error) ||
			math.Abs(p.Value-limit.Value) > 1e-5 || p.Error > 1e-4 {
			t.Fatalf("%v in the end %v: back %v, %v", p, limit, 1-stays.Value, comes)
		}
	})
}

// The probability to become antipodal eventually is a martingale: its mean is constant, and the mean of
// its square increases with time. A larger starting overlap leads to a larger overlap, at every time and
// threshold.
func TestHorizonsAreMonotone(t *testing.T) {
	overlaptest.CheckSeldom(t, seldom(), func(t *rapid.T) {
		d, z0 := drawAttracting(t), rapid.Float64Range(-0.9, 0.9).Draw(t, "z0")
		first := math.Exp(rapid.Float64Range(-3, 3).Draw(t, "log time"))
		times := []float64{first, 2 * first, 5 * first, 20 * first}
		laws := must.Get(From(d, z0, times, 1e-5))(t)
		higher := must.Get(From(d, 0.5*(z0+1), times, 1e-5))(t)
		end, _ := d.AntipodalFrom(z0)
		before := end.Value * end.Value
		for i, law := range laws {
			known := map[float64]float64{} // every point is evaluated five times
			from := func(z float64) float64 {
				if p, ok := known[z]; ok {
					return p
				}
				p := must.Get(d.AntipodalFrom(z))(t)
				known[z] = p.Value
				return p.Value
			}
			mean := law.Expectation(from)
			square := law.Expectation(func(z float64) float64 { p := from(z); return p * p })
			slack := 4*law.Error + 1e-5
			if !(math.Abs(mean-end.Value) <= slack) || square < before-slack || square > end.Value+slack {
				t.Fatalf("at %v: mean %v of %v, mean square %v after %v", law.Time, mean, end, square, before)
			}
			before = square
			for z := -0.95; z < 1; z += 0.1 {
				if a, b := law.Below(z), higher[i].Below(z); a.Value < b.Value-a.Error-b.Error {
					t.Fatalf("P(Z ≤ %v) = %v, from further up %v", z, a, b)
				}
			}
		}
	})
}

// P_(s+t) = P_s P_t: the law at s, followed by the law after a further t, with a cubic spline of
// P(Z_t ≤ z1) in u = atanh z. (A polynomial in z does not work, as at an end the probability may behave
// like any small power.) The error of the spline is estimated from that with half its points.
func TestHorizonsAreASemigroup(t *testing.T) {
	cases := (seldom() + 3) / 4 // one case takes as long as four of other properties
	overlaptest.CheckSeldom(t, cases, func(t *rapid.T) {
		d, z0, z1 := drawAttracting(t), rapid.Float64Range(-0.9, 0.9).Draw(t, "z0"),
			rapid.Float64Range(-0.9, 0.9).Draw(t, "z1")
		clock := 1 / d.Line().Variance(line.At(0))
		s, more := clock*rapid.Float64Range(0.3, 2).Draw(t, "s"), clock*rapid.Float64Range(1, 4).Draw(t, "t")
		laws := must.Get(From(d, z0, []float64{s, s + more}, 1e-6))(t)
		const points, edge = 129, 15 // in |u| ≤ edge
		var u, value [points]float64
		for k := range points {
			u[k] = edge * (2*float64(k)/(points-1) - 1)
			after := must.Get(From(d, math.Tanh(u[k]), []float64{more}, 1e-6))(t)
			value[k] = after[0].Below(z1).Value
		}
		twoSteps := func(every int) float64 {
			var x, y []float64
			for k := 0; k < points; k += every {
				x, y = append(x, u[k]), append(y, value[k])
			}
			var spline interp.NaturalCubic
			must.Do(t, spline.Fit(x, y))
			return laws[0].Expectation(func(z float64) float64 {
				return spline.Predict(max(-edge, min(math.Atanh(z), edge)))
			})
		}
		got, coarse := twoSteps(1), twoSteps(2)
		if want := laws[1].Below(z1); !(math.Abs(got-want.Value) <= 1e-4+math.Abs(got-coarse)) {
			t.Fatalf("%v by two steps, %v by one", got, want)
		}
	})
}
