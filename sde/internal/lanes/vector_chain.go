package lanes

import (
	"errors"
	"math"

	"antipode/sde/internal/kernels"
	"antipode/sphere/elementary"
)

// vectorChain is lanes of overlap chains of two tokens, or clusters, under random Gaussian
// matrices, in vectors.
type vectorChain struct {
	starts starts
	chain  *kernels.Chain
	draws  []*kernels.Lanes // of the first one, two, … Vectors
	masses [2]float64       // of the clusters, the same in all lanes
}

// NewGaussianChain returns lanes of overlap chains of recursion (4), in vectors. The entries
// of a layer's matrix, times L^{-1/2}, are independent and normal of the given standard
// deviation.
func NewGaussianChain(c Clusters, deviation float64, count int) Lanes {
	l := newVectorChain(c, deviation, count, c.Masses[0] == c.Masses[1])
	for k := range len(l.draws) * PerVector {
		l.chain.Weigh(k, c.Masses[0], c.Masses[1])
	}
	return l
}

// newVectorChain returns lanes of chains of clusters of equal masses, or of any.
func newVectorChain(c Clusters, deviation float64, count int, equalMasses bool) *vectorChain {
	vectors := (count + PerVector - 1) / PerVector
	newKernel := kernels.NewMassesChain
	if equalMasses {
		newKernel = kernels.NewChain
	}
	l := &vectorChain{
		starts: starts{of: c}, masses: c.Masses,
		chain: newKernel(vectors, c.Dim, c.Beta, deviation, c.Softmax),
	}
	all := kernels.NewLanes(c.Stream, vectors)
	for v := range vectors {
		l.draws = append(l.draws, all.Part(0, v+1))
	}
	for k := range vectors * PerVector { // until a trajectory comes
		l.chain.Start(k, 2, 2)
	}
	return l
}

func (l *vectorChain) Start(k int, trajectory int64) error {
	p, err := l.starts.squares(trajectory)
	l.chain.Start(k, p.above, p.below)
	return err
}

func (l *vectorChain) Move(k, from int) { l.chain.Copy(k, l.chain, from) }

func (*vectorChain) Tokens(int) []float64 { return nil }

func (l *vectorChain) Pair(k int) (Pair, bool) {
	above, below := l.logarithms(k)
	return Pair{Masses: l.masses, Above: above, Below: below}, true
}

// logarithms returns ln(1+Z) and ln(1-Z) of a lane.
func (l *vectorChain) logarithms(k int) (above, below float64) {
	at := func(state []kernels.Vector) float64 { return state[k/PerVector][k%PerVector] }
	above = math.FMA(at(l.chain.SExponent), math.Ln2, elementary.Log(0.5*at(l.chain.S)))
	below = math.FMA(at(l.chain.DExponent), math.Ln2, elementary.Log(0.5*at(l.chain.D)))
	return above, below
}

func (l *vectorChain) Advance(all []Lane, layers int64) {
	draws := l.draws[(len(all)-1)/PerVector]
	for k, at := range all {
		draws.Set(k, kernels.Increments, at.Trajectory, at.Layer)
	}
	for range layers {
		l.chain.Step(draws)
		draws.Advance()
	}
	for k := range all {
		all[k].Layer += layers
		if s := l.chain.S[k/PerVector][k%PerVector]; s != s {
			all[k].Err = errors.New("a token has no direction")
		}
	}
}
