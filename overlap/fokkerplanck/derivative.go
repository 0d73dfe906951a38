package fokkerplanck

import (
	"math"

	"antipode/overlap"
	"antipode/overlap/internal/line"
)

// A Derivative is the derivative of the law of the overlap at one time with respect to a parameter.
type Derivative struct {
	Time float64 // in units of time
	// Error is the greatest estimated absolute error of derivatives of probabilities for |u| up to 8, u =
	// atanh z; see Distribution.
	Error float64
	law   Distribution // the entries are derivatives and may have any sign
}

// FromDerivative returns the derivatives of the laws returned by From with respect to a parameter. The
// derivatives are those of the law of a birth-and-death chain on each grid, computed from linearised
// equations. Derivatives are extrapolated like the laws, and errors of derivatives are estimated like errors
// of the laws. The second result of FromDerivative is false if the derivatives of slope and variance of the
// diffusion are not known, as for unequal masses, random queries and keys, and without noise. The errors of
// FromDerivative are those of From.
func FromDerivative(
	d *overlap.Diffusion, z0 float64, by overlap.Parameter, times []float64, tolerance float64,
) (laws []Derivative, ok bool, err error) {
	if err := checkStart(z0); err != nil {
		return nil, false, err
	}
	l := d.Line()
	if z0 == 1 || z0 == -1 && !l.Minus.Enterable {
		_, ok = d.CoefficientsBy(by)
		if err := check(l, times, tolerance); err != nil || !ok {
			return nil, false, err
		}
		for _, law := range stationary(z0, times) {
			law.cumulative[0] = 0
			laws = append(laws, Derivative{Time: law.Time, law: law})
		}
		return laws, true, nil
	}
	return derivatives(d, source{at: max(line.Atanh(z0), -l.Minus.Reach)}, by, times, tolerance)
}

// UniformDerivative returns the derivatives of the laws returned by Uniform with respect to a parameter; see
// FromDerivative.
func UniformDerivative(
	d *overlap.Diffusion, by overlap.Parameter, times []float64, tolerance float64,
) (laws []Derivative, ok bool, err error) {
	return derivatives(d, source{start: uniformStarts.At(d.Line().Dim)}, by, times, tolerance)
}

// derivatives returns the derivatives of the laws of the overlap, computed by the more accurate of the
// schemes scharfetterGummel and central, as evolve does for laws.
func derivatives(
	d *overlap.Diffusion, from source, by overlap.Parameter, times []float64, tolerance float64,
) ([]Derivative, bool, error) {
	l := d.Line()
	if err := check(l, times, tolerance); err != nil {
		return nil, false, err
	}
	coefficients, ok := d.CoefficientsBy(by)
	if !ok {
		return nil, false, nil
	}
	solve := func(s scheme) (laws []Derivative, worst float64) {
		best, truncation := refine(l, &line.Diffusion{Coefficients: coefficients}, from, times, tolerance, s)
		laws = best.derivatives(times, truncation)
		for _, law := range laws {
			worst = max(worst, law.Error)
		}
		return laws, worst
	}
	laws, worst := solve(scharfetterGummel)
	if worst > tolerance {
		if again, other := solve(central); other < worst {
			laws = again
		}
	}
	return laws, true, nil
}

// derivatives returns the derivatives of the laws stored in a solution, in which the derivatives follow the
// laws.
func (s *solution) derivatives(times, truncation []float64) (result []Derivative) {
	n := len(times)
	for i, law := range s.laws[n:] {
		f := newDistribution(s.grid)
		f.cumulative, f.uncertainty = law, s.uncertainty[n+i]
		greatest := 1.0
		for _, v := range law {
			greatest = max(greatest, math.Abs(v))
		}
		for j, r := range f.interpolationError() {
			f.uncertainty[j] += truncation[n+i] + r + float64(roundingError*greatest)
		}
		f.Error = f.greatest(f.uncertainty)
		result = append(result, Derivative{times[i], f.Error, f})
	}
	return result
}

// Antipodal returns the derivative of the probability P(Z ≤ -1+tolerance) of the overlap Z, for a tolerance
// in (0, 2).
func (f Derivative) Antipodal(tolerance float64) overlap.Derivative {
	return f.below(-line.Edge(tolerance))
}

// Single returns the derivative of the probability P(Z ≥ 1-tolerance) of the overlap Z, for a tolerance in
// (0, 2).
func (f Derivative) Single(tolerance float64) overlap.Derivative {
	d := f.below(line.Edge(tolerance))
	d.Value = -d.Value
	return d
}

// below returns the derivative of the probability P(atanh Z ≤ u) of the overlap Z. Outside the table of the
// distribution function, below returns the derivative 0 with an error that is at least the absolute value of
// the nearest entry.
func (f Derivative) below(u float64) overlap.Derivative {
	d := overlap.Derivative{Error: f.law.greatestNearby(u)}
	switch last := len(f.law.cumulative) - 1; {
	case u < f.law.edge(0):
		d.Error = max(d.Error, math.Abs(f.law.cumulative[0]))
	case u > f.law.edge(last):
		d.Error = max(d.Error, math.Abs(f.law.cumulative[last]))
	default:
		d.Value = f.law.interpolate(inverseSinhMap(u))
	}
	return d
}
