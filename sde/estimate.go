package sde

import (
	"fmt"
	"math"
	"runtime"

	"antipode/sde/internal/increments"
	"antipode/sde/internal/kernels"
	"antipode/sde/internal/lanes"
	"antipode/sde/internal/timing"
	"antipode/sphere"
)

// LargestMemory is the largest memory, in bytes, that the tokens of a run of an ensemble may need.
const LargestMemory = 1 << 34

// CheckMemory returns an error that says how much memory a run would need, in GiB, if this memory, given in
// bytes, exceeds LargestMemory.
func CheckMemory(bytes float64) error {
	if bytes > LargestMemory {
		return fmt.Errorf("the run would need %.3g GiB of memory; must be at most %d GiB",
			bytes/(1<<30), LargestMemory>>30)
	}
	return nil
}

// Memory returns the memory that the tokens, increments and attention of a run of the ensemble need, in
// bytes.
func (e *Ensemble[Row]) Memory() float64 {
	largest := 0.0
	for _, c := range e.Cells {
		largest = max(largest, c.bytes(float64(e.width(c)), float64(e.sharing(c))))
	}
	return largest * float64(e.busy())
}

// Memory returns the memory, in bytes, that the tokens, increments and attention of a single trajectory of
// the cell need.
func (c Cell) Memory() float64 { return c.bytes(1, 1) }

// bytes returns the memory, in bytes, that a worker needs to advance the given number of trajectories of the
// cell together. If several goroutines share a trajectory, sharing is the number of these goroutines, and
// bytes returns the memory of all of them.
func (c Cell) bytes(trajectories, sharing float64) float64 {
	tokens, dim := float64(c.Tokens), float64(c.Dim)
	switch {
	case c.Method == Chain:
		return float64(16*dim) + float64(200*trajectories)
	case c.byMatrices():
		noisy := c.Model.recursion().amplitude(c, kernels.Stream{}) == nil
		return lanes.MatrixBytes(tokens, dim, trajectories, sharing, noisy)
	case c.inVectors():
		width := float64(math.Ceil(trajectories/float64(lanes.PerVector)) * float64(lanes.PerVector))
		rank := float64(c.Model.recursion().rank(c.Tokens, c.Dim))
		numbers := float64(4*tokens*dim) + float64(2*dim*rank) + float64((4+rank)*tokens)
		if c.PairKernel.Weigh != nil {
			numbers += float64(tokens * (tokens + 1) / 2)
		}
		if c.Kernel != nil {
			numbers += float64(2*max(tokens, 1024)) + float64(tokens*dim)
		}
		return 8 * width * numbers
	}
	const scratch = 13 // working memory of a step, in multiples of the size of the tokens
	return c.attention().Bytes(c.derives()) + float64(8*(float64((trajectories+scratch)*tokens*dim)+
		float64(float64(c.heads())*(c.increments()+float64(2*c.Resampling.numbers(dim))))+
		float64(c.MLP.numbers(dim))+float64(tokens*(float64(c.MLP.Width)+float64(3*dim)))+
		float64(2*tokens*max(dim, float64(c.Resampling.Keys)))))
}

// derives reports whether the numerical scheme of the cell needs the derivative of the attention.
func (c Cell) derives() bool {
	switch m := c.Model.(type) {
	case TransformerSDE:
		return m.Scheme == Heun
	case HybridSDE:
		return m.Scheme == Heun
	}
	return false
}

// Seconds predicts the time of the complete run on this machine, without a stop rule and without merging.
// Seconds measures the time of some layers of each cell, for about a millisecond. The prediction depends on
// the load of the machine and is meant for people to read. The ensemble must be valid.
func (e *Ensemble[Row]) Seconds() float64 {
	heaviest := e.Cells[0]
	for _, c := range e.Cells {
		if c.operations() > heaviest.operations() {
			heaviest = c
		}
	}
	brief := heaviest.brief()
	return brief.secondsPerLayer() / brief.operations() * e.operations()
}

// operations estimates the cost of the complete run for one worker, in multiplications, if the workers share
// the run equally and each has a processor.
func (e *Ensemble[Row]) operations() float64 {
	operations := 0.0
	for _, c := range e.Cells {
		operations += c.operations()
	}
	workers := float64(min(e.workers(), runtime.GOMAXPROCS(0)))
	return operations * float64(e.Trajectories) * float64(e.Layers) / workers
}

// operations estimates the cost of a layer of one trajectory of the cell, in multiplications.
func (c Cell) operations() float64 {
	const perLayer, perRandomNumber, perExponential = 100, 30, 20
	n, d := float64(c.Tokens), float64(c.Dim)
	if c.Method == Chain {
		return perLayer + 8*perRandomNumber + perExponential
	}
	terms := n
	if c.SumsByHarmonics() && !c.derives() {
		terms = c.fieldsAttention().SeriesTerms()
	}
	cost := perLayer + float64(n*terms*(perExponential+float64(2*d))) + float64(10*n*d)
	cost += float64(perRandomNumber * c.increments())
	cost += c.Model.equation().multiplications(n, d)
	if c.Interaction != nil {
		cost += float64(n * d * d)
	}
	if numbers := c.Resampling.numbers(d); numbers > 0 {
		cost += float64((perRandomNumber+n)*numbers) + float64(n*n*max(d, float64(c.Resampling.Keys)))
	}
	if numbers := c.MLP.numbers(d); numbers > 0 {
		cost += float64((perRandomNumber + n) * numbers)
		cost += float64(perExponential * n * float64(c.MLP.Width))
	}
	cost += float64(float64(c.heads()-1) * (perRandomNumber + n) * c.increments())
	if c.Tangent { // a layer advances two tangent vectors per token
		cost += float64(2 * n * (float64(6*n*d) + float64(d*d)))
	}
	return cost
}

// brief returns a smaller cell, with fewer tokens, dimensions, hidden units and heads, so that a layer takes
// at most about a millisecond.
func (c Cell) brief() Cell {
	brief := 1e6 // largest number of operations of a brief layer
	if c.byMatrices() {
		brief = 1e7 // one operation of a matrix product takes less time
	}
	if c.Method == Chain {
		c.Tokens, c.Start = 2, PairStart{Overlap: 0}
	} else {
		c.Start, c.Tangent = UniformStart{}, false
	}
	for c.operations() > brief {
		c.Interaction, c.Resampling.Keys = nil, c.Resampling.Keys/2
		c.Dim, c.Tokens = (c.Dim+1)/2, (c.Tokens+1)/2
		c.MLP.Width, c.Heads = (c.MLP.Width+1)/2, (c.Heads+1)/2
	}
	return c
}

// secondsPerLayer measures the time of one trajectory per layer, in seconds, if several trajectories are
// advanced together.
func (c Cell) secondsPerLayer() float64 {
	l, all := newLanes(c, 0, lanes.PerVector, KeepApart, 1), make([]lanes.Lane, lanes.PerVector)
	for k := range all {
		all[k] = lanes.Lane{Trajectory: int64(k), Err: l.Start(k, int64(k))}
	}
	return timing.PerCall(func() bool {
		l.Advance(all, 1)
		return all[0].Err == nil
	}) / float64(lanes.PerVector)
}

// SecondsPerStep measures the time of a step of the cell's stepper with a given increment, for about a
// millisecond. The measured time, in seconds, depends on the load of the machine. The cell must be valid.
func (c Cell) SecondsPerStep() float64 {
	brief := c.brief()
	x, increment := make([]float64, brief.Tokens*brief.Dim), make([]float64, brief.PathLen())
	var normals kernels.NormalSequence
	normals.Restart(brief.stream(0), kernels.Starts, 0, 0)
	sphere.Uniform(x, brief.Dim, normals.Next)
	increments.Brownian(increment, brief.Depth, brief.stream(0), 0, 0)
	stepper, scratch := NewStepper(brief), make([]float64, len(increment))
	return timing.PerCall(func() bool {
		brief.FromBrownian(scratch, increment)
		return stepper.Step(x, scratch) == nil
	}) * (c.operations() / brief.operations())
}
