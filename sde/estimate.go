package sde

import (
	"math"
	"runtime"
	"time"
)

// LargestMemory is what a run may need at the most, in bytes.
const LargestMemory = 1 << 34

// Memory is what the tokens, increments and attention of a run need, in bytes.
func (e *Ensemble[Row]) Memory() float64 {
	largest := 0.0
	for _, c := range e.Cells {
		largest = max(largest, c.bytes(float64(e.width(c))))
	}
	return largest * float64(e.workers())
}

// bytes is what one worker needs for a number of trajectories that it advances together.
func (c Cell) bytes(trajectories float64) float64 {
	tokens, dim := float64(c.Tokens), float64(c.Dim)
	switch {
	case c.Method == Chain:
		return float64(16*dim) + float64(200*trajectories)
	case c.inVectors():
		lanes := float64(math.Ceil(trajectories/float64(lanesOfVector)) * float64(lanesOfVector))
		rank := float64(c.rank())
		return 8 * lanes * (float64(2*tokens*dim) + float64(2*dim*rank) + float64((4+rank)*tokens))
	}
	const scratch = 8 // of a step, in sizes of the tokens
	return 8 * (float64((trajectories+scratch)*tokens*dim) + float64(tokens*tokens) + c.increments())
}

// increments is IncrementLen, which may overflow before the cell's size is checked.
func (c Cell) increments() float64 {
	entries := 0.0
	switch {
	case c.transformer():
		entries = float64(c.Dim) * float64(c.Dim)
	case c.hybrid():
		entries = 1
	}
	if c.Noise == IndependentNoise {
		entries *= float64(c.Tokens)
	}
	return entries
}

// Seconds predicts how long the whole run takes on this machine, without any stop
// rule or merging, by measuring some layers of a cell for about a millisecond. It depends
// on the machine's load: it is for people to read. The ensemble must be valid.
func (e *Ensemble[Row]) Seconds() float64 {
	operations := 0.0
	for _, c := range e.Cells {
		operations += c.operations()
	}
	return secondsOf(e.Cells, e.workers()) * operations * float64(e.Trajectories) * float64(e.Layers)
}

// secondsOf is the time of an operation of the cells' layers, shared by the workers.
func secondsOf(cells []Cell, workers int) float64 {
	heaviest := cells[0]
	for _, c := range cells {
		if c.operations() > heaviest.operations() {
			heaviest = c
		}
	}
	return heaviest.secondsPerOperation() / float64(min(workers, runtime.GOMAXPROCS(0)))
}

// operations is roughly the cost of a layer, with that of a multiplication as unit.
func (c Cell) operations() float64 {
	const perLayer, perRandomNumber, perExponential = 100, 30, 20
	n, d := float64(c.Tokens), float64(c.Dim)
	if c.Method == Chain {
		return perLayer + 8*perRandomNumber + perExponential
	}
	cost := perLayer + float64(n*n*(perExponential+float64(2*d))) + float64(10*n*d)
	cost += float64(perRandomNumber * c.increments())
	if c.transformer() {
		cost += float64(n * d * d)
	}
	if c.Interaction != nil {
		cost += float64(n * d * d)
	}
	return cost
}

// secondsPerOperation measures a cell, made smaller until its layers take about a
// millisecond at the most.
func (c Cell) secondsPerOperation() float64 {
	const brief = 1e6 // operations, about a millisecond
	if c.Method == Chain {
		c.Tokens, c.Start = 2, PairStart{Overlap: 0}
	} else {
		c.Start = UniformStart{}
	}
	for c.operations() > brief {
		c.Interaction = nil
		c.Dim, c.Tokens = (c.Dim+1)/2, (c.Tokens+1)/2
	}
	return c.secondsPerLayer() / c.operations()
}

func (c Cell) secondsPerLayer() float64 {
	const enough = time.Millisecond
	lanes, all := newLanes(c, 0, lanesOfVector, false), make([]lane, lanesOfVector)
	for k := range all {
		all[k].trajectory = int64(k)
		if lanes.start(k, int64(k)) != nil {
			return 0
		}
	}
	start := time.Now()
	for {
		lanes.advance(all, 1)
		if elapsed := time.Since(start); elapsed > enough || all[0].err != nil {
			return elapsed.Seconds() / float64(lanesOfVector) / float64(all[0].layer+1)
		}
	}
}
