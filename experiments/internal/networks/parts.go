package networks

import (
	"context"
	"runtime"
	"sort"

	"antipode/data"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/sde/network"
)

// Part is a part of a run: some theory, networks of one law, and the table rows that are computed from both.
// Either the theory or the networks may be missing.
type Part struct {
	Theory   func(ctx context.Context) ([]float64, error) // nil if the part has no theory
	Numbers  int                                          // how many numbers Theory returns
	Ensemble network.Ensemble                             // has no networks if nothing is simulated
	Rows     int                                          // how many rows Write writes; 0 if unknown
	Write    func(theory []float64, runs [][]network.Layer) error
}

// parts are the Parts of a run, which are run in order. The pieces of work of a part are its theory and its
// networks.
type parts struct {
	all  []Part
	ends []int // number of pieces up to the end of each part
}

// Run runs the parts in order: it computes the theory and the networks of each part, in parallel, and calls
// Write. The argument count is the name of the parameter that sets the number of networks; errors about time
// name that parameter.
func Run(ctx context.Context, all []Part, options run.Options, count string, table data.Sink) error {
	p := parts{all: all, ends: make([]int, len(all))}
	end := 0
	for k := range all {
		all[k].Ensemble.Seed, all[k].Ensemble.Workers = options.Seed, options.Workers
		end += all[k].pieces()
		p.ends[k] = end
	}
	if options.Shards == nil {
		if err := p.checkCost(options, count); err != nil {
			return err
		}
	}
	var theory []float64
	var runs [][]network.Layer
	return run.Pieces{
		Count: end, Worker: p.worker,
		Length: func(piece int) int {
			at, network := p.at(piece)
			if network < 0 {
				return all[at].Numbers
			}
			return all[at].width() * (all[at].Ensemble.Network.Layers + 1)
		},
		Take: func(piece int, numbers []float64) error {
			at, network := p.at(piece)
			if network < 0 {
				theory = numbers
			} else {
				runs = append(runs, all[at].layers(numbers))
			}
			if piece+1 < p.ends[at] {
				return nil
			}
			defer func() { theory, runs = nil, nil }()
			return all[at].Write(theory, runs)
		},
	}.Run(ctx, options, table)
}

// pieces returns the number of pieces of work of a part, at least 1: its networks, and its theory if there is
// one.
func (p *Part) pieces() int {
	if p.Theory == nil {
		return p.Ensemble.Networks
	}
	return p.Ensemble.Networks + 1
}

// at returns the index of the part to which a piece of work belongs, and the index of the piece's network in
// that part. The index of the network is -1 if the piece is theory.
func (p *parts) at(piece int) (at int, network int64) {
	at = sort.SearchInts(p.ends, piece+1)
	return at, int64(piece - p.ends[at] + p.all[at].Ensemble.Networks)
}

// checkCost returns an error if the simulated networks need too much memory or time.
func (p *parts) checkCost(options run.Options, count string) error {
	needs := run.Needs{}
	for k := range p.all {
		e := p.all[k].Ensemble
		needs.Rows += float64(p.all[k].Rows)
		needs.Kept += 8 * float64(e.Networks) * float64(p.all[k].width()*(e.Network.Layers+1))
	}
	return p.check(options, count, 0, needs)
}

// check is checkCost for networks whose results take kept bytes of memory. The predicted needs of the
// networks are added to needs, the other needs of the run.
func (p *parts) check(options run.Options, count string, kept float64, needs run.Needs) error {
	networks, memory := 0, 0.0
	for k := range p.all {
		networks += p.all[k].Ensemble.Networks
	}
	for k := range p.all {
		e := p.all[k].Ensemble
		if e.Networks == 0 {
			continue
		}
		needs.Seconds += e.Seconds()
		e.Networks = networks // all networks of the run share the workers
		memory = max(memory, e.Memory())
	}
	if networks == 0 {
		return nil
	}
	dim, each := int64(p.all[0].Ensemble.Network.Dim), int64(p.all[0].Ensemble.Networks)
	parameters := []parameter.Parameter{DimParameter(&dim),
		{Name: count, Value: parameter.Whole(&each, parameter.Range{Low: 1, High: MostNetworks})}}
	return run.CheckCost(memory+kept, needs.Of(options.Part, int64(networks)), options, parameters, "dim",
		count)
}

// large is the memory of a network, in bytes, above which memory for networks that are no longer needed is
// freed at once.
const large = 1 << 28

// worker returns a function that computes pieces of work: theory or a network. The returned function reuses
// its memory for networks of the same part.
func (p *parts) worker() func(ctx context.Context, piece int) ([]float64, error) {
	compute := p.observer(func(int64, int, int, network.View) error { return nil })
	return func(ctx context.Context, piece int) ([]float64, error) {
		at, network := p.at(piece)
		if network < 0 {
			return p.all[at].Theory(ctx)
		}
		layers, err := compute(ctx, piece)
		return p.all[at].layerNumbers(layers), err
	}
}

// observer returns a function that computes a piece of work that is a network, and calls show with a view of
// each of its layers. The function reuses its memory for networks of the same part.
func (p *parts) observer(
	show func(number int64, sequence, layer int, v network.View) error,
) func(ctx context.Context, piece int) ([]network.Layer, error) {
	present := -1
	var compute func(ctx context.Context, number int64) ([]network.Layer, error)
	return func(ctx context.Context, piece int) ([]network.Layer, error) {
		at, number := p.at(piece)
		e := &p.all[at].Ensemble
		if at != present {
			if compute = nil; e.Memory() > large {
				runtime.GC() // otherwise the memory of the previous part would be kept too
			}
			present, compute = at, e.Observer(show)
		}
		layers, err := compute(ctx, number)
		// The functions show of both callers return no error. An error therefore means that tokens have
		// become 0 or have overflowed, because of their residual connections.
		if err != nil && ctx.Err() == nil {
			err = parameter.Errorf("alpha-sa", e.Network.AlphaSA, "in simulated %v", err)
		}
		return layers, err
	}
}

// width returns how many numbers the journal stores for a layer of a network of the part.
func (p *Part) width() int { return len(fieldsOf(&network.Layer{}, p.Ensemble)) }

// fieldsOf returns pointers to those fields of a layer that the networks of an ensemble compute.
func fieldsOf(l *network.Layer, e network.Ensemble) []*float64 {
	fields := []*float64{&l.Q, &l.P, &l.Cosine, &l.Norm, &l.Excess, &l.Jacobian, &l.First, &l.Last}
	if e.Ranks {
		fields = append(fields, &l.StableRank)
	}
	if e.Gradients {
		for _, g := range []*network.Gradients{&l.Local, &l.Whole} {
			fields = append(fields, &g.Query, &g.Key, &g.Value, &g.Projection, &g.Hidden, &g.Output, &g.Input)
		}
	}
	return fields
}

// layerNumbers returns the numbers that the journal stores for the layers of a network, one layer after the
// other.
func (p *Part) layerNumbers(layers []network.Layer) (numbers []float64) {
	for k := range layers {
		for _, field := range fieldsOf(&layers[k], p.Ensemble) {
			numbers = append(numbers, *field)
		}
	}
	return numbers
}

// layers returns the layers of a network from the numbers that layerNumbers has returned.
func (p *Part) layers(numbers []float64) []network.Layer {
	layers := make([]network.Layer, len(numbers)/p.width())
	for k := range layers {
		for _, field := range fieldsOf(&layers[k], p.Ensemble) {
			*field, numbers = numbers[0], numbers[1:]
		}
	}
	return layers
}
