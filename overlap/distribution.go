package overlap

import (
	"math"

	"antipode/sphere/elementary"
)

// A Distribution is the law of the overlap at one time. Its distribution function is
// tabulated at equidistant points of u = atanh z; it never falls, and the masses
// between the points add up to 1.
type Distribution struct {
	Time  float64 // in units of time
	Error float64 // estimated absolute error of every probability
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

// at returns the distribution function at u, from the cubic polynomial through the
// four nearest points.
func (f Distribution) at(u float64) float64 {
	x := (u - f.first) / f.width
	last := len(f.cumulative) - 1
	switch {
	case x <= -1: // half a cell below the first node
		return 0
	case x >= float64(last):
		return f.cumulative[last]
	}
	i := max(-1, min(int(math.Floor(x)), last-1))
	x -= float64(i)
	a, b, c, d := f.value(i-1), f.value(i), f.value(i+1), f.value(i+2)
	cubic := float64(-x*(x-1)*(x-2)/6*a) + float64((x+1)*(x-1)*(x-2)/2*b) - float64((x+1)*x*(x-2)/2*c) + float64((x+1)*x*(x-1)/6*d)
	return max(min(b, c), min(max(b, c), cubic))
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
