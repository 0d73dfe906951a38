package training

import (
	"math"

	"antipode/sde/network"
	"antipode/sphere/elementary"

	"gonum.org/v1/gonum/blas/blas64"
)

// Record describes a network after a number of steps of training. Undefined values of a Record are NaN.
type Record struct {
	Step           int64
	Loss           float64 // training loss on the batches of the next step
	ValidationLoss float64 // loss on validation examples, without label smoothing
	Accuracy       float64 // fraction of the asked-for classes in validation that are predicted correctly
	Rate           float64 // learning rate of the next step
	GradientNorm   float64 // norm of the gradient of the next step, before clipping
	Diverged       bool    // whether the network has diverged, so that there is no next step
	Layers         []LayerRecord
}

// LayerRecord describes the tokens after a layer, averaged over the first Observed validation examples, and
// the residual connections of the layer. Layer 0 is the input of the network. Properties that a layer does
// not have are NaN; the input, for example, has no residual connections.
type LayerRecord struct {
	Cosine     float64 // mean cosine of two different tokens
	Norm       float64 // mean Euclidean norm of a token
	Square     float64 // mean square of a coordinate of a token
	Plus       float64 // fraction of pairs of tokens with a cosine within Tolerance of 1; Minus: of -1
	Minus      float64
	Clusters   float64 // number of clusters of tokens, linked by cosines within Tolerance of 1
	Entropy    float64 // mean entropy of attention rows, in nats; NaN for free weights, whose sum is not 1
	StableRank float64 // stable rank of XXᵀ, where the tokens are the rows of X
	Strengths  [4]float64
}

// The constants AttentionSkip and so on index the recorded strengths of the residual connections of a layer:
// the strengths of the skip connection and of the branch, for attention and for the MLP.
const (
	AttentionSkip = iota
	AttentionBranch
	MLPSkip
	MLPBranch
)

// Tolerance is the distance of a cosine from ±1 up to which tokens count as equal or as antipodal.
const Tolerance = 1e-3

// Observed is the number of validation examples whose tokens are examined after every layer. If there are
// fewer than Observed validation examples, all are examined.
const Observed = 16

// Record measures the network with its present weights.
func (t *Trainer) Record() Record {
	t.look()
	layers := make([]LayerRecord, t.transformer.Network.Layers+1)
	all := make([][]LayerRecord, min(Observed, t.method.Validation))
	var total sums
	examples := t.read(Validation, t.method.Validation, func(k int) int64 { return int64(k) })
	t.inGroups(examples, func(p *pass, group []Example, first int) {
		p.look(group)
		for k := first; k < min(first+len(group), len(all)); k++ {
			all[k] = t.observe(p, k-first)
		}
	}, func(passes []*pass) {
		for _, p := range passes {
			total.add(p.sums)
		}
	})
	r := Record{
		Step: t.step, Loss: t.next.loss, ValidationLoss: total.loss / total.count, Accuracy: math.NaN(),
		Rate:         t.method.Schedule.At(t.step, t.method.Steps),
		GradientNorm: t.next.norm, Diverged: t.next.failed, Layers: layers,
	}
	if t.task.Loss() == CrossEntropy {
		r.Accuracy = total.right / total.count
	}
	for l := range layers {
		layers[l] = mean(all, l)
		layers[l].Strengths = t.strengths(l)
	}
	return r
}

// Tokens calls show with the tokens of the first validation examples, up to Observed, after every layer;
// layer 0 is the input of the network. Each row of the matrix tokens is a token, and the matrix is valid only
// until show returns. Goroutines call show concurrently for different sequences.
func (t *Trainer) Tokens(show func(sequence, layer int, tokens blas64.General)) {
	examples := t.read(Validation, min(Observed, t.method.Validation), func(k int) int64 { return int64(k) })
	t.inGroups(examples, func(p *pass, group []Example, first int) {
		p.look(group)
		for k := range group {
			for l := range t.transformer.Network.Layers + 1 {
				show(first+k, l, t.sequence(p.workspace.Layer(l).Tokens, k))
			}
		}
	}, func([]*pass) {})
}

// sequence returns the rows of a matrix of tokens that belong to one sequence of a group.
func (t *Trainer) sequence(tokens blas64.General, number int) blas64.General {
	rows := t.transformer.Network.Tokens
	tokens.Rows, tokens.Data = rows, tokens.Data[number*rows*tokens.Stride:]
	return tokens
}

// mean returns the mean, over sequences, of the records of a layer.
func mean(sequences [][]LayerRecord, layer int) (m LayerRecord) {
	count := float64(len(sequences))
	into := m.means()
	for _, layers := range sequences {
		for k, x := range layers[layer].means() {
			*into[k] += *x
		}
	}
	for _, x := range into {
		*x /= count
	}
	return m
}

// means returns pointers to the fields of a LayerRecord that are averaged over sequences.
func (l *LayerRecord) means() [8]*float64 {
	return [...]*float64{&l.Cosine, &l.Norm, &l.Square, &l.Plus, &l.Minus, &l.Clusters, &l.Entropy,
		&l.StableRank}
}

// strengths returns the strengths of a layer's residual connections.
func (t *Trainer) strengths(layer int) [4]float64 {
	nan := math.NaN()
	s := [4]float64{nan, nan, nan, nan}
	for k, name := range []string{"attention.skip", "attention.strength", "mlp.skip", "mlp.strength"} {
		if value, ok := t.transformer.LayerParameter(layer, name); ok {
			s[k] = value[0]
		}
	}
	return s
}

// observe returns the records of all layers for one sequence of the group that last passed through the
// network.
func (t *Trainer) observe(p *pass, sequence int) []LayerRecord {
	n := t.transformer.Network
	layers := make([]LayerRecord, n.Layers+1)
	for l := range layers {
		view := p.workspace.Layer(l)
		tokens := t.sequence(view.Tokens, sequence)
		seen := network.Observe(tokens)
		layers[l] = LayerRecord{
			Cosine: seen.Cosine, Norm: seen.Norm, Square: seen.Q, Entropy: math.NaN(),
			StableRank: p.ranks.stable(tokens),
		}
		p.clusters.observe(tokens, &layers[l])
		if l > 0 {
			layers[l].Entropy = entropy(n, view, sequence)
		}
	}
	return layers
}

// entropy returns the mean entropy of the rows of a sequence's attention matrices, or NaN if the attention
// weights of a token do not sum to 1.
func entropy(n network.Network, view network.View, sequence int) float64 {
	if n.Attention == network.FreeWeights {
		return math.NaN()
	}
	total := 0.0
	for _, a := range view.Attention[sequence*n.Heads:][:n.Heads] {
		for t := range a.Rows {
			attended := n.Tokens
			if n.Causal {
				attended = t + 1
			}
			removed := 0.0
			if n.GainControl {
				removed = 1 / float64(attended)
			}
			for _, weight := range a.Data[t*a.Stride:][:attended] {
				if weight += removed; weight > 0 {
					total -= float64(weight * elementary.Log(weight))
				}
			}
		}
	}
	return total / float64(n.Heads*n.Tokens)
}
