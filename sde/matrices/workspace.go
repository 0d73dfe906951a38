package matrices

import "antipode/internal/products"

// Workspace is the memory in which one goroutine computes samples of a Network, one after another.
type Workspace struct {
	network    Network
	multiplier *products.Multiplier
	memory     memory
	layers     []*layer
}

// Workspace returns a workspace for the network, which must be valid.
func (n Network) Workspace() *Workspace {
	return &Workspace{network: n, multiplier: products.New(1)}
}

// Network returns the network whose samples the workspace computes.
func (w *Workspace) Network() Network { return w.network }

// Start returns the signal of a sample before the first layer; samples are counted from 0. Start reuses the
// memory of the signal that the workspace started before, which becomes invalid.
func (w *Workspace) Start(seed uint64, sample int64) *Signal { return w.start(seed, sample, false) }

// start returns the signal of a sample before the first layer; with keeps, the signal stores what a backward
// pass needs.
func (w *Workspace) start(seed uint64, sample int64, keeps bool) *Signal {
	w.memory.giveAll()
	for _, l := range w.layers {
		clear(l.heads)
		l.input, l.output = nil, nil
	}
	source := w.network.source(seed, sample)
	return &Signal{source: source, drawer: source.drawer(), work: w, keeps: keeps}
}

// layer returns the memory for the layer with number k, counted from 0.
func (w *Workspace) layer(k int) *layer {
	for len(w.layers) <= k {
		w.layers = append(w.layers, &layer{heads: make([]head, w.network.Heads),
			deviation: make([]float64, w.network.Tokens)})
	}
	return w.layers[k]
}
