package line

import (
	"math"
	"testing"
)

// A scale measure may have two maxima with a valley between them in which it is negligible. The tails and the
// covariance of G with the derivative of h are those of a trapezoidal sum, for starts in and on both sides of
// the valley, and for a start that spreads over both maxima.
func TestTwoMaximaOfAScale(t *testing.T) {
	const (
		height, limit = 70.0, 1.5
		points        = 512 // in a unit of u
		step          = 1.0 / points
		count         = 60 * points // from -30 to 30
	)
	at := func(i int) float64 { return step*float64(i) - 30 }
	for _, valley := range []float64{-2, 1.5} {
		bump := func(u float64) float64 { return math.Exp(-(u - valley) * (u - valley) / 2) }
		h := func(u float64) float64 { return limit*math.Log(math.Cosh(u)) + height*bump(u) }
		s := Sensitivity{
			Scale: Scale{
				Slope: func(u float64) float64 { return limit*math.Tanh(u) - height*(u-valley)*bump(u) },
				Minus: Converging(-1, -limit, Asymptote), Plus: Converging(1, limit, Asymptote),
			},
			By: func(u float64) float64 { // of limit + 0.7·height
				if math.IsInf(u, 0) {
					return math.Copysign(1, u)
				}
				return math.Tanh(u) - 0.7*(u-valley)*bump(u)
			},
		}
		by := func(u float64) float64 { return math.Log(math.Cosh(u)) + 0.7*bump(u) }
		density := Uniform(3).Density
		sum := 0.0
		below, p, k := make([]float64, count), make([]float64, count), make([]float64, count)
		for i := range below {
			u := at(i)
			p[i], k[i] = math.Exp(-h(u)), by(u)
			start := density(Of(u))
			below[i] = sum + 0.5*start
			sum += start
		}
		for _, c := range []struct {
			g         Growing
			of        func(i int) float64
			tolerance float64
		}{
			{Uniform(3).Distribution(), func(i int) float64 { return below[i] / sum }, 4e-8},
			{Jump(-4), jump(26 * points), 4e-6},
			{Jump(valley + 0.25), jump(int(points * (valley + 30.25))), 4e-6},
			{Jump(3), jump(33 * points), 4e-6},
		} {
			var mass, mean, meanBy, both float64
			for i := range count {
				g := c.of(i)
				mass, mean, meanBy, both = mass+p[i], mean+p[i]*g, meanBy+p[i]*k[i], both+p[i]*k[i]*g
			}
			want := both/mass - mean/mass*meanBy/mass
			all := s.Both(c.g)
			got := all.WeightedFirst/all.Mass - all.Weighted/all.Mass*all.First/all.Mass
			near(t, "covariance", got, want, c.tolerance)
		}
		for _, u := range []float64{-4, valley, 3} {
			var low, high float64
			for i := range count {
				if at(i) < u {
					low += p[i]
				} else {
					high += p[i]
				}
			}
			low, high = step*(math.Exp(h(u))*low+0.5), step*(math.Exp(h(u))*high-0.5)
			for _, c := range []struct{ until, want float64 }{{math.Inf(-1), low}, {math.Inf(1), high}} {
				near(t, "tail", s.Tail(u, c.until).Mass/c.want, 1, 1e-4)
				near(t, "log tail", s.LogTail(u, c.until), math.Log(c.want), 1e-4)
			}
		}
	}
}

// jump is 0 before index i, and 1 from there on, in the mean.
func jump(i int) func(k int) float64 {
	return func(k int) float64 {
		switch {
		case k < i:
			return 0
		case k == i:
			return 0.5
		}
		return 1
	}
}

// Half of the mass of an even density lies on each side of a jump in the middle, also of a jump at the very
// point at which the integrals to both sides begin. Below a jump to the left of this point G is -1.
func TestJumpAtTheMaximum(t *testing.T) {
	s := Sensitivity{
		Scale: Scale{Slope: math.Tanh, Minus: Converging(-1, -1, Asymptote),
			Plus: Converging(1, 1, Asymptote)},
		By: math.Tanh,
	}
	for _, c := range []struct{ u, want float64 }{{0, 0.5}, {1e-12, 0.5}, {-1e-12, -0.5}} {
		all := s.Both(Jump(c.u))
		near(t, "mean of G", all.Weighted/all.Mass, c.want, 1e-11)
		near(t, "mean of kG", all.WeightedFirst/all.First, c.want, 1e-11)
	}
}

// The integrals begin at a maximum of the density that the other maximum exceeds by a factor beyond float64.
// Nearly all mass is at the other maximum, near -20.
func TestGreaterMaximumElsewhere(t *testing.T) {
	slope := func(u float64) float64 {
		u = max(-Asymptote, min(u, Asymptote))
		return 0.3 * (u + 20) * (u + 5) * (u - 2)
	}
	s := Sensitivity{
		Scale: Scale{Slope: slope, Minus: Converging(-1, slope(-Asymptote), Asymptote),
			Plus: Converging(1, slope(Asymptote), Asymptote)},
		By: func(float64) float64 { return 1 },
	}
	h := func(u float64) float64 { // a primitive of the slope
		return 0.3 * (u*u*u*u/4 + 23*u*u*u/3 + 25*u*u - 200*u)
	}
	for _, g := range []Growing{Jump(-20), Jump(1)} {
		var mass, mean, meanBy, both float64
		const step = 1.0 / 1024
		for u := -24.0; u <= 24; u += step {
			p, above := math.Exp(h(-20)-h(u)), 0.0
			switch {
			case u > g.From:
				above = 1
			case u == g.From:
				above = 0.5
			}
			mass, mean = mass+p, mean+p*above
			meanBy, both = meanBy+p*u, both+p*u*above
		}
		all := s.Both(g)
		near(t, "log mass", math.Log(all.Mass)-all.Unit, math.Log(mass*step)-h(-20)+h(2), 1e-6)
		near(t, "mean of G", all.Weighted/all.Mass, mean/mass-1, 1e-5) // 0 at the starting point
		near(t, "covariance", all.WeightedFirst/all.Mass-all.Weighted/all.Mass*all.First/all.Mass,
			both/mass-mean/mass*meanBy/mass, 1e-5)
	}
}

// Where the scale density is negligible already, a panel of the starting law that is narrower than a panel of
// the scale is passed as well.
func TestNarrowStartOnASteepScale(t *testing.T) {
	const steep = 1e5
	s := Sensitivity{
		Scale: Scale{Slope: func(u float64) float64 { return steep * math.Tanh(u) },
			Minus: Converging(-1, -steep, Asymptote), Plus: Converging(1, steep, Asymptote)},
		By: math.Tanh,
	}
	all := s.Both(Uniform(1000).Distribution())
	near(t, "mean of G", all.Weighted/all.Mass, 0, 1e-12)
	near(t, "mean of k", all.First/all.Mass*steep, 0.5, 1e-4)
}
