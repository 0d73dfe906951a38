package sde

import (
	"fmt"
	"math"
)

// PathID identifies the Brownian paths and starts that cells share if they are coupled on paths of the given
// base depth. Unlike ID it does not depend on depth, scheme and law, and is the same for a recursion and its
// limit.
func (c Cell) PathID(base int) uint64 {
	noise, parameters := c.Model.equation().path()
	text := fmt.Sprintf("path base=%d attention=%v tokens=%d dim=%d beta=%x start=%v noise=%v%s",
		base, c.Attention, c.Tokens, c.Dim, math.Float64bits(c.Beta+0), c.Start, noise, parameters)
	if c.Interaction != nil {
		text += " interaction=" + Checksum(c.Interaction)
	}
	return hash(text + c.sublayersAddress())
}

// FromBrownian writes to dst the increment of the cell's stepper over a step 1/Depth, computed from the
// Brownian increment of that step; both have length PathLen, and dst may be the same slice as increment. For
// a limit, the result is the Brownian increment itself. For a recursion, the result is a value matrix or an
// amplitude. If its law is Gaussian, it is σ√L times the Brownian increment, so that (4) and (7) are
// functions of the path. Other laws are coupled to the Gaussian law entry by entry, by the quantiles F⁻¹(Φ(√L
// ΔW)). The numbers of an MLP follow; for limits and recursions they are √L times the increments, which is
// standard normal.
func (c Cell) FromBrownian(dst, increment []float64) {
	own := len(dst) - int(c.MLP.numbers(float64(c.Dim)))
	copy(dst, increment)
	c.Model.fromBrownian(dst[:own], c.Depth)
	root := math.Sqrt(float64(c.Depth))
	for k := range dst[own:] {
		dst[own+k] *= root
	}
}

// PathLen returns the number of entries of a Brownian path that drives the cell, which must have one head and
// no random scores: those of its model, and the numbers of its MLP.
func (c Cell) PathLen() int { return c.IncrementLen() + int(c.MLP.numbers(float64(c.Dim))) }
