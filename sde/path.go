package sde

import (
	"fmt"
	"math"
)

// PathID identifies the Brownian paths and starts that a cell shares with cells that are coupled on paths of
// a base depth. Unlike ID it does not depend on depth, scheme and law, and is the same for a recursion and
// its limit.
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
// a limit it is the Brownian increment itself. For a recursion it is a value matrix or an amplitude: σ√L
// times the Brownian increment if its law is Gaussian, which makes (4) and (7) functions of the path; other
// laws are coupled to the Gaussian one entry by entry, through the quantiles F⁻¹(Φ(√L ΔW)). The numbers of an
// MLP, which follow, are standard normal for both: √L times the increments.
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
