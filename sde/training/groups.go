package training

import (
	"antipode/sde/network"

	"gonum.org/v1/gonum/blas/blas64"
)

// Sequences of a batch pass through the network in groups, each of about this many tokens at the most: enough
// for products to be fast, and few enough that the numbers of the forward pass stay in the cache. There are
// several of a batch of several sequences, so that goroutines share them.
const (
	groupTokens = 256
	leastGroups = 4
)

// groupSize is the number of sequences of a group.
func groupSize(sequences, tokens int) int {
	groups := min(sequences, max(leastGroups, (sequences*tokens+groupTokens-1)/groupTokens))
	return (sequences + groups - 1) / groups
}

// pass is what one goroutine passes groups through the network with.
type pass struct {
	workspace *network.Workspace
	sequences []network.Sequence
	seed      uint64
	numbers   []int64    // of the sequences, which with the seed say what is dropped
	criterion *criterion // what is learned from
	plain     *criterion // without smoothing
	ranks     *ranks
	clusters  clusters
	outputs   blas64.General // of networks without logits, whose tokens must stay as they are
	sums      sums           // of the last group
}

// forward passes a group through the network, and returns outputs that may be changed.
func (p *pass) forward() blas64.General {
	out := p.workspace.Forward(p.sequences...)
	if p.outputs.Data == nil {
		return out
	}
	for t := range out.Rows {
		copy(p.outputs.Data[t*p.outputs.Stride:][:out.Cols], out.Data[t*out.Stride:])
	}
	return p.outputs
}

// take makes examples the pass's group. A group that is too small ends with copies of its first sequence.
func (p *pass) take(examples []Example) {
	for k := range p.sequences {
		p.sequences[k] = examples[0].Sequence
		if k < len(examples) {
			p.sequences[k] = examples[k].Sequence
		}
	}
}

// learn finds the losses of examples, of which the first has that position in the data, and the derivatives
// of factor times their sum.
func (p *pass) learn(examples []Example, position int64, factor float64) {
	p.take(examples)
	for k := range p.numbers {
		p.numbers[k] = position + int64(k)%int64(len(examples))
	}
	p.workspace.Drop(p.seed, p.numbers...)
	out := p.forward()
	p.sums = p.criterion.all(out, examples, factor)
	clear(p.workspace.Gradient)
	p.workspace.Backward(out)
}

// look finds the losses of examples.
func (p *pass) look(examples []Example) {
	p.take(examples)
	p.workspace.Drop(p.seed)
	p.sums = p.plain.all(p.forward(), examples, 0)
}
