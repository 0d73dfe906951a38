package kernels

import (
	"math"

	"antipode/sphere/elementary"
)

// Overlaps are the overlaps Z of two clusters of tokens, in lanes. With S = X_1 + X_2 and
// D = X_1 - X_2, which are orthogonal, they are |S|² = 2(1+Z) and |D|² = 2(1-Z), of sum 4, both
// with full relative precision.
//
// The squares are S·2^SExponent and D·2^DExponent. An exponent is a multiple of 64, at
// most 0, and 0 unless the number that it belongs to is below 2^-130; the square is then too
// small to matter to the other one.
type Overlaps struct {
	S, D, SExponent, DExponent []Vector

	difference []Vector // (m₁-m₂)/(m₁+m₂) of the clusters' masses; nil if all are equal
}

// newOverlaps returns those of some Vectors of trajectories, which are to be set by Start.
func newOverlaps(vectors int) Overlaps {
	var o Overlaps
	for _, state := range []*[]Vector{&o.S, &o.D, &o.SExponent, &o.DExponent} {
		*state = make([]Vector, vectors)
	}
	return o
}

// Start sets a lane to |S|² = s and |D|² = d, of sum 4.
func (o *Overlaps) Start(lane int, s, d float64) {
	o.S[lane/8][lane%8], o.D[lane/8][lane%8] = s, d
	o.SExponent[lane/8][lane%8], o.DExponent[lane/8][lane%8] = 0, 0
}

// Weigh sets the masses of a lane's clusters, both positive; it has no effect on chains of equal
// masses.
func (o *Overlaps) Weigh(lane int, first, second float64) {
	if o.difference == nil {
		return
	}
	o.difference[lane/8][lane%8] = (first - second) / (first + second)
}

// Copy gives a lane the state of a lane of other overlaps, or of the same.
func (o *Overlaps) Copy(lane int, from *Overlaps, other int) {
	for k, state := range o.states() {
		if state != nil {
			state[lane/8][lane%8] = from.states()[k][other/8][other%8]
		}
	}
}

// states returns the Vectors that have a number for each lane.
func (o *Overlaps) states() [5][]Vector {
	return [5][]Vector{o.S, o.D, o.SExponent, o.DExponent, o.difference}
}

// Logarithms returns ln(1+Z) and ln(1-Z) of a lane, -Inf at the ends; NaN if a layer has left a
// token without direction.
func (o *Overlaps) Logarithms(lane int) (above, below float64) {
	at := func(state []Vector) float64 { return state[lane/8][lane%8] }
	above = math.FMA(at(o.SExponent), math.Ln2, elementary.Log(0.5*at(o.S)))
	below = math.FMA(at(o.DExponent), math.Ln2, elementary.Log(0.5*at(o.D)))
	return above, below
}
