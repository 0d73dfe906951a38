package fokkerplanck

import (
	"math"

	"antipode/overlap"
	"antipode/overlap/internal/line"
)

// A Distribution is the law of the overlap z of two clusters at one time. The distribution function is
// tabulated at points of u = atanh z that are about equidistant up to |u| = 8 and further apart beyond. The
// tabulated distribution function is non-decreasing.
type Distribution struct {
	Time float64 // in units of time
	// Error is the greatest estimated absolute error of all probabilities for |u| ≤ 8, that is, for 1-|z| ≥
	// 2.3e-7. The methods Antipodal, Single and Below return the estimated error of a single probability, for
	// every u. Error exceeds the requested tolerance if half a second of computation is not enough to reach
	// the tolerance, or if the law at a very short time is too narrow for float64.
	Error float64
	// cumulative[i] is P(x ≤ first + i·width), where x is the argument of sinhMap. Probability mass outside
	// the table has been absorbed by a wall of the grid, and is at the wall or beyond the wall.
	first, width float64
	cumulative   []float64
	uncertainty  []float64 // the estimated errors of cumulative; nil if all equal Error
	// Up to the time Time, drift and noise take atanh Z neither below lowest nor above highest. The fields
	// lowest and highest are 0 if such limits are not known.
	lowest, highest float64
	constraint      *martingaleConstraint // nil unless both ends attract
}

// newDistribution returns a Distribution whose distribution function is 0 at all edges between the cells of a
// grid.
func newDistribution(g grid) Distribution {
	return Distribution{first: g.first + float64(0.5*g.width), width: g.width,
		cumulative: make([]float64, g.nodes-1)}
}

// Antipodal returns the probability P(Z ≤ -1+tolerance) of the overlap Z, for a tolerance in (0, 2).
func (f Distribution) Antipodal(tolerance float64) overlap.Probability {
	antipodal, _ := f.outcomes(tolerance)
	return antipodal
}

// Single returns the probability P(Z ≥ 1-tolerance) of the overlap Z, for a tolerance in (0, 2).
func (f Distribution) Single(tolerance float64) overlap.Probability {
	_, single := f.outcomes(tolerance)
	return single
}

// outcomes returns the probabilities of Antipodal and Single. The error of each probability is at least the
// amount by which the two probabilities violate the martingale constraint.
func (f Distribution) outcomes(tolerance float64) (antipodal, single overlap.Probability) {
	edge := line.Edge(tolerance)
	antipodal, single = f.below(-edge), f.below(edge)
	single.Value = 1 - single.Value
	if f.constraint != nil && edge >= 0 {
		wrong := f.constraint.violation(-edge, edge, antipodal.Value, single.Value)
		antipodal.Error, single.Error = max(antipodal.Error, wrong), max(single.Error, wrong)
	}
	return antipodal, single
}

// Below returns the probability P(Z ≤ z) of the overlap Z, for z in [-1, 1].
func (f Distribution) Below(z float64) overlap.Probability {
	line.MustBeOverlap(z)
	return f.below(line.Atanh(z))
}

// edge returns the u = atanh z at which entry i of the distribution function is tabulated.
func (f Distribution) edge(i int) float64 { return sinhMap(f.first + float64(float64(i)*f.width)) }

// below returns the probability P(atanh Z ≤ u) of the overlap Z. The error of below is the greatest error of
// the distribution function within a distance 1/4 of u, because two inaccurate solutions may agree at a
// single point by chance.
func (f Distribution) below(u float64) overlap.Probability {
	switch {
	case f.lowest < f.highest && u <= f.lowest:
		return overlap.Probability{Value: 0, Error: roundingError}
	case f.lowest < f.highest && u >= f.highest:
		return overlap.Probability{Value: 1, Error: roundingError}
	}
	p := overlap.Probability{Value: f.at(u), Error: f.Error}
	if f.uncertainty != nil {
		p.Error = f.greatestNearby(u)
		switch last := len(f.cumulative) - 1; {
		case u < f.edge(0):
			p.Error = max(p.Error, f.cumulative[0])
		case u > f.edge(last):
			p.Error = max(p.Error, 1-f.cumulative[last])
		}
	}
	return p
}

// greatestNearby returns the greatest uncertainty of the distribution function within a distance 1/4 of u.
func (f Distribution) greatestNearby(u float64) (worst float64) {
	const vicinity = 0.25
	from, to := f.cell(inverseSinhMap(u-vicinity)), f.cell(inverseSinhMap(u+vicinity))+1
	for i := max(0, from); i <= min(to, len(f.uncertainty)-1); i++ {
		worst = max(worst, f.uncertainty[i])
	}
	return worst
}

// cell returns the index of the last entry of the table at or below x, or -1 if no entry lies at or below x.
func (f Distribution) cell(x float64) int {
	return int(math.Floor(max(-1, min((x-f.first)/f.width, float64(len(f.cumulative)-1)))))
}

// greaterNeighbour returns the greater of the two entries of a list next to x, where the list has an entry
// for each point of the table.
func (f Distribution) greaterNeighbour(list []float64, x float64) float64 {
	i := f.cell(x)
	return max(list[max(0, i)], list[min(i+1, len(list)-1)])
}

// at returns the distribution function at u, interpolated and clamped to the values at the two nearest points
// of the table.
func (f Distribution) at(u float64) float64 {
	x := inverseSinhMap(u)
	last := len(f.cumulative) - 1
	switch {
	case x < f.first:
		return 0
	case x > f.first+float64(float64(last)*f.width):
		return 1
	}
	i := f.cell(x)
	return max(f.value(i), min(f.value(i+1), f.interpolate(x)))
}

// interpolate returns the value at x of the polynomial through the distribution function at the six nearest
// points of the table.
func (f Distribution) interpolate(x float64) float64 {
	i := f.cell(x)
	x = (x-f.first)/f.width - float64(i)
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

// interpolationError estimates the error of interpolate near each point of the table. The estimate comes from
// interpolation at a table point without every other point, which has 2^6 times the error of interpolate.
func (f Distribution) interpolationError() []float64 {
	result := make([]float64, len(f.cumulative))
	for i, v := range f.cumulative {
		pair := func(k int) float64 { return f.value(i-k) + f.value(i+k) }
		middle := (float64(3*pair(5)) - float64(25*pair(3)) + float64(150*pair(1))) * 0x1p-8
		result[i] = math.Abs(float64(middle)-v) / 32
	}
	return result
}

// greatest returns the greatest entry of a list at the table points with |u| ≤ toleranceRange.
func (f Distribution) greatest(list []float64) float64 {
	worst := 0.0
	for i, v := range list {
		if math.Abs(f.edge(i)) <= toleranceRange {
			worst = max(worst, v)
		}
	}
	return worst
}

// value returns entry i of the tabulated distribution function; indices outside the table give the first or
// the last entry.
func (f Distribution) value(i int) float64 {
	return f.cumulative[max(0, min(i, len(f.cumulative)-1))]
}

// stationary returns the laws of an overlap that stays at the end z0 = ±1 for ever.
func stationary(z0 float64, times []float64) []Distribution {
	result := make([]Distribution, len(times))
	for i, t := range times {
		result[i] = Distribution{Time: t, first: inverseSinhMap(math.Copysign(400, z0)), width: 1,
			cumulative: []float64{1}}
	}
	return result
}
