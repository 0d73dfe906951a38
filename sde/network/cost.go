package network

import (
	"math"
	"sync"
	"time"

	"antipode/internal/products"
)

// Memory estimates the memory, in bytes, that a run of the ensemble needs.
func (e *Ensemble) Memory() float64 {
	n := e.Network
	m := &machine{network: n, classes: e.Classes, sequences: make([]matrix, e.sequences())}
	d := &drafter{Network: n, tokens: n.Tokens, measure: true}
	layers := 1.0
	if e.Gradients {
		m.gradient = []float64{}
		layers = float64(n.Layers)
	}
	m.draft(d, 0)
	fixed := d.floats
	m.draft(d, 1) // adds, once more, everything that is not in layers, and one layer
	floats := fixed + float64(layers*(d.floats-2*fixed)) + float64(m.inputs.size+m.layer.size)
	if e.Gradients {
		floats += float64(m.layer.size)
	}
	return math.Ceil(8 * float64(e.workers()) * floats)
}

// operations returns the number of floating-point operations in the matrix products of one network of the
// ensemble, and the number of random numbers that are sampled for this network.
func (e *Ensemble) operations() (products, draws float64) {
	n := e.Network
	d, t := float64(n.Dim), float64(n.Tokens)
	layer := n.layerOperations()
	draws = float64(float64(measured(e).layer.size) * float64(n.Layers))
	if e.Gradients {
		layer *= 5 // forward pass once; backward passes of the network and of the layer cost two each
		draws *= 2
	}
	layer *= float64(e.sequences())
	loss := float64(4 * t * d * float64(e.Classes))
	return float64(layer*float64(n.Layers)) + loss, draws + float64(d*float64(e.Classes))
}

// layerOperations returns the number of floating-point operations in the matrix products of the forward pass
// through a layer.
func (n Network) layerOperations() float64 {
	d, t, keys := float64(n.Dim), float64(n.Tokens), float64(n.Heads*n.keys())
	layer := float64(2*t*d*(float64(2*keys)+d)) + float64(2*t*t*(keys+d))
	if n.Projection {
		layer += float64(2 * t * d * d)
	}
	if !n.AttentionOnly {
		layer += float64(2 * t * d * float64(n.hidden()+n.width()))
	}
	return layer
}

// Seconds estimates how long a sequence takes, on one processor of this machine, to pass forward and, if
// gradients is true, backward through a Transformer of the network. The estimated time is in seconds.
func (n Network) Seconds(gradients bool) float64 {
	const perNumber = 1.5e-9 // seconds of elementwise operations, such as softmax, for each number
	t, d := float64(n.Tokens), float64(n.Dim)
	numbers := float64(t * (float64(8*d) + float64(n.hidden()) + float64(4*t*float64(n.Heads))))
	operations := float64(n.layerOperations()*float64(n.Layers)) + float64(2*t*d*float64(n.Outputs))
	others := float64(perNumber * float64(numbers*float64(n.Layers)))
	seconds := float64(secondsPerOperation()*operations) + others
	if gradients {
		seconds *= 3
	}
	return seconds
}

// Seconds estimates how many seconds a run of the ensemble takes on one processor of this machine.
func (e *Ensemble) Seconds() float64 {
	const perDraw = 4e-9
	products, draws := e.operations()
	return float64(float64(e.Networks) * (float64(secondsPerOperation()*products) + float64(perDraw*draws)))
}

// secondsPerOperation returns the seconds of a floating-point operation in a matrix product.
// The time is measured once, with a product of moderate size.
var secondsPerOperation = sync.OnceValue(func() float64 {
	const size = 128
	a, b, p := newMatrix(size, size), newMatrix(size, size), products.New(1)
	p.Multiply(plain, transposed, 1, a, a, 0, b) // this first product allocates working memory
	start := time.Now()
	p.Multiply(plain, transposed, 1, a, a, 0, b)
	return max(time.Since(start).Seconds(), 1e-6) / (2 * size * size * size)
})
