package overlap

import (
	"math"

	"antipode/sphere/elementary"
)

// A Distribution is the law of the overlap at one time. Its distribution function is
// tabulated at equidistant points of u = atanh z; it never falls, and the masses
// between the points add up to 1.
type Distribution struct {
	Time float64 // in units of time
	// Error estimates the absolute error of every probability for u = atanh z up to 8 in
	// size, which is 1-|z| ≥ 2.3e-7. It exceeds the tolerance that was asked for where
	// half a second of work does not reach it, and is 1 where nothing was reached.
	Error float64
	// cumulative[i] is P(atanh Z ≤ first + i·width).
	first, width float64
	cumulative   []float64
}

// Antipodal returns P(Z ≤ -1+tolerance), for a tolerance in (0, 2).
func (f Distribution) Antipodal(tolerance float64) Probability {
	return Probability{f.at(f.threshold(tolerance)), f.Error}
}

// Single returns P(Z ≥ 1-tolerance), for a tolerance in (0, 2).
func (f Distribution) Single(tolerance float64) Probability {
	return Probability{1 - f.at(-f.threshold(tolerance)), f.Error}
}

// Below returns P(Z ≤ z), for z in [-1, 1].
func (f Distribution) Below(z float64) Probability {
	mustBeOverlap(z)
	return Probability{f.at(atanh(z)), f.Error}
}

// Table returns the points of u = atanh z at which the distribution function is
// tabulated, and its values there. They are fresh copies.
func (f Distribution) Table() (u, probability []float64) {
	for i, v := range f.cumulative {
		u, probability = append(u, f.edge(i)), append(probability, v)
	}
	return u, probability
}

// threshold returns atanh(-1+tolerance).
func (f Distribution) threshold(tolerance float64) float64 {
	return 0.5 * elementary.Log(tolerance/(2-tolerance))
}

func (f Distribution) edge(i int) float64 { return f.first + float64(float64(i)*f.width) }

// add adds the cumulative sums of the masses with a weight.
func (f Distribution) add(mass []float64, weight float64) {
	sum := 0.0
	for i, m := range mass {
		sum += m
		f.cumulative[i] += float64(weight * sum)
	}
}

// at returns the distribution function at u, between its values at the two nearest
// points.
func (f Distribution) at(u float64) float64 {
	x := (u - f.first) / f.width
	last := len(f.cumulative) - 1
	switch {
	case x <= -1: // half a cell below the first node
		return 0
	case x >= float64(last):
		return f.cumulative[last]
	}
	i := int(math.Floor(x))
	b, c := f.value(i), f.value(i+1)
	return max(b, min(c, f.interpolate(u)))
}

// interpolate returns the polynomial through the six nearest points at u.
func (f Distribution) interpolate(u float64) float64 {
	x := (u - f.first) / f.width
	i := int(math.Floor(max(-1, min(x, float64(len(f.cumulative)-1)))))
	x -= float64(i)
	sum := 0.0
	for k, denominator := range [6]float64{-120, 24, -12, 12, -24, 120} {
		product := f.value(i+k-2) / denominator
		for j := range 6 {
			if j != k {
				product *= x - float64(j-2)
			}
		}
		sum += product
	}
	return sum
}

// roughness estimates the error of the polynomials: where every other point is left
// out, it is 2^6 times as large. It looks at |u| ≤ inner.
func (f Distribution) roughness() float64 {
	worst := 0.0
	for i := range f.cumulative {
		if math.Abs(f.edge(i)) > inner {
			continue
		}
		pair := func(k int) float64 { return f.value(i-k) + f.value(i+k) }
		middle := (float64(3*pair(5)) - float64(25*pair(3)) + float64(150*pair(1))) * 0x1p-8
		worst = max(worst, math.Abs(float64(middle)-f.cumulative[i]))
	}
	return worst / 32
}

// value returns entry i, continued by 0 and by the last one.
func (f Distribution) value(i int) float64 {
	if i < 0 {
		return 0
	}
	return f.cumulative[min(i, len(f.cumulative)-1)]
}

// resting returns the laws of an overlap that stays at the end z0.
func resting(z0 float64, times []float64) []Distribution {
	result := make([]Distribution, len(times))
	for i, t := range times {
		result[i] = Distribution{Time: t, first: math.Copysign(400, z0), width: 1, cumulative: []float64{1}}
	}
	return result
}
