package sde

import (
	"math"

	"antipode/sde/internal/fields"
	"antipode/sde/internal/kernels"
	"antipode/sde/internal/lanes"
)

// newLanes returns lanes that advance count trajectories of a cell together. The cell must be valid. If there
// are many tokens, the given number of goroutines share the work of a trajectory.
func newLanes(c Cell, seed uint64, count int, merging Merging, workers int) lanes.Lanes {
	switch {
	case c.Tangent:
		draw := func(increment []float64, stream kernels.Stream, trajectory, layer int64) {
			c.Model.draw(increment, c.Depth, stream, trajectory, layer)
		}
		scale := 1 / math.Sqrt(float64(c.Depth))
		return lanes.NewTangents(c.process(seed), c.newAttention(), draw, scale, count)
	case c.Method == Chain:
		return c.Model.recursion().chain(c, c.clusters(seed), count)
	case c.inVectors():
		r, merge := c.merged(seed, merging)
		return lanes.NewTokens(r, count, merge)
	case c.byMatrices():
		r, merge := c.merged(seed, merging)
		return lanes.NewMatrixTokens(r, count, merge, workers)
	}
	return newSteppedLanes(c, seed, count, merging != KeepApart && !c.hasKernel())
}

// newSteppedLanes returns lanes whose tokens are advanced, one trajectory after another, by the cell's
// stepper.
func newSteppedLanes(c Cell, seed uint64, count int, merge bool) lanes.Lanes {
	own := c.IncrementLen()
	if !c.Plain() {
		return lanes.NewStepped(c.process(seed), NewStepper(c), c.sublayersDraw(seed), count, merge)
	}
	draw := func(increment []float64, stream kernels.Stream, trajectory, layer int64) {
		c.Model.draw(increment[:own], c.Depth, stream, trajectory, layer)
		drawScores(increment[own:], stream, trajectory, layer)
	}
	return lanes.NewStepped(c.process(seed), NewStepper(c), draw, count, merge)
}

// inVectors reports whether the tokens of a cell are advanced by vector (SIMD) instructions, several
// trajectories at a time.
func (c Cell) inVectors() bool {
	model := c.Model.recursion()
	return model != nil && c.Method == Tokens && c.Interaction == nil && !c.Tangent && c.Resampling.none() &&
		(c.Plain() || c.hasSmallMLP()) && c.Tokens >= 2 && !c.byMatrices()
}

// hasSmallMLP reports whether a layer consists of one head and a small MLP. The weights of a small MLP, for
// eight trajectories, fit a cache. For larger MLPs, matrix products for single trajectories are faster.
func (c Cell) hasSmallMLP() bool {
	const worthwhile = 1 << 12
	return !c.MLP.none() && c.heads() == 1 && c.Drift == 0 && c.MLP.Width*c.Dim <= worthwhile
}

// byMatrices reports whether the tokens of a cell are advanced by matrix products.
func (c Cell) byMatrices() bool {
	model := c.Model.recursion()
	if model == nil || c.Method != Tokens || c.Tangent || !c.Resampling.none() || !c.Plain() {
		return false
	}
	const worthwhile = 256 // number of coordinates N·d; without vector instructions the alternative is slower
	return c.AttentionSum == HarmonicsSum || lanes.Large(c.Tokens, c.Dim, model.rank(c.Tokens, c.Dim)) ||
		c.hasFastSeries() ||
		c.Interaction != nil && float64(c.Tokens)*float64(c.Dim) >= worthwhile
}

// hasFastSeries reports whether summing attention by spherical harmonics, for one trajectory at a time, is
// faster than the direct sum for several trajectories in a vector. According to measurements harmonics are
// faster below the size lanes.Large only in two dimensions.
func (c Cell) hasFastSeries() bool {
	const inVectors = 2.0 // terms of the direct sum in the time of one term by harmonics
	a := c.fieldsAttention()
	return a.HasSeries() && float64(c.Tokens) >= inVectors*a.SeriesTerms()
}

// process returns the properties of a cell that the lanes of every method need.
func (c Cell) process(seed uint64) lanes.Process {
	return lanes.Process{
		Count: c.Tokens, Dim: c.Dim, Beta: c.Beta, Softmax: c.Attention == Softmax,
		Sum: fields.Way(c.AttentionSum), Stream: c.stream(seed), Start: c.Start.Fill,
	}
}

// clusters returns, for the lanes, the description of a cell with the method Chain.
func (c Cell) clusters(seed uint64) lanes.Clusters {
	first, second := c.masses()
	clusters := lanes.Clusters{Process: c.process(seed), Masses: [2]float64{float64(first), float64(second)}}
	switch start := c.Start.(type) {
	case OppositeStart:
		opposite := -1.
		clusters.Overlap = &opposite
	case PairStart:
		clusters.Overlap = &start.Overlap
	}
	return clusters
}

// merged returns the recursion of a cell with the given kind of merging, and whether its tokens can merge.
func (c Cell) merged(seed uint64, merging Merging) (r lanes.Recursion, merge bool) {
	r = c.recursion(seed)
	if c.Kernel != nil {
		return r, false
	}
	if merging != MergePaths {
		return r, merging == MergeLaws
	}
	if r.Rank < r.Dim || c.byMatrices() && lanes.DrawsOnSpan(r) {
		return r, false
	}
	r.PairDeviation, r.OnSpan = nil, false // a merger does not narrow the noise to the new span
	return r, true
}

// recursion returns, for the lanes, the description of a cell whose tokens are advanced by vector
// instructions or matrix products.
func (c Cell) recursion(seed uint64) lanes.Recursion {
	model := c.Model.recursion()
	r := lanes.Recursion{
		Process: c.process(seed), Interaction: c.Interaction, Kernel: c.Kernel,
		Rank: model.rank(c.Tokens, c.Dim), OnSpan: model.rank(1, 2) < 2,
		Amplitude: model.amplitude(c, c.stream(seed)),
	}
	r.Draw, r.Scale = model.matrices(c)
	if r.Weigh = c.PairKernel.Weigh; r.Weigh != nil {
		r.Softmax = c.PairKernel.Normalized
	}
	if !c.MLP.none() {
		r.MLP = c.vectorMLP()
	}
	if deviation, ok := model.pairDeviation(c); ok {
		r.PairDeviation = &deviation
	}
	return r
}
