package kernels

import (
	"math"

	"antipode/sphere/elementary"
)

// Overlaps holds the overlaps Z of two clusters of tokens, in lanes. The sum S = X_1 + X_2 and the difference
// D = X_1 - X_2 of the two unit vectors at the clusters are orthogonal. An overlap is represented by |S|² =
// 2(1+Z) and |D|² = 2(1-Z), whose sum is 4, both with full relative precision.
//
// The squares |S|² and |D|² are stored as S·2^SExponent and D·2^DExponent. An exponent is a multiple of 64
// and at most 0. The exponent is 0 unless the square is below 2^-130, and then the square is too small to
// affect the other square.
type Overlaps struct {
	S, D, SExponent, DExponent []Vector

	difference []Vector // (m₁-m₂)/(m₁+m₂) for the masses m₁ and m₂ of the clusters; nil if always m₁ = m₂
}

// newOverlaps returns memory for the overlaps of 8·vectors trajectories. The caller sets the overlaps by
// Start.
func newOverlaps(vectors int) Overlaps {
	var o Overlaps
	for _, state := range []*[]Vector{&o.S, &o.D, &o.SExponent, &o.DExponent} {
		*state = make([]Vector, vectors)
	}
	return o
}

// Start sets the overlap of a lane, by |S|² = s and |D|² = d, where s + d = 4.
func (o *Overlaps) Start(lane int, s, d float64) {
	o.S[lane/8][lane%8], o.D[lane/8][lane%8] = s, d
	o.SExponent[lane/8][lane%8], o.DExponent[lane/8][lane%8] = 0, 0
}

// Weigh sets the masses of the two clusters of a lane, both positive. Weigh has no effect on chains that were
// made for equal masses.
func (o *Overlaps) Weigh(lane int, first, second float64) {
	if o.difference == nil {
		return
	}
	o.difference[lane/8][lane%8] = (first - second) / (first + second)
}

// Copy copies the overlap and the masses of lane other of from, which may be o itself, to a lane of o.
func (o *Overlaps) Copy(lane int, from *Overlaps, other int) {
	for k, state := range o.states() {
		if state != nil {
			state[lane/8][lane%8] = from.states()[k][other/8][other%8]
		}
	}
}

// states returns all arrays of o, each with one number for each lane; the last array is nil for equal masses.
func (o *Overlaps) states() [5][]Vector {
	return [5][]Vector{o.S, o.D, o.SExponent, o.DExponent, o.difference}
}

// Logarithms returns ln(1+Z) and ln(1-Z) of the overlap Z of a lane. A logarithm is -Inf at Z = -1 or Z = 1,
// and NaN if a layer has left a token without direction.
func (o *Overlaps) Logarithms(lane int) (above, below float64) {
	at := func(state []Vector) float64 { return state[lane/8][lane%8] }
	above = math.FMA(at(o.SExponent), math.Ln2, elementary.Log(0.5*at(o.S)))
	below = math.FMA(at(o.DExponent), math.Ln2, elementary.Log(0.5*at(o.D)))
	return above, below
}
