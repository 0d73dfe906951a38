package lanes

import (
	"math"

	"antipode/sphere/elementary"
)

// scaledSquares stores the overlap Z of two unit tokens in a planeChain by above = |S|² = 2(1+Z) and below =
// |D|² = 2(1-Z), where S and D are the sum and the difference of the tokens. The two squares add up to 4, and
// each has full relative precision.
//
// The smaller square is the stored number times 2^(-512·scale), so that the square may be far below the range
// of float64. If scale is not 0, the stored number is below 2^-64, and adding it to the other square has no
// effect.
type scaledSquares struct {
	above, below float64
	scale        int64
}

const (
	scaleBits   = 512
	scaleFactor = 0x1p512
	// The stored number of the smaller square of a scaledSquares is scaled up if the number is below fine,
	// and down again if it is above coarse.
	fine, coarse = 0x1p-640, 0x1p-64
)

// rescale brings the stored number of the smaller square into the range from fine to coarse.
func (p *scaledSquares) rescale() {
	small := &p.above
	if p.below < p.above {
		small = &p.below
	}
	switch {
	case *small < fine && *small > 0:
		*small *= scaleFactor
		p.scale++
	case p.scale > 0 && *small > coarse:
		*small *= 1 / scaleFactor
		p.scale--
	}
}

// logarithms returns ln(1+Z) and ln(1-Z) of the overlap Z. For tokens that are exactly opposite or equal, one
// of the logarithms is -Inf.
func (p *scaledSquares) logarithms() (above, below float64) {
	above, below = elementary.Log(0.5*p.above), elementary.Log(0.5*p.below)
	lost := float64(float64(p.scale) * (scaleBits * math.Ln2))
	if p.below < p.above {
		return above, below - lost
	}
	return above - lost, below
}

// retract returns |S|² and |D|² after the normalisation of both tokens, given P = |S'|², Q = |D'|² and K = PQ
// - <S',D'>² before the normalisation. Before the normalisation the tokens are U₁ = (S'+D')/2 and U₂ =
// (S'-D')/2. With T = Q-P and N = √(T²+4K) = 4|U₁||U₂|,
//
//	Z = -T/N, 2(1±Z) = 2(N∓T)/N, (N-T)(N+T) = 4K,
//
// so that neither square is computed as a difference. The relative error of the smaller square is that of K
// plus a few roundings.
func retract(p, q, k float64) (above, below float64) {
	t := q - p
	n := math.Sqrt(math.FMA(4, k, float64(t*t)))
	h := n + math.Abs(t)
	inverse := 1 / float64(n*h)
	small, great := float64(float64(8*k)*inverse), float64(float64(2*float64(h*h))*inverse)
	if t > 0 {
		return small, great
	}
	return great, small
}
