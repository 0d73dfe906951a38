package network

import (
	"math"
	"sync"
	"time"
)

// floats is the number of float64 that a worker holds, with those for gradients or without.
func (n Network) floats(gradients bool) float64 {
	d, t, heads := float64(n.Dim), float64(n.Tokens), float64(n.Heads)
	keys := float64(heads * float64(n.keys()))
	tokens := float64(t * (float64(7*d) + float64(2*keys)))
	layer := tokens + float64(heads*t*t)
	parameters := float64(d * (float64(2*keys) + float64(3*d) + 2))
	if !gradients {
		return parameters + layer + float64(t*d)
	}
	return float64(2*parameters) + float64(layer*float64(n.Layers)) + tokens + float64(t*t)
}

// Memory is what the ensemble needs, in bytes.
func (e *Ensemble) Memory() float64 {
	return math.Ceil(8 * float64(e.workers()) * e.Network.floats(e.Gradients))
}

// operations is the number of floating-point operations in the products of a network.
func (n Network) operations(gradients bool) float64 {
	d, t, keys := float64(n.Dim), float64(n.Tokens), float64(n.Heads*n.keys())
	layer := float64(2*t*d*(float64(2*keys)+float64(3*d))) + float64(2*t*t*(keys+d))
	if gradients {
		layer *= 4.5 // forward, back, and the gradients of the layer itself
	}
	return float64(layer * float64(n.Layers))
}

// Seconds is about how long the ensemble takes on this machine.
func (e *Ensemble) Seconds() float64 {
	return secondsPerOperation() * e.Network.operations(e.Gradients) * float64(e.Networks)
}

// secondsPerOperation is measured once, in a product of a moderate size.
var secondsPerOperation = sync.OnceValue(func() float64 {
	const size = 128
	a, b := newMatrix(size, size), newMatrix(size, size)
	start := time.Now()
	multiply(plain, transposed, 1, a, a, 0, b)
	return max(time.Since(start).Seconds(), 1e-6) / (2 * size * size * size)
})
