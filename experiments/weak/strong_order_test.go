package weak

import (
	"math"
	"slices"
	"testing"

	"antipode/experiments/internal/fit"
	"antipode/internal/longtest"
	"antipode/sde"
	"antipode/sde/brownian"
	"antipode/sphere"
	"antipode/sphere/must"

	"gonum.org/v1/gonum/floats"
)

// coupledMoments runs coupled cells to the horizon, and returns the moments of rows of size numbers. Each
// trajectory has one row, which starts as zeros; the observer fills it.
func coupledMoments(t *testing.T, cells []sde.Cell, horizon float64, trajectories int64, size int,
	observer func() func(row []float64, cell int, step int64, x []float64)) *fit.Moments {
	t.Helper()
	base := slices.MinFunc(cells, func(a, b sde.Cell) int { return a.Depth - b.Depth }).Depth
	sums := fit.NewMoments(size)
	e := &brownian.Ensemble[[]float64]{
		Cells: cells, Trajectories: trajectories, Steps: int64(math.Round(float64(base) * horizon)), Seed: 1,
		Observer: func() func(*[]float64, int, int64, []float64) {
			observe := observer()
			return func(row *[]float64, cell int, step int64, x []float64) {
				if *row == nil {
					*row = make([]float64, size)
				}
				observe(*row, cell, step, x)
			}
		},
		Reduce: func(_ int64, row []float64) error { sums.Add(row); return nil },
	}
	must.Do(t, e.Run(t.Context()))
	return sums
}

// atDepths returns copies of a cell, one with each depth.
func atDepths(c sde.Cell, depths ...int) (cells []sde.Cell) {
	for _, c.Depth = range depths {
		cells = append(cells, c)
	}
	return cells
}

// strongOrder estimates the order s of E|X_L - X_2L|² ~ L^{-2s} at the horizon, with its 95 % interval, from
// coupled depths of which each is twice the one before. The caller has to check that the interval is narrow
// enough.
func strongOrder(t *testing.T, cell sde.Cell, horizon float64, trajectories int64, depths ...int) (order, low,
	high float64) {
	t.Helper()
	cells := atDepths(cell, depths...)
	last := len(cells) - 1
	sums := coupledMoments(t, cells, horizon, trajectories, last,
		func() func([]float64, int, int64, []float64) {
			ends := make([][]float64, len(cells))
			return func(row []float64, i int, step int64, x []float64) {
				if float64(step) < horizon*float64(cells[i].Depth) {
					return
				}
				ends[i] = append(ends[i][:0], x...) // finer cells are observed first
				if i < last {
					distance := floats.Distance(x, ends[i+1], 2)
					row[i] = distance * distance
				}
			}
		})
	order, low, high = sums.Estimates(depths[:last]).Order(0)
	return order / 2, low / 2, high / 2
}

// The matrix noise of the Transformer does not commute, and no scheme here has a strong order above ½. The
// scalar noise of the hybrid commutes, and heun has order 1. Half a 95 % interval is at most about 0.07 wide.
// So it fails by chance to lie within 0.15 of the order only if the estimate is some four standard errors
// off.
func TestStrongOrders(t *testing.T) {
	longtest.Only(t)
	transformer := sde.Cell{Model: sde.TransformerSDE{Sigma: 0.5}, Tokens: 3, Dim: 3, Beta: 1,
		Start: sde.UniformStart{}}
	recursion := transformer
	recursion.Model = sde.Transformer{Sigma: 0.5}
	hybrid := sde.Cell{Model: sde.HybridSDE{Epsilon: 0.7}, Tokens: 3, Dim: 3, Beta: 1,
		Start: sde.UniformStart{}}
	hybridRecursion := hybrid
	hybridRecursion.Model = sde.Hybrid{Epsilon: 0.7}
	with := func(c sde.Cell, scheme sde.Scheme) sde.Cell {
		switch m := c.Model.(type) {
		case sde.TransformerSDE:
			m.Scheme = scheme
			c.Model = m
		case sde.HybridSDE:
			m.Scheme = scheme
			c.Model = m
		}
		return c
	}
	for _, c := range []struct {
		name string
		cell sde.Cell
		want float64
	}{
		{"recursion (4)", recursion, 0.5},
		{"euler of (6)", with(transformer, sde.Euler), 0.5},
		{"geodesic of (6)", with(transformer, sde.Geodesic), 0.5},
		{"heun of (6)", with(transformer, sde.Heun), 0.5},
		{"recursion (7)", hybridRecursion, 0.5},
		{"euler of (8)", with(hybrid, sde.Euler), 0.5},
		{"geodesic of (8)", with(hybrid, sde.Geodesic), 0.5},
		{"heun of (8)", with(hybrid, sde.Heun), 1},
	} {
		trajectories := int64(800)
		if c.cell.IncrementLen() == 1 { // one random number per step: more trajectories are affordable
			trajectories = 4000
		}
		order, low, high := strongOrder(t, c.cell, 0.5, trajectories, 32, 64, 128, 256, 512)
		t.Logf("%s: strong order %.3f (%.3f to %.3f)", c.name, order, low, high)
		if !(low > c.want-0.15 && high < c.want+0.15) {
			t.Errorf("%s: strong order %.3f (%.3f to %.3f), want %v", c.name, order, low, high, c.want)
		}
	}
}

// expansion advances the tokens y by one step of recursion (14), which is (4) to second order in δ = 1/√L: a
// token x becomes x + δ P_x(VA) + δ² G(x, VA), with G(x,y) = 3/2 <x,y>² x - 1/2 |y|² x - <x,y> y.
func expansion(c sde.Cell, y, value []float64) {
	d, delta := c.Dim, 1/math.Sqrt(float64(c.Depth))
	field, push := make([]float64, len(y)), make([]float64, d)
	c.Field(field, y)
	for i := 0; i < len(y); i += d {
		x := y[i : i+d]
		for r := range push {
			push[r] = floats.Dot(value[r*d:(r+1)*d], field[i:i+d])
		}
		along, square := floats.Dot(x, push), floats.Dot(push, push)
		for k, v := range x {
			tangent := push[k] - along*v
			second := (1.5*along*along-0.5*square)*v - along*push[k]
			x[k] += delta*tangent + delta*delta*second
		}
	}
}

// The maximum over tokens and layers of E|X_k - Y_k|², between recursion (4) and its expansion (14), goes to
// 0: eq. (15). For a law without third moments the rate is L^-2: the term of third order that (14) leaves out
// is of size L^{-3/2} in each layer and has mean 0, and the sum over L independent layers has variance
// L·L^-3.
func TestRecursionFollowsItsExpansion(t *testing.T) {
	longtest.Only(t)
	const trajectories, tokens, d = 500, 3, 3
	depths := []int{32, 64, 128, 256}
	largest := fit.Estimates{Covariance: make([]float64, 16)}
	for j, depth := range depths {
		c := sde.Cell{Model: sde.Transformer{Law: sde.Uniform, Sigma: 0.5}, Tokens: tokens, Dim: d, Beta: 1,
			Depth: depth, Start: sde.UniformStart{}}
		coupled := must.Get(brownian.NewCoupled([]sde.Cell{c}, 1))(t)
		path := brownian.NewPath(1, c.PathID(depth), depth, d*d)
		value := make([]float64, d*d)
		sums := make([][]fit.Moments, depth) // squared distances, of each layer and token
		for k := range sums {
			for range tokens {
				sums[k] = append(sums[k], *fit.NewMoments(1))
			}
		}
		for trajectory := range int64(trajectories) {
			must.Do(t, coupled.Restart(trajectory))
			y := slices.Clone(coupled.Tokens(0))
			for k := range depth {
				path.Increment(value, trajectory, 0, int64(k))
				c.FromBrownian(value, value)
				expansion(c, y, value)
				must.Do(t, coupled.Advance(nil))
				for i := range tokens {
					distance := floats.Distance(y[i*d:(i+1)*d], coupled.Tokens(0)[i*d:(i+1)*d], 2)
					sums[k][i].Add([]float64{distance * distance})
				}
			}
		}
		worst := sums[0][0].Estimates([]int{depth})
		for k := range sums {
			for i := range tokens {
				if e := sums[k][i].Estimates([]int{depth}); e.Means[0] > worst.Means[0] {
					worst = e
				}
			}
		}
		largest.Depths, largest.Means = append(largest.Depths, float64(depth)), append(largest.Means,
			worst.Means[0])
		largest.Covariance[j*len(depths)+j] = worst.Covariance[0]
	}
	order, low, high := largest.Order(0)
	t.Logf("E|X-Y|² is %.3g at L = %v and falls like L^-%.2f (%.2f to %.2f)", largest.Means, depths, order,
		low, high)
	if !(low > 1.4 && high < 2.6) {
		t.Errorf("order %.2f (%.2f to %.2f), want 2", order, low, high)
	}
}

// Lemma 2: the largest distance between recursion (7) without noise and the flow, over all tokens and layers,
// falls like 1/L. The order estimated from two depths is 1 + O(1/L). No random numbers are used.
func TestFlowConvergesUniformly(t *testing.T) {
	const d, finest = 3, 4096
	flow := sde.Cell{Model: sde.Flow{Scheme: sde.RK4}, Tokens: 5, Dim: d, Beta: 2, Depth: finest,
		Start: sde.UniformStart{}}
	previous := 0.0
	for _, depth := range []int{64, 128, 256, 512} {
		euler := flow
		euler.Model, euler.Depth = sde.Flow{}, depth
		x := make([]float64, 5*d)
		r := []float64{1, 0.3, -0.5, 0.2, -1, 0.7, 0.9, 0.8, 0.1, -0.6, 0.4, 0.5, -0.2, -0.3, 1}
		copy(x, r)
		for i := 0; i < len(x); i += d {
			sphere.Normalize(x[i:i+d], x[i:i+d])
		}
		y, slow, fast := slices.Clone(x), sde.NewStepper(euler), sde.NewStepper(flow)
		worst := 0.0
		for range depth {
			must.Do(t, slow.Step(x, nil))
			for range finest / depth {
				must.Do(t, fast.Step(y, nil))
			}
			for i := 0; i < len(x); i += d {
				worst = max(worst, floats.Distance(x[i:i+d], y[i:i+d], 2))
			}
		}
		order := math.Log2(previous / worst)
		t.Logf("L = %d: at most %.3g from the flow, order %.3f", depth, worst, order)
		if previous > 0 && !(math.Abs(order-1) <= 0.05) {
			t.Errorf("order %.3f between L = %d and %d", order, depth/2, depth)
		}
		previous = worst
	}
}
