package lanes

import "antipode/sde/internal/kernels"

// mlpChain are Lanes of chains of the overlap of two tokens with an MLP of infinite width, computed in
// vectors.
type mlpChain struct {
	*vectorChain
	escaping bool             // whether opposite tokens do not stay opposite
	after    []*kernels.Lanes // addresses, like draws, for an MLP that follows attention; nil for no such MLP
	now      *kernels.Lanes   // the element of after that is in use
}

// NewMLPChain returns count lanes of chains of the overlap under recursion (4) with the drift and the MLP of
// b, whose strength must be positive. The MLP is parallel to attention, or follows attention. The entries of
// the matrix of a layer have the law that NewGaussianChain describes. The two clusters of each trajectory
// must have equal masses.
func NewMLPChain(c Clusters, deviation float64, b *DriftMLP, count int) Lanes {
	l := &mlpChain{vectorChain: newVectorChain(c, count), escaping: b.escapes()}
	vectors, shares := len(l.draws), b.Correlation.Table()
	if !b.InSequence {
		chain := kernels.NewMLPChain(vectors, c.Dim, c.Beta, deviation, b.Strength, b.Drift, c.Softmax,
			shares)
		l.with(&chain.Overlaps, chain.Step)
		return l
	}
	l.after = newVectorChain(c, count).draws
	mlp := kernels.NewMLPChain(vectors, c.Dim, 0, 0, b.Strength, 0, true, shares)
	attend := attentionSteps(c, deviation, b.Drift, &mlp.Overlaps)
	l.with(&mlp.Overlaps, func(draws *kernels.Lanes) {
		attend(draws)
		mlp.Step(l.now)
		l.now.Advance()
	})
	return l
}

// attentionSteps returns the function that advances the given overlaps by the attention of a layer, without
// the MLP.
func attentionSteps(
	c Clusters, deviation, drift float64, overlaps *kernels.Overlaps,
) func(draws *kernels.Lanes) {
	vectors := len(overlaps.S)
	if drift > 0 {
		chain := kernels.NewMLPChain(vectors, c.Dim, c.Beta, deviation, 0, drift, c.Softmax, nil)
		chain.Overlaps = *overlaps
		return chain.Step
	}
	chain := kernels.NewChain(vectors, c.Dim, c.Beta, deviation, c.Softmax)
	chain.Overlaps = *overlaps
	return chain.Step
}

// leastAbove replaces |S|² = 0, where S is the sum of the two tokens, if the MLP adds noise to S even at S =
// 0. leastAbove is too small to change S after a layer.
const leastAbove = 0x1p-200

func (l *mlpChain) Start(k int, trajectory int64) error {
	p, err := l.starts.squares(trajectory)
	if l.escaping {
		p.above = max(p.above, leastAbove)
	}
	l.overlaps.Start(k, p.above, p.below)
	return err
}

func (l *mlpChain) Advance(all []Lane, layers int64) {
	if l.after != nil {
		l.now = l.after[(len(all)-1)/PerVector]
		for k, at := range all {
			l.now.Set(k, kernels.Weights, at.Trajectory, at.Layer)
		}
	}
	l.vectorChain.Advance(all, layers)
}
