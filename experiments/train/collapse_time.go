package train

import (
	"math"

	"antipode/sde/network"
)

// collapse returns u, the growth of artanh of the overlap of two tokens from the first layer to the last at
// initialisation. The growth is computed for tokens that are not yet close, in the limit of weak layers and
// uniform attention. If the value matrices have independent entries of variance v, u grows by (d-2)/2·v per
// unit of time, and a layer takes a time that is the square of the strength of its branch. If the value
// matrices are s times the identity, u grows by s per unit of time, and a layer takes a time that is the
// strength of its branch. The distance of the tokens shrinks by the factor e^(-u). The result is NaN for
// networks other than attention alone with post-norm.
func (s *setting) collapse() float64 {
	n := s.network
	if n.Norm != network.PostNorm || !n.AttentionOnly || n.Attention != network.QueriesKeys ||
		n.GainControl || n.Projection || !(n.AlphaSA > 0) {
		return math.NaN()
	}
	step, layers := s.Branches[0]/n.AlphaSA, float64(n.Layers)
	if n.Values == network.IdentityValues {
		return layers * step * math.Sqrt(n.Value2)
	}
	d := float64(n.Dim)
	return layers * step * step * (d - 2) / 2 * n.Value2 / d
}
