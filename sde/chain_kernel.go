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
	starts pairStarts
	chain  *kernels.Chain
	draws  []*kernels.Lanes // of the first one, two, … Vectors
	view   [2]float64
}

// lanesOfVector is the number of lanes of a Vector.
const lanesOfVector = len(kernels.Vector{})

func newVectorChainLanes(c Cell, seed uint64, count int) *vectorChainLanes {
	vectors := (count + lanesOfVector - 1) / lanesOfVector
	stream := c.stream(seed)
	l := &vectorChainLanes{starts: pairStarts{cell: c, stream: stream}}
	first, second := c.masses()
	if first == second {
		l.chain = c.newChain(kernels.NewChain, vectors)
	} else {
		l.chain = c.newChain(kernels.NewMassesChain, vectors)
	}
	all := kernels.NewLanes(stream, vectors)
	for v := range vectors {
		l.draws = append(l.draws, all.Part(0, v+1))
	}
	for k := range vectors * lanesOfVector { // until a trajectory comes
		l.chain.Start(k, 2, 2)
		l.chain.Weigh(k, float64(first), float64(second))
	}
	return l
}

// newChain returns chains of the cell's parameters.
func (c Cell) newChain(of func(vectors, dim int, beta, scale float64, softmax bool) *kernels.Chain, vectors int) *kernels.Chain {
	return of(vectors, c.Dim, c.Beta, c.Sigma/math.Sqrt(float64(c.Depth)), c.Attention == Softmax)
}

func (l *vectorChainLanes) start(k int, trajectory int64) error {
	p, err := l.starts.pair(trajectory)
	l.chain.Start(k, p.above, p.below)
	return err
}

// states are the Vectors of the chain that have a number for each lane.
func (l *vectorChainLanes) states() [4][]kernels.Vector {
	return [4][]kernels.Vector{l.chain.S, l.chain.D, l.chain.SExponent, l.chain.DExponent}
}

func (l *vectorChainLanes) move(k, from int) {
	for _, state := range l.states() {
		state[k/lanesOfVector][k%lanesOfVector] = state[from/lanesOfVector][from%lanesOfVector]
	}
}

func (l *vectorChainLanes) see(k int) []float64 {
	at := func(state []kernels.Vector) float64 { return state[k/lanesOfVector][k%lanesOfVector] }
	l.view[0] = math.FMA(at(l.chain.SExponent), math.Ln2, elementary.Log(0.5*at(l.chain.S)))
	l.view[1] = math.FMA(at(l.chain.DExponent), math.Ln2, elementary.Log(0.5*at(l.chain.D)))
	return l.view[:]
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
