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
		largest = max(largest, c.bytes(blockSize))
	}
	return largest * float64(e.workers())
}

// bytes is what one worker needs for a number of trajectories that it advances together.
func (c Cell) bytes(trajectories float64) float64 {
	tokens, dim := float64(c.Tokens), float64(c.Dim)
	return 8 * (float64((trajectories+8)*tokens*dim) + float64(tokens*tokens) + c.increments())
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
	const brief = 1e6 // operations, about a millisecond
	for heaviest.operations() > brief {
		heaviest.Interaction = nil
		heaviest.Dim, heaviest.Tokens = (heaviest.Dim+1)/2, (heaviest.Tokens+1)/2
	}
	cores := min(workers, runtime.GOMAXPROCS(0))
	return secondsPerLayer(heaviest) / heaviest.operations() / float64(cores)
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
