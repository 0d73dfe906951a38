package weak

import (
	"math"
	"slices"
	"testing"

	"antipode/experiments/internal/fit"
	"antipode/internal/longtest"
	"antipode/overlap"
	"antipode/sde"
	"antipode/sphere"
	"antipode/sphere/must"
)

// survival returns the probability that the overlap, started at z0, stays between low and high up to the
// horizon. It solves the backward equation v_t = ½ variance v_zz + drift v_z by the Crank-Nicolson scheme,
// with v = 0 at low and high. A bound of ±1 is never reached, and needs no boundary condition as both
// coefficients of the equation are 0 there.
func survival(d *overlap.Diffusion, z0, low, high, horizon float64) float64 {
	const cells, steps = 600, 1200
	width, dt := (high-low)/cells, horizon/steps
	below, above := make([]float64, cells+1), make([]float64, cells+1)
	v := make([]float64, cells+1)
	for i := range v {
		z := min(1, low+float64(i)*width)
		if v[i] = 1; low > -1 && i == 0 || high < 1 && i == cells {
			v[i] = 0
			continue
		}
		spread, shift := d.Variance(z)/(2*width*width), d.Drift(z)/(2*width)
		below[i], above[i] = 0.5*dt*(spread-shift), 0.5*dt*(spread+shift)
	}
	at := func(v []float64, i int) float64 { return v[max(0, min(i, cells))] }
	right, pivot := make([]float64, cells+1), make([]float64, cells+1)
	for k := range steps {
		explicit := 1.
		if k < 4 { // implicit Euler smooths the jump of the initial condition
			explicit = 0
		}
		for i := range v {
			right[i] = v[i] + explicit*(below[i]*(at(v, i-1)-v[i])+above[i]*(at(v, i+1)-v[i]))
			pivot[i] = 1 + (2-explicit)*(below[i]+above[i])
		}
		for i := 1; i <= cells; i++ {
			share := (2 - explicit) * below[i] / pivot[i-1]
			pivot[i] -= share * (2 - explicit) * above[i-1]
			right[i] += share * right[i-1]
		}
		v[cells] = right[cells] / pivot[cells]
		for i := cells - 1; i >= 0; i-- {
			v[i] = (right[i] + (2-explicit)*above[i]*v[i+1]) / pivot[i]
		}
	}
	x := (z0 - low) / width
	i := int(x)
	return v[i] + (x-float64(i))*(v[i+1]-v[i])
}

// The recursion and the schemes converge in the space of paths: the laws of max Z_t up to the horizon, and of
// the first time at which |Z| > 0.9, converge to those of the limit. Tested are the probabilities that the
// maximum is below a level, and that |Z| has not exceeded 0.9 up to a time. As the recursion and the schemes
// observe the path at multiples of 1/L only, the error is of order L^-½. A fit of a + b L^-½ + c/L gives as a
// the probability for the diffusion killed at the level, within 4.5 standard errors (one false alarm in 10^4
// seeds for all 15). The extrapolation is necessary: at the smallest depth each probability is at least 4.5
// standard errors above its limit.
func TestPathLawsConverge(t *testing.T) {
	longtest.Only(t)
	const horizon, z0, d = 1.0, 0.0, 3
	levels, times := []float64{0.3, 0.6}, []float64{0.5, 0.75, 1}
	depths := []int{8, 16, 32, 64}
	diffusion := must.Get(overlap.New(d, 1, overlap.Softmax, 1))(t)
	var limits []float64
	for _, level := range levels {
		limits = append(limits, survival(diffusion, z0, -1, level, horizon))
	}
	for _, time := range times {
		limits = append(limits, survival(diffusion, z0, -0.9, 0.9, time))
	}
	base := sde.Cell{Model: sde.TransformerSDE{Sigma: 1}, Tokens: 2, Dim: d, Beta: 1,
		Start: sde.PairStart{Overlap: z0}}
	recursion, heun := base, base
	recursion.Model, heun.Model = sde.Transformer{Sigma: 1}, sde.TransformerSDE{Sigma: 1, Scheme: sde.Heun}
	names := []string{"recursion", "euler", "heun"}
	cells := slices.Concat(atDepths(recursion, depths...), atDepths(base, depths...),
		atDepths(heun, depths...))
	n, events := len(depths), len(limits)
	sums := coupledMoments(t, cells, horizon, 4000, len(cells)*events,
		func() func([]float64, int, int64, []float64) {
			highest, passage := make([]float64, len(cells)), make([]float64, len(cells))
			return func(row []float64, i int, step int64, x []float64) {
				time, z := float64(step)/float64(cells[i].Depth), sphere.Dot(x[:d], x[d:])
				if step == 1 {
					highest[i], passage[i] = z0, math.Inf(1)
				}
				highest[i] = max(highest[i], z)
				if math.Abs(z) > 0.9 {
					passage[i] = min(passage[i], time)
				}
				if time < horizon {
					return
				}
				at := func(event int) *float64 { return &row[(i/n*events+event)*n+i%n] }
				for k, level := range levels {
					if highest[i] < level {
						*at(k) = 1
					}
				}
				for k, time := range times {
					if passage[i] > time {
						*at(len(levels) + k) = 1
					}
				}
			}
		})
	whole := sums.Estimates(make([]int, len(sums.Sums)))
	for s, name := range names {
		for k, limit := range limits {
			e := partOf(whole, (s*events+k)*n, depths)
			a, stderr := inPowersOfHalf(e)
			off := (e.Means[0] - limit) / e.Stderr(0)
			t.Logf("%s, event %d: %.4f at L = %d, %.4f at %d, %.4f ± %.4f in the limit, theory %.4f",
				name, k, e.Means[0], depths[0], e.Means[n-1], depths[n-1], a, stderr, limit)
			if !(math.Abs(a-limit) <= 4.5*stderr) {
				t.Errorf("%s, event %d: %.4f ± %.4f in the limit, theory %.4f", name, k, a, stderr, limit)
			}
			if off < 4.5 {
				t.Errorf("%s, event %d: the error at L = %d is only %.1f standard errors: no power", name, k,
					depths[0], off)
			}
		}
	}
}

// partOf returns the estimates of one series of means, at the given depths, from the joint estimates e of
// several series. first is the index of its first mean in e.
func partOf(e fit.Estimates, first int, depths []int) fit.Estimates {
	n := len(depths)
	p := fit.Estimates{Means: e.Means[first : first+n]}
	for i, depth := range depths {
		p.Depths = append(p.Depths, float64(depth))
		at := (first+i)*len(e.Means) + first
		p.Covariance = append(p.Covariance, e.Covariance[at:at+n]...)
	}
	return p
}

// inPowersOfHalf fits a + b L^-½ + c/L and returns a with its standard error.
func inPowersOfHalf(e fit.Estimates) (value, stderr float64) {
	squares := fit.Estimates{Means: e.Means, Covariance: e.Covariance}
	for _, depth := range e.Depths {
		squares.Depths = append(squares.Depths, math.Sqrt(depth))
	}
	value, stderr, _ = atInfiniteDepth(squares)
	return value, stderr
}
