package overlap

import (
	"errors"
	"fmt"
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
	// inner is the |u| up to which the law is resolved.
	inner = 8
	// pace is the coarsest step in time, relative to the time that has passed: modes
	// that are faster have died out.
	pace = 0.4
	// work bounds the number of nodes times steps of all solutions together; it is
	// about half a second.
	work = 5e7
	// levels is the number of sequences of steps that are extrapolated, the k-th of
	// which divides every step by k.
	levels = 4
	// finest is the greatest number of cells into which one is divided.
	finest = 15
)

// evolve returns the law at the times with an error up to the tolerance, or as small as the
// work allows: a tolerance beyond its reach wants a wide domain and short steps, and leaves
// no work for the cells.
func (d *Diffusion) evolve(from source, times []float64, tolerance float64) []Distribution {
	if h, ok := d.flows(); ok {
		return h.transport(from, times)
	}
	const modest = 1e-3
	result := d.refine(from, times, tolerance)
	if worst := greatestError(result); worst > modest && tolerance < modest {
		if again := d.refine(from, times, modest); greatestError(again) < worst {
			return again
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

// refine refines the steps on the coarsest grid, and then the cells, until two
// extrapolations agree.
func (d *Diffusion) refine(from source, times []float64, tolerance float64) []Distribution {
	g := d.grid(&from, times, tolerance)
	steps, left := pace, work-g.cost(times, pace)
	result, late := d.solve(from, times, g, steps), 1.0
	for late > tolerance {
		cost := g.cost(times, 0.5*steps)
		if left < 12*cost { // the cells need some of it
			break
		}
		left -= cost
		steps *= 0.5
		next := d.solve(from, times, g, steps)
		late = distance(next, result, g, 1, 1)
		result = next
	}
	var solutions solutions
	solutions.add(result, 1)
	worst := 1.0
	for m := 3; m <= finest && worst > 0.5*tolerance; m += 2 {
		fine := g.divide(m)
		if left -= fine.cost(times, steps); left < 0 {
			break
		}
		solutions.add(d.solve(from, times, fine, steps), m)
		next := solutions.extrapolate()
		worst = distance(next, result, g, m, m-2)
		result = next
	}
	if g.coarse {
		worst = 1
	}
	for i := range result {
		// Steps of half the length leave a sixteenth of the difference or so.
		result[i].Error = min(1, result[i].Error+float64(0.25*late)+worst+result[i].roughness()+rounding)
	}
	return result
}

// walk calls step for every step to the last of the times, and says which of them
// are completed. The first is 1e-6 of the first time; they grow in proportion to the
// time that has passed.
func walk(times []float64, pace float64, step func(t float64, arrived bool)) {
	passed := 0.0
	for _, t := range times {
		for passed < t {
			s := max(1e-6*times[0], float64(pace*passed))
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

// solve returns the law at the times, extrapolated to vanishing steps.
func (d *Diffusion) solve(from source, times []float64, g grid, pace float64) []Distribution {
	c := d.newChain(g.first, g.width, g.nodes)
	initial := from.project(c, g.middle)
	result := make([]Distribution, len(times))
	for i, t := range times {
		result[i] = Distribution{Time: t, first: c.first + float64(0.5*g.width), width: g.width, cumulative: make([]float64, len(initial))}
	}
	mass := make([]float64, len(initial))
	for level, weight := range romberg() {
		copy(mass, initial)
		k, done := float64(level+1), 0
		walk(times, pace, func(t float64, arrived bool) {
			c.step(mass, t/k, level+1)
			if arrived {
				result[done].add(mass, weight)
				done++
			}
		})
	}
	return result
}

// romberg returns the weights of the extrapolation to vanishing steps from solutions
// whose steps are divided by 1, 2, …: Π_(j≠k) k/(k-j).
func romberg() (weight [levels]float64) {
	for k := 1; k <= levels; k++ {
		weight[k-1] = 1
		for j := 1; j <= levels; j++ {
			if j != k {
				weight[k-1] *= float64(k) / float64(k-j)
			}
		}
	}
	return weight
}

// project returns the masses of the source at the nodes: those of every cell are
// shared between its two nodes so that their mean is kept.
func (s source) project(c *chain, middle int) []float64 {
	mass := make([]float64, len(c.up))
	if s.start.density == nil {
		mass[middle] = 1
		return mass
	}
	total := 0.0
	for i := range len(mass) - 1 {
		if c.node(i+1) < -s.start.edge || c.node(i) > s.start.edge {
			continue
		}
		for j, x := range gauss.node {
			share := float64(0.5 * (1 + x))
			f := float64(gauss.weight[j] * s.start.density(positionOf(c.node(i)+float64(share*c.width))))
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
