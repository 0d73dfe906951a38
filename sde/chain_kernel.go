package sde

import (
	"errors"
	"math"

	"antipode/sde/internal/kernels"
	"antipode/sphere/elementary"
)

// vectorChainLanes are lanes of overlap chains of two tokens, or clusters, under random
// Gaussian matrices, in vectors.
type vectorChainLanes struct {
	starts chainStarts
	chain  *kernels.Chain
	draws  []*kernels.Lanes // of the first one, two, … Vectors
	masses [2]float64       // of the clusters, the same in all lanes
}

// lanesOfVector is the number of lanes of a Vector.
const lanesOfVector = len(kernels.Vector{})

// newVectorChainLanes returns lanes of chains of clusters of equal masses, or of any, under
// Gaussian entries of standard deviation sigma.
func newVectorChainLanes(c Cell, sigma float64, stream kernels.Stream, count int,
	equalMasses bool) *vectorChainLanes {
	vectors := (count + lanesOfVector - 1) / lanesOfVector
	newChain := kernels.NewMassesChain
	if equalMasses {
		newChain = kernels.NewChain
	}
	l := &vectorChainLanes{
		starts: chainStarts{cell: c, stream: stream},
		chain:  newChain(vectors, c.Dim, c.Beta, sigma/math.Sqrt(float64(c.Depth)), c.Attention == Softmax),
	}
	all := kernels.NewLanes(stream, vectors)
	for v := range vectors {
		l.draws = append(l.draws, all.Part(0, v+1))
	}
	for k := range vectors * lanesOfVector { // until a trajectory comes
		l.chain.Start(k, 2, 2)
	}
	return l
}

func (l *vectorChainLanes) start(k int, trajectory int64) error {
	p, err := l.starts.squares(trajectory)
	l.chain.Start(k, p.above, p.below)
	return err
}

func (l *vectorChainLanes) move(k, from int) { l.chain.Copy(k, l.chain, from) }

func (*vectorChainLanes) see(int) []float64 { return nil }

func (l *vectorChainLanes) pair(k int) (Pair, bool) {
	above, below := l.logarithms(k)
	return Pair{Masses: l.masses, Above: above, Below: below}, true
}

// logarithms returns ln(1+Z) and ln(1-Z) of a lane.
func (l *vectorChainLanes) logarithms(k int) (above, below float64) {
	at := func(state []kernels.Vector) float64 { return state[k/lanesOfVector][k%lanesOfVector] }
	above = math.FMA(at(l.chain.SExponent), math.Ln2, elementary.Log(0.5*at(l.chain.S)))
	below = math.FMA(at(l.chain.DExponent), math.Ln2, elementary.Log(0.5*at(l.chain.D)))
	return above, below
}

func (l *vectorChainLanes) advance(all []lane, layers int64) {
	draws := l.draws[(len(all)-1)/lanesOfVector]
	for k, at := range all {
		draws.Set(k, kernels.Increments, at.trajectory, at.layer)
	}
	for range layers {
		l.chain.Step(draws)
		draws.Advance()
	}
	for k := range all {
		all[k].layer += layers
		if s := l.chain.S[k/lanesOfVector][k%lanesOfVector]; s != s {
			all[k].err = errors.New("a token has no direction")
		}
	}
}
