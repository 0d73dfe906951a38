package lanes

import (
	"errors"

	"antipode/sde/internal/kernels"
)

// vectorChain are Lanes of chains of the overlap of two tokens or clusters, computed in vectors.
type vectorChain struct {
	starts   starts
	overlaps *kernels.Overlaps
	step     func(draws *kernels.Lanes) // advances the overlaps by one layer
	draws    []*kernels.Lanes           // entry v has the addresses of the first v+1 Vectors
	masses   [2]float64                 // masses of the clusters, the same in all lanes
}

// NewGaussianChain returns count lanes of chains of the overlap of two tokens or clusters under recursion
// (4), computed in vectors. The entries of the matrix of a layer, multiplied by L^{-1/2}, are independent and
// normal with the given standard deviation.
func NewGaussianChain(c Clusters, deviation float64, count int) Lanes {
	l := newGaussianChain(c, deviation, count, c.equalMasses())
	l.weigh(c.Masses)
	return l
}

// newGaussianChain returns the lanes of NewGaussianChain, by a kernel for clusters of equal masses if
// equalMasses is set, and otherwise by a kernel for clusters of any masses.
func newGaussianChain(c Clusters, deviation float64, count int, equalMasses bool) *vectorChain {
	newKernel := kernels.NewMassesChain
	if equalMasses {
		newKernel = kernels.NewChain
	}
	l := newVectorChain(c, count)
	chain := newKernel(len(l.draws), c.Dim, c.Beta, deviation, c.Softmax)
	return l.with(&chain.Overlaps, chain.Step)
}

// NewHybridChain returns count lanes of chains of the overlap of two tokens or clusters under recursion (7),
// computed in vectors, with noise = εL^{-1/2} and drift = 1/L. The function draw samples the amplitudes v of
// a layer, |v| ≤ 9; draw is nil if there is no noise.
func NewHybridChain(
	c Clusters, noise, drift float64, draw func(dst []kernels.Vector, numbers *kernels.Lanes), count int,
) Lanes {
	l := newVectorChain(c, count)
	chain := kernels.NewHybridChain(len(l.draws), c.Beta, noise, drift, c.Softmax, c.equalMasses(), draw)
	l.with(&chain.Overlaps, chain.Step).weigh(c.Masses)
	return l
}

// newVectorChain returns a vectorChain that still needs overlaps and a step, which the method with sets.
func newVectorChain(c Clusters, count int) *vectorChain {
	vectors := (count + PerVector - 1) / PerVector
	l := &vectorChain{starts: starts{of: c}, masses: c.Masses}
	all := kernels.NewLanes(c.Stream, vectors)
	for v := range vectors {
		l.draws = append(l.draws, all.Part(0, v+1))
	}
	return l
}

// with sets the overlaps of the lanes, and the function that advances these overlaps by one layer.
func (l *vectorChain) with(overlaps *kernels.Overlaps, step func(draws *kernels.Lanes)) *vectorChain {
	l.overlaps, l.step = overlaps, step
	for k := range len(l.draws) * PerVector { // also in lanes without a trajectory
		overlaps.Start(k, 2, 2)
	}
	return l
}

// weigh sets the masses of the clusters in all lanes.
func (l *vectorChain) weigh(masses [2]float64) {
	for k := range len(l.draws) * PerVector {
		l.overlaps.Weigh(k, masses[0], masses[1])
	}
}

func (l *vectorChain) Start(k int, trajectory int64) error {
	p, err := l.starts.squares(trajectory)
	l.overlaps.Start(k, p.above, p.below)
	return err
}

func (l *vectorChain) Move(k, from int) { l.overlaps.Copy(k, l.overlaps, from) }

func (l *vectorChain) Copy(k, from int) { l.Move(k, from) }

func (*vectorChain) Tokens(int) []float64 { return nil }

func (l *vectorChain) Pair(k int) (Pair, bool) {
	above, below := l.overlaps.Logarithms(k)
	return Pair{Masses: l.masses, Above: above, Below: below}, true
}

func (l *vectorChain) Advance(all []Lane, layers int64) {
	draws := l.draws[(len(all)-1)/PerVector]
	for k, at := range all {
		draws.Set(k, kernels.Increments, at.Trajectory, at.Layer)
	}
	for range layers {
		l.step(draws)
		draws.Advance()
	}
	for k := range all {
		all[k].Layer += layers
		if s := l.overlaps.S[k/PerVector][k%PerVector]; s != s {
			all[k].Err = errors.New("a token has no direction")
		}
	}
}
