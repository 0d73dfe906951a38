package lanes

import "fmt"

// chain is lanes of overlap chains of recursion (7), advanced one lane at a time.
type chain struct {
	starts    starts
	layer     massesLayer
	unequal   bool
	amplitude func(trajectory, layer int64) float64 // the factor of the attention
	pairs     []squares
	masses    [2]float64
}

// NewChain returns lanes of overlap chains of recursion (7), advanced one lane at a time.
// amplitude is the factor of the attention in a layer; layers are counted from 0.
func NewChain(c Clusters, amplitude func(trajectory, layer int64) float64, count int) Lanes {
	return newChain(c, amplitude, count)
}

func newChain(c Clusters, amplitude func(trajectory, layer int64) float64, count int) *chain {
	return &chain{
		starts: starts{of: c}, layer: newMassesLayer(c), unequal: c.Masses[0] != c.Masses[1],
		amplitude: amplitude, pairs: make([]squares, count), masses: c.Masses,
	}
}

func (l *chain) Start(k int, trajectory int64) (err error) {
	l.pairs[k], err = l.starts.squares(trajectory)
	return err
}

func (*chain) Tokens(int) []float64 { return nil }

func (l *chain) Pair(k int) (Pair, bool) {
	above, below := l.pairs[k].logarithms()
	return Pair{Masses: l.masses, Above: above, Below: below}, true
}

func (l *chain) Move(k, from int) { l.pairs[k] = l.pairs[from] }

func (l *chain) Advance(all []Lane, layers int64) {
	for k := range all {
		at, p := &all[k], &l.pairs[k]
		for end := at.Layer + layers; at.Layer < end; at.Layer++ {
			above, below := l.layer.advance(p.above, p.below, l.amplitude(at.Trajectory, at.Layer))
			if !(above <= 5 && below <= 5) {
				at.Err = fmt.Errorf("layer %d: a token has no direction", at.Layer+1)
				break
			}
			p.above, p.below = above, below
			if above > below || !l.unequal { // S of unequal clusters is no multiple of the one before
				p.rescale()
			}
		}
	}
}
