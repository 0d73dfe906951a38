package overlap

import (
	"errors"
	"fmt"
	"math"
)

// EvolveFrom returns the law of the overlap at the given times when it starts at z0
// in [-1, 1]: the solution of the Fokker-Planck equation. The times, in units of
// time, must be positive and increase. Tolerance, in [1e-9, 0.1], is the error of a
// probability that is asked for; each Distribution says what was reached. Of the
// deterministic flow (epsilon = 0) the law is a point. It is an error if an argument
// is not allowed, or if the variance is no float64, as that of unnormalized attention
// is when e^(2β) overflows.
func (d *Diffusion) EvolveFrom(z0 float64, times []float64, tolerance float64) ([]Distribution, error) {
	if !(z0 >= -1 && z0 <= 1) {
		return nil, fmt.Errorf("overlap: z0 = %v is not allowed: it must be from -1 to 1", z0)
	}
	if err := d.checkEvolution(times, tolerance); err != nil {
		return nil, err
	}
	if z0 == 1 || z0 == -1 && (d.minus.class == Attracting || d.minus.class == NonAttracting) {
		return resting(z0, times), nil
	}
	return d.evolve(source{at: max(atanh(z0), -d.minus.reach)}, times, tolerance), nil
}

// EvolveUniform returns the law of the overlap of two tokens that start independent
// and uniform on the sphere; see EvolveFrom.
func (d *Diffusion) EvolveUniform(times []float64, tolerance float64) ([]Distribution, error) {
	if err := d.checkEvolution(times, tolerance); err != nil {
		return nil, err
	}
	return d.evolve(source{start: uniformStart(d.dim)}, times, tolerance), nil
}

// EvolveDensity returns the law of the overlap that starts with the given density,
// which is as for AntipodalDensity; see EvolveFrom.
func (d *Diffusion) EvolveDensity(density func(z float64) float64, times []float64, tolerance float64) ([]Distribution, error) {
	start, err := densityStart(density)
	if err == nil {
		err = d.checkEvolution(times, tolerance)
	}
	if err != nil {
		return nil, err
	}
	return d.evolve(source{start: start}, times, tolerance), nil
}

// greatestTime is long enough for everything to have happened, and far from the
// limits of float64.
const greatestTime = 1e15

func (d *Diffusion) checkEvolution(times []float64, tolerance float64) error {
	before := 0.0
	for _, t := range times {
		if !(t > before && t <= greatestTime) {
			return fmt.Errorf("overlap: time %v is not allowed: times must be positive, increasing and at most %v", t, greatestTime)
		}
		before = t
	}
	switch {
	case len(times) == 0:
		return errors.New("overlap: no time is given")
	case !(tolerance >= 1e-9 && tolerance <= 0.1):
		return fmt.Errorf("overlap: tolerance %v is not allowed: it must be from 1e-9 to 0.1", tolerance)
	}
	if h, ok := d.flows(); ok && finite(h.variance(positionAt(1))) {
		if _, q := h.weights(positionAt(1)); q < 1e290 {
			return nil
		}
	}
	return d.checkClock()
}

// checkClock returns an error if the variance does not let times be computed.
func (d *Diffusion) checkClock() error {
	for _, z := range []float64{0, 1} {
		if v := d.model.variance(positionAt(z)); !(v > 1e-290 && v < 1e290) {
			return fmt.Errorf("overlap: times are not available: the variance of this diffusion per unit of time, %v at overlap %v, is 0 or beyond float64 (unnormalized attention: e^(2β) σ²)", v, z)
		}
	}
	return nil
}

// A source is where the overlap starts: with a density, or without one at a point.
type source struct {
	start start
	at    float64
}

const (
	// resolved is the |u| up to which the law is solved for to the tolerance.
	resolved = 8
	// inner is the |u| from beyond which nothing comes back, and which every float64 z is
	// below.
	inner = 19
	// pace is the coarsest step in time, relative to the time that has passed: modes
	// that are faster have died out.
	pace = 0.4
	// early is how much of the first time passes in equal steps, relative to it.
	early = 1e-4
)

// evolve returns the law at the times with an error up to the tolerance, or as small as the
// work allows.
func (d *Diffusion) evolve(from source, times []float64, tolerance float64) []Distribution {
	if h, ok := d.flows(); ok {
		return h.transport(from, times)
	}
	result := d.refine(from, times, tolerance, fitted)
	if worst := greatestError(result); worst > tolerance {
		if again := d.refine(from, times, tolerance, central); greatestError(again) < worst {
			result = again
		}
	}
	if d.minus.class == Attracting && d.plus.class == Attracting {
		limit := d.limit(from)
		for i := range result {
			result[i].end = &limit
		}
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

// walk calls step for every step to the last of the times, and says which of them are
// completed. Steps grow in proportion to the time that has passed.
func walk(times []float64, pace float64, step func(t float64, arrived bool)) {
	passed := 0.0
	for _, t := range times {
		for passed < t {
			s := float64(pace * (passed + float64(early*times[0])))
			if arrived := passed+float64(1.5*s) >= t; arrived {
				step(t-passed, true)
				passed = t
			} else {
				step(s, false)
				passed += s
			}
		}
	}
}

// laws returns the distribution function at the edges of the cells at each of the times.
func (d *Diffusion) laws(c *chain, from source, times []float64, pace float64) [][]float64 {
	mass := from.project(c)
	var result [][]float64
	walk(times, pace, func(t float64, arrived bool) {
		c.step(mass, t)
		if arrived {
			result = append(result, cumulative(mass))
		}
	})
	return result
}

// cumulative returns the masses below the edges between the nodes.
func cumulative(mass []float64) []float64 {
	result := make([]float64, len(mass)-1)
	sum := 0.0
	for i := range result {
		sum += mass[i]
		result[i] = sum
	}
	return result
}

// project returns the masses of the source at the nodes: those of every cell are
// shared between its two nodes so that their mean is kept. What is beyond a wall is at it.
func (s source) project(c *chain) []float64 {
	mass := make([]float64, c.nodes)
	if s.start.density == nil {
		mass[c.middle] = 1
		return mass
	}
	total := 0.0
	first := max(0, int(math.Floor((-unstretched(s.start.edge)-c.first)/c.width)))
	for i := first; i < c.nodes-1 && stretched(c.node(i)) < s.start.edge; i++ {
		for j, y := range gauss.node {
			share := float64(0.5 * (1 + y))
			x := c.node(i) + float64(share*c.width)
			f := float64(gauss.weight[j] * widening(x) * s.start.density(positionOf(stretched(x))))
			moved := float64(share * f)
			mass[i] += f - moved
			mass[i+1] += moved
			total += f
		}
	}
	for i := range mass {
		mass[i] /= total
	}
	return mass
}
