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
		largest = max(largest, 8*(float64((blockSize+8)*tokens*dim)+float64(tokens*tokens)+c.increments()))
	}
	return largest * float64(e.workers())
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
// rule, by measuring some layers of a cell for about a millisecond. It depends on
// the machine's load: it is for people to read. The ensemble must be valid.
func (e *Ensemble[Row]) Seconds() float64 {
	operations, heaviest := 0.0, e.Cells[0]
	for _, c := range e.Cells {
		operations += c.operations()
		if c.operations() > heaviest.operations() {
			heaviest = c
		}
	}
	const brief = 1e6 // operations, about a millisecond
	for heaviest.operations() > brief {
		heaviest.Interaction = nil
		heaviest.Dim, heaviest.Tokens = (heaviest.Dim+1)/2, (heaviest.Tokens+1)/2
	}
	perOperation := secondsPerLayer(heaviest) / heaviest.operations()
	cores := min(e.workers(), runtime.GOMAXPROCS(0))
	return perOperation * operations * float64(e.Trajectories) * float64(e.Layers) / float64(cores)
}

// operations is roughly the cost of a layer, with that of a multiplication as unit.
func (c Cell) operations() float64 {
	const perLayer, perRandomNumber, perExponential = 100, 30, 20
	n, d := float64(c.Tokens), float64(c.Dim)
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

func secondsPerLayer(c Cell) float64 {
	const enough = time.Millisecond
	x := make([]float64, c.Tokens*c.Dim)
	for i := range c.Tokens { // any unit vectors will do
		x[i*c.Dim+i%c.Dim] = 1
	}
	stepper, stream := NewStepper(c), c.stream(0)
	increment := make([]float64, c.IncrementLen())
	start := time.Now()
	for layer := int64(0); ; layer++ {
		c.draw(increment, stream, 0, layer)
		err := stepper.Step(x, increment)
		if elapsed := time.Since(start); elapsed > enough || err != nil {
			return elapsed.Seconds() / float64(layer+1)
		}
	}
}
