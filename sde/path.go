package sde

import (
	"fmt"
	"math"
)

// PathID identifies the Brownian paths and starts of a cell that is simulated on Brownian paths with the
// given base depth, in steps per unit of time. Cells with the same PathID are coupled by the same paths.
// Unlike ID, PathID does not depend on the depth, the scheme and the law of the cell, and is the same for a
// recursion and for its limit.
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
// Brownian increment of that step; both slices have length PathLen, and dst may be the same slice as
// increment. For an equation in continuous time, the result is the Brownian increment itself. For a
// recursion, the result is a value matrix or an amplitude. If the law is Gaussian, a value matrix is σ√L
// times the Brownian increment, and an amplitude is √L times the Brownian increment, so that the recursions
// (4) and (7) are functions of the path. Numbers with another distribution function F are coupled to the
// Brownian increment ΔW entry by entry, by the quantiles F⁻¹(Φ(√L ΔW)), where Φ is the normal distribution
// function. A Covariance of the model is applied to the resulting matrix. The numbers of an MLP follow at the
// end of dst; for equations and for recursions these numbers are √L times the Brownian increments, hence
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
// no random scores: PathLen counts the entries of the model's increment, and the numbers of the MLP.
func (c Cell) PathLen() int { return c.IncrementLen() + int(c.MLP.numbers(float64(c.Dim))) }
