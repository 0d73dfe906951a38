package sde

import (
	"runtime"
	"time"
)

// LargestMemory is what a run may need at the most, in bytes.
const LargestMemory = 1 << 34

// Memory is what the tokens, increments and attention of a run need, in bytes.
func (e *Ensemble[Row]) Memory() float64 {
	largest := 0.0
	for _, c := range e.Cells {
		tokens, dim := float64(c.Tokens), float64(c.Dim)
		numbers := 2 * dim // a start
		switch {
		case c.Method == Chain:
		case c.inVectors():
			lanes := float64((e.width(c) + lanesOfVector - 1) / lanesOfVector * lanesOfVector)
			rank := float64(c.rank())
			numbers = float64(lanes * (float64(2*tokens*dim) + float64(2*dim*rank) + float64((4+rank)*tokens)))
		default:
			numbers = float64(float64(e.width(c)+2)*tokens*dim) + float64(tokens*tokens)
			if c.Model == Transformer {
				numbers += float64(dim * dim)
			}
		}
		largest = max(largest, 8*numbers)
	}
	return largest * float64(e.workers())
}

// Seconds predicts how long the whole run takes on this machine, without any stop
// rule or merging, by measuring some layers of a cell for about a millisecond. It depends
// on the machine's load: it is for people to read. The ensemble must be valid.
func (e *Ensemble[Row]) Seconds() float64 {
	operations, heaviest := 0.0, e.Cells[0]
	for _, c := range e.Cells {
		operations += c.operations()
		if c.operations() > heaviest.operations() {
			heaviest = c
		}
	}
	perOperation := heaviest.secondsPerOperation()
	cores := min(e.workers(), runtime.GOMAXPROCS(0))
	return perOperation * operations * float64(e.Trajectories) * float64(e.Layers) / float64(cores)
}

// operations is roughly the cost of a layer, with that of a multiplication as unit.
func (c Cell) operations() float64 {
	const perLayer, perRandomNumber, perExponential = 100, 30, 20
	n, d := float64(c.Tokens), float64(c.Dim)
	if c.Method == Chain {
		return perLayer + 8*perRandomNumber + perExponential
	}
	cost := perLayer + float64(n*n*(perExponential+float64(2*d))) + float64(10*n*d)
	switch c.Model {
	case Transformer:
		cost += float64(d * d * (perRandomNumber + n))
	case Hybrid:
		cost += perRandomNumber
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
