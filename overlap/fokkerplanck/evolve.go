package fokkerplanck

import (
	"errors"
	"fmt"

	"antipode/overlap"
	"antipode/overlap/internal/line"
)

// From returns the law at the given times of an overlap that starts at z0 in [-1, 1]. Times must be positive
// and increasing, up to 1e15. The argument tolerance, in [1e-9, 0.1], is the requested absolute error of a
// probability; each Distribution states its estimated error. Without noise (as in the hybrid model with ε =
// 0) the law of the overlap is a point mass. From returns an error if an argument is out of range, or if the
// variance of the overlap exceeds float64, as when e^(2β) overflows for unnormalized attention.
func From(d *overlap.Diffusion, z0 float64, times []float64, tolerance float64) ([]Distribution, error) {
	if err := checkStart(z0); err != nil {
		return nil, err
	}
	l := d.Line()
	if err := check(l, times, tolerance); err != nil {
		return nil, err
	}
	if z0 == 1 || z0 == -1 && !l.Minus.Enterable {
		return stationary(z0, times), nil
	}
	from := source{at: max(line.Atanh(z0), -l.Minus.Reach)}
	laws := evolve(l, from, times, tolerance)
	if bothAttract(l) {
		constrain(laws, martingaleConstraint{d, antipodalFrom(d, from.at)})
	}
	return laws, nil
}

func checkStart(z0 float64) error {
	if !(z0 >= -1 && z0 <= 1) {
		return fmt.Errorf("fokkerplanck: z0 = %v is not allowed: it must be from -1 to 1", z0)
	}
	return nil
}

// Uniform returns the law of the overlap of two tokens that start independent and uniform on the
// sphere; see From.
func Uniform(d *overlap.Diffusion, times []float64, tolerance float64) ([]Distribution, error) {
	l := d.Line()
	if err := check(l, times, tolerance); err != nil {
		return nil, err
	}
	laws := evolve(l, source{start: uniformStarts.At(l.Dim)}, times, tolerance)
	if bothAttract(l) {
		constrain(laws, martingaleConstraint{d, d.AntipodalUniform().Value})
	}
	return laws, nil
}

func bothAttract(l *line.Diffusion) bool {
	return l.Velocity == nil && l.Minus.Attracting && l.Plus.Attracting
}

// constrain attaches the martingale constraint e to the laws.
func constrain(laws []Distribution, e martingaleConstraint) {
	for i := range laws {
		laws[i].constraint = &e
	}
}

// greatestTime is the greatest time that package fokkerplanck accepts; it is far beyond the relevant time
// scales of the overlap, and far from the limits of float64.
const greatestTime = 1e15

func check(d *line.Diffusion, times []float64, tolerance float64) error {
	before := 0.0
	for _, t := range times {
		if !(t > before && t <= greatestTime) {
			return fmt.Errorf("fokkerplanck: time %v is not allowed: "+
				"times must be positive, increasing and at most %v", t, greatestTime)
		}
		before = t
	}
	switch {
	case len(times) == 0:
		return errors.New("fokkerplanck: no time is given")
	case !(tolerance >= 1e-9 && tolerance <= 0.1):
		return fmt.Errorf("fokkerplanck: tolerance %v is not allowed: it must be from 1e-9 to 0.1", tolerance)
	}
	if d.Velocity != nil && d.Velocity(line.At(1)) < 2e290 {
		return nil
	}
	return d.CheckClock()
}

// A source is the starting law of the overlap: the law of the overlap of uniform tokens, or a point mass at u
// = at if start is nil.
type source struct {
	start *uniformStart
	at    float64
}

// support returns the smallest interval of u = atanh z in which the overlap starts.
func (s source) support() (low, high float64) {
	if s.start != nil {
		return -s.start.Edge, s.start.Edge
	}
	return s.at, s.at
}

const (
	// toleranceRange is the |u|, u = atanh z, up to which errors are compared with the tolerance.
	toleranceRange = 8
	// asymptote is the |u|, u = atanh z, beyond which slope and variance of the diffusion are constant. Every
	// float64 z inside (-1, 1) has a smaller |u|.
	asymptote = 19
	// coarsestRelativeStep is the greatest length of a step in time relative to the time elapsed before the
	// step. Eigenmodes that decay too fast for such a step have died out during the elapsed time.
	coarsestRelativeStep = 0.4
	// initialFraction is the fraction of the first requested time that eachStep adds to the elapsed time, so
	// that the first steps have positive length.
	initialFraction = 1e-4
)

// evolve returns the laws of the overlap at the given times with estimated errors up to the tolerance. If the
// permitted work mostWork does not suffice for the tolerance, evolve returns the laws with the smallest
// estimated errors.
func evolve(d *line.Diffusion, from source, times []float64, tolerance float64) []Distribution {
	if d.Velocity != nil {
		return transport(d.Velocity, from, times)
	}
	solve := func(s scheme) []Distribution {
		best, truncation := refine(d, nil, from, times, tolerance, s)
		return best.distributions(times, truncation)
	}
	result := solve(scharfetterGummel)
	if worst := greatestError(result); worst > tolerance {
		if again := solve(central); greatestError(again) < worst {
			result = again
		}
	}
	for i, t := range times {
		const reserve = 1.1 // as displacementBound samples drift and variance at a few points
		low, high := from.support()
		result[i].lowest = low - float64(reserve*displacementBound(d, low, -1, t))
		result[i].highest = high + float64(reserve*displacementBound(d, high, 1, t))
	}
	return result
}

func greatestError(laws []Distribution) float64 {
	worst := 0.0
	for _, law := range laws {
		worst = max(worst, law.Error)
	}
	return worst
}

// eachStep calls the function step for each step in time up to the last of the times. The argument t of step
// is the length of the step; arrived reports whether the step ends at one of the times. The length of a step
// is about relativeStep times the elapsed time, but a step that underflows ends at the next of the times.
func eachStep(times []float64, relativeStep float64, step func(t float64, arrived bool)) {
	passed := 0.0
	for _, t := range times {
		for passed < t {
			s := float64(relativeStep * (passed + float64(initialFraction*times[0])))
			if arrived := passed+float64(1.5*s) >= t || s == 0; arrived {
				step(t-passed, true)
				passed = t
			} else {
				step(s, false)
				passed += s
			}
		}
	}
}

// laws returns, for each of the times, the distribution function at the edges between the cells of a chain.
// If the chain has derivatives of its rates, the distribution functions are followed by their derivatives for
// each of the times.
func laws(c *chain, from source, times []float64, relativeStep float64) [][]float64 {
	mass := from.project(c)
	massBy := make([]float64, len(mass))
	var values, derivatives [][]float64
	eachStep(times, relativeStep, func(t float64, arrived bool) {
		c.step(mass, t)
		if c.derivatives != nil {
			c.stepDerivatives(massBy, t)
		}
		if arrived {
			values = append(values, cumulative(mass))
		}
		if arrived && c.derivatives != nil {
			derivatives = append(derivatives, cumulative(massBy))
		}
	})
	return append(values, derivatives...)
}

// cumulative returns, for each edge between two neighbouring nodes of a grid, the sum of the masses of the
// nodes below the edge.
func cumulative(mass []float64) []float64 {
	result := make([]float64, len(mass)-1)
	sum := 0.0
	for i := range result {
		sum += mass[i]
		result[i] = sum
	}
	return result
}

// project returns the masses of the starting law at the nodes of the grid, with total mass 1.
func (s source) project(c *chain) []float64 {
	if s.start == nil {
		mass := make([]float64, c.nodes)
		mass[c.middle] = 1
		return mass
	}
	mass, total := s.start.project(c.grid), 0.0
	for _, m := range mass {
		total += m
	}
	for i := range mass {
		mass[i] /= total
	}
	return mass
}
