package overlap

import (
	"errors"
	"fmt"
	"math"

	"antipode/sphere/elementary"
)

// EvolveFrom returns the law of the overlap at the given times when it starts at z0
// in [-1, 1]: the solution of the Fokker-Planck equation. The times, in units of
// time, must be positive and increase. Tolerance, in [1e-9, 0.1], is the error of a
// probability that is asked for; each Distribution says what was reached. It is an
// error if an argument is not allowed, if the diffusion is the deterministic flow
// (epsilon = 0), or if its variance is no float64, as that of unnormalized attention
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

func (d *Diffusion) checkEvolution(times []float64, tolerance float64) error {
	before := 0.0
	for _, t := range times {
		if !(t > before && t <= math.MaxFloat64) {
			return fmt.Errorf("overlap: time %v is not allowed: times must be positive, finite and increasing", t)
		}
		before = t
	}
	switch {
	case len(times) == 0:
		return errors.New("overlap: no time is given")
	case !(tolerance >= 1e-9 && tolerance <= 0.1):
		return fmt.Errorf("overlap: tolerance %v is not allowed: it must be from 1e-9 to 0.1", tolerance)
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

// reach returns the extent of the source in u.
func (s source) reach() float64 { return max(math.Abs(s.at), s.start.edge) }

const (
	// coarsest is the width of the cells that are tried first, in units of 1 for
	// slopes up to 10 or so, which it must resolve.
	coarsest = 0.2
	// pace is the coarsest step in time, relative to the time that has passed: modes
	// that are faster have died out.
	pace = 0.2
	// inner is the |u| up to which the law is resolved in any case.
	inner = 8
	// work bounds the number of nodes times steps of one solution.
	work = 1 << 28
	// levels is the number of sequences of steps that are extrapolated, the k-th of
	// which divides every step by k.
	levels = 4
)

// evolve refines cells and steps together until two extrapolations agree.
func (d *Diffusion) evolve(from source, times []float64, tolerance float64) []Distribution {
	left, right := d.domain(from, times, tolerance)
	width := coarsest / math.Ceil(math.Sqrt(float64(d.dim)/8))
	var coarse, extrapolated []Distribution
	for steps := pace; ; steps, width = steps/2, width/2 {
		fine := d.solve(from, times, left, right, width, steps)
		next := extrapolate(fine, coarse)
		worst := compare(next, extrapolated, max(inner, math.Abs(from.at)))
		if worst <= 0.5*tolerance || coarse != nil && 6*(right-left)/width*float64(stepCount(times, steps)) > work {
			for i := range next {
				next[i].Error = worst + rounding
			}
			return next
		}
		coarse, extrapolated = fine, next
	}
}

// stepCount returns the number of implicit steps of a solution.
func stepCount(times []float64, pace float64) int {
	count := 0
	walk(times, pace, func(float64, bool) { count++ })
	return count * levels * (levels + 1) / 2
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

// domain returns an interval of u beyond which there is less than the tolerance, or
// from beyond which less than it returns, in the longest of the times.
func (d *Diffusion) domain(from source, times []float64, tolerance float64) (left, right float64) {
	inside := max(from.reach(), inner)
	horizon := times[len(times)-1]
	right = inside + d.beyond(inside, d.plus.slope, horizon, tolerance)
	if d.minus.class == Entrance || d.minus.class == Reflecting {
		return -max(inside, d.minus.reach), right
	}
	return -inside - d.beyond(-inside, -d.minus.slope, horizon, tolerance), right
}

// beyond returns how much further than u the domain extends. Slope is that of the
// scale towards the end, where the drift is ½ variance·slope. The overlap gets as far
// as its drift and seven standard deviations take it; or its law beyond u, or its
// chance to come back, falls like exp(-|slope|·distance).
func (d *Diffusion) beyond(u, slope, horizon, tolerance float64) float64 {
	spread := d.model.variance(positionOf(u)) * horizon
	far := max(0, float64(0.5*slope*spread)) + float64(7*math.Sqrt(spread))
	decay := math.Abs(slope)
	return 1 + min(far, elementary.Log(1e4*(1+float64(decay*decay*spread))/tolerance)/decay)
}

// solve returns the law at the times, extrapolated to vanishing steps.
func (d *Diffusion) solve(from source, times []float64, left, right, width, pace float64) []Distribution {
	below := int(math.Ceil((from.at - left) / width))
	c := d.newChain(from.at-float64(float64(below)*width), width, below+1+int(math.Ceil((right-from.at)/width)))
	initial := from.project(c, below)
	result := make([]Distribution, len(times))
	for i, t := range times {
		result[i] = Distribution{Time: t, first: c.first + float64(0.5*width), width: width, cumulative: make([]float64, len(initial))}
	}
	mass, pivot := make([]float64, len(initial)), make([]float64, len(initial))
	for level, weight := range romberg() {
		copy(mass, initial)
		k, done := float64(level+1), 0
		walk(times, pace, func(t float64, arrived bool) {
			for range level + 1 {
				c.step(mass, pivot, t/k)
			}
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

// extrapolate returns fine + (fine - coarse)/3, the limit of vanishing cells, made
// monotone.
func extrapolate(fine, coarse []Distribution) []Distribution {
	result := make([]Distribution, len(fine))
	for i, f := range fine {
		values := make([]float64, len(f.cumulative))
		highest := 0.0
		for j, v := range f.cumulative {
			if coarse != nil {
				v += (v - coarse[i].at(f.edge(j))) / 3
			}
			highest = max(highest, min(1, v))
			values[j] = highest
		}
		values[len(values)-1] = 1
		f.cumulative = values
		result[i] = f
	}
	return result
}

// compare returns the largest difference of two sequences of distributions over |u| ≤
// extent, 1 if one is missing. The mass that a wall of the domain has caught lies
// further out; it depends on the cells.
func compare(fine, coarse []Distribution, extent float64) float64 {
	if coarse == nil {
		return 1
	}
	worst := 0.0
	for i, f := range fine {
		for j, v := range f.cumulative {
			if u := f.edge(j); math.Abs(u) <= extent {
				worst = max(worst, math.Abs(v-coarse[i].at(u)))
			}
		}
	}
	return worst
}
