package train

import (
	"math"

	"antipode/sde/network"
)

// collapse is u, by how much artanh of the overlap of two tokens that are not yet alike grows from the first
// layer to the last at initialisation, in the limit of weak layers and even attention: of values with entries
// of variance v it grows by (d-2)/2·v a unit of time, of which a layer takes the square of its branch's
// strength; of the identity times s by s a unit, of which a layer takes the strength. Tokens have come
// together to e^(-u) of their distance. NaN for other networks than attention alone with post-norm.
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
