package verify

import (
	"math"
	"slices"

	"antipode/internal/lists"
	"antipode/overlap"
	"antipode/sde"
	"antipode/sde/brownian"
	"antipode/sphere"

	"gonum.org/v1/gonum/mat"
)

// pathSummary summarises the overlap Z of two tokens from time 0 to 1 along a path that is interpolated by
// (5). The field highest is the maximum of Z. The field passage is the first time at which |Z| exceeds
// passageLevel, or 1 if there is no such time. The field occupation is the time that Z spends above
// occupationLevel.
type pathSummary struct{ highest, passage, occupation float64 }

const passageLevel, occupationLevel = 0.9, 0.5

// segment is the overlap of two tokens between one layer and the next along the lines (5), as a polynomial in
// θ with the coefficients of 1, θ and θ².
type segment struct{ constant, linear, quadratic float64 }

func segmentOf(before, after []float64, d int) segment {
	z, next := sphere.Dot(before[:d], before[d:]), sphere.Dot(after[:d], after[d:])
	mixed := sphere.Dot(before[:d], after[d:]) + sphere.Dot(after[:d], before[d:])
	return segment{z, mixed - 2*z, z + next - mixed}
}

func (s segment) at(theta float64) float64 {
	return s.constant + float64(theta*(s.linear+float64(theta*s.quadratic)))
}

func (s segment) negative() segment { return segment{-s.constant, -s.linear, -s.quadratic} }

// highest returns the maximum of the overlap between the two layers.
func (s segment) highest() float64 {
	highest := max(s.at(0), s.at(1))
	if top := -s.linear / (2 * s.quadratic); s.quadratic < 0 && top > 0 && top < 1 {
		highest = max(highest, s.at(top))
	}
	return highest
}

// above returns the first θ at which the overlap is above a level between the two layers, or infinity if
// there is no such θ. above also returns the fraction of the θ from 0 to 1 at which the overlap is above the
// level.
func (s segment) above(level float64) (first, part float64) {
	ends := [4]float64{0, 1, 1, 1}
	if root := math.Sqrt(s.linear*s.linear - 4*s.quadratic*(s.constant-level)); !math.IsNaN(root) {
		q := -0.5 * (s.linear + math.Copysign(root, s.linear))
		k := 1
		for _, theta := range [2]float64{q / s.quadratic, (s.constant - level) / q} {
			if theta > 0 && theta < 1 {
				ends[k] = theta
				k++
			}
		}
		slices.Sort(ends[:])
	}
	first = math.Inf(1)
	for k := range 3 {
		if width := ends[k+1] - ends[k]; width > 0 && s.at(ends[k]+0.5*width) > level {
			first, part = min(first, ends[k]), part+width
		}
	}
	return first, part
}

// pathSummaries simulates the pairs of tokens of several cells along common Brownian paths, and returns the
// summaries of their overlaps by trajectory and cell.
func pathSummaries(f *fixture, cells []sde.Cell, trajectories int64) [][]pathSummary {
	actual := lists.Map(cells, f.cell)
	coupled := must(brownian.NewCoupled(actual, f.seed))
	before := make([][]float64, len(cells))
	trajectories = f.samples(trajectories)
	all := make([][]pathSummary, 0, trajectories)
	for trajectory := range trajectories {
		ensure(f.context.Err())
		ensure(coupled.Restart(trajectory))
		row := make([]pathSummary, len(cells))
		for k := range cells {
			before[k] = append(before[k][:0], coupled.Tokens(k)...)
			row[k] = pathSummary{highest: -1, passage: 1}
		}
		for range coupled.Base() {
			ensure(coupled.Advance(func(cell int, step int64, x []float64) {
				s := segmentOf(before[cell], x, actual[cell].Dim)
				row[cell].add(s, step, 1/float64(actual[cell].Depth))
				copy(before[cell], x)
			}))
		}
		all = append(all, row)
	}
	return all
}

// add extends the summary of the path of an overlap by the segment that ends at a layer. The argument length
// is the time of a layer.
func (c *pathSummary) add(s segment, layer int64, length float64) {
	c.highest = max(c.highest, s.highest())
	up, _ := s.above(passageLevel)
	down, _ := s.negative().above(passageLevel)
	c.passage = min(c.passage, (float64(layer-1)+min(up, down))*length)
	_, part := s.above(occupationLevel)
	c.occupation += part * length
}

// killed is a diffusion of the overlap that is killed at a rate. The diffusion is also killed at the ends low
// and high of its interval, except at ±1, which the overlap does not reach.
type killed struct {
	diffusion *overlap.Diffusion
	low, high float64
	rate      func(z float64) float64
}

// survival returns the probability that the killed diffusion survives from overlap z0 up to the times 0,
// 1/steps, …, 1. The Crank-Nicolson scheme solves the backward equation v_t = ½ variance v_zz + drift v_z -
// rate v. At ±1 no boundary condition is needed, because the variance and the drift are 0.
func (k killed) survival(z0 float64) []float64 {
	const cells, steps = 500, 500
	width, dt := (k.high-k.low)/cells, 1./steps
	below, above := make([]float64, cells+1), make([]float64, cells+1)
	loss, v := make([]float64, cells+1), make([]float64, cells+1)
	for i := range v {
		z := min(1, k.low+float64(i)*width)
		if i == 0 && k.low > -1 || i == cells && k.high < 1 {
			continue
		}
		v[i] = 1
		loss[i] = 0.25 * dt * (k.rate(z-0.5*width) + k.rate(z+0.5*width))
		if i == 0 || i == cells {
			continue
		}
		spread, shift := k.diffusion.Variance(z)/(2*width*width), k.diffusion.Drift(z)/(2*width)
		below[i], above[i] = 0.5*dt*(spread-shift), 0.5*dt*(spread+shift)
	}
	x := (z0 - k.low) / width
	near := min(int(x), cells-1)
	values := []float64{1}
	implicit := mat.NewTridiag(cells+1, make([]float64, cells), make([]float64, cells+1),
		make([]float64, cells))
	right := mat.NewVecDense(cells+1, nil)
	for step := range steps {
		explicit := 1.
		if step < 4 { // implicit Euler steps smooth a discontinuous start
			explicit = 0
		}
		for i := range v {
			down, up := v[max(0, i-1)]-v[i], v[min(cells, i+1)]-v[i]
			right.SetVec(i, v[i]+explicit*(below[i]*down+above[i]*up-loss[i]*v[i]))
			implicit.SetBand(i, i, 1+(2-explicit)*(below[i]+above[i]+loss[i]))
			if i > 0 {
				implicit.SetBand(i, i-1, -(2-explicit)*below[i])
			}
			if i < cells {
				implicit.SetBand(i, i+1, -(2-explicit)*above[i])
			}
		}
		if err := implicit.SolveVecTo(right, false, right); err != nil {
			panic(err) // cannot happen: the matrix is diagonally dominant
		}
		copy(v, right.RawVector().Data)
		values = append(values, v[near]+(x-float64(near))*(v[near+1]-v[near]))
	}
	return values
}
