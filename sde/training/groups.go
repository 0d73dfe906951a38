package training

import (
	"antipode/sde/network"

	"gonum.org/v1/gonum/blas/blas64"
)

// The sequences of a batch pass through the network in groups of at most about groupTokens tokens each.
// groupTokens tokens are enough for fast matrix products, and few enough for the activations of the forward
// pass to stay in the cache. A batch of several sequences has at least leastGroups groups, or one for each
// sequence if there are fewer sequences, so that goroutines can share the work.
const (
	groupTokens = 256
	leastGroups = 4
)

// groupSize returns the number of sequences of a batch that pass through the network together, as a group.
func groupSize(sequences, tokens int) int {
	groups := min(sequences, max(leastGroups, (sequences*tokens+groupTokens-1)/groupTokens))
	return (sequences + groups - 1) / groups
}

// pass is the workspace of one goroutine that passes groups of sequences through the network.
type pass struct {
	workspace *network.Workspace
	sequences []network.Sequence
	seed      uint64
	numbers   []int64    // numbers of the sequences; the seed and these numbers determine dropout
	criterion *criterion // computes the training loss
	plain     *criterion // computes the loss without label smoothing
	ranks     *ranks
	clusters  clusters
	outputs   blas64.General // for networks without logits: a copy of the tokens, which must not be changed
	sums      sums           // sums over the examples of the last group
}

// forward passes a group of sequences through the network and returns the outputs of the network, which the
// caller may change.
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

// take sets the sequences of the pass to those of the examples. If there are fewer examples than sequences,
// the first example fills the remaining sequences.
func (p *pass) take(examples []Example) {
	for k := range p.sequences {
		p.sequences[k] = examples[0].Sequence
		if k < len(examples) {
			p.sequences[k] = examples[k].Sequence
		}
	}
}

// learn computes the training losses of examples, and the gradient of factor times the sum of these losses.
// The first of the examples has the given position in the training data.
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

// look computes the losses of examples, without gradients and without label smoothing.
func (p *pass) look(examples []Example) {
	p.take(examples)
	p.workspace.Drop(p.seed)
	p.sums = p.plain.all(p.forward(), examples, 0)
}
