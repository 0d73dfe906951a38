package clustering

import (
	"fmt"

	"antipode/sde"
)

// The names of the recursions over layers.
var (
	transformerName = sde.Transformer{}.String()
	hybridName      = sde.Hybrid{}.String()
	flowName        = sde.Flow{}.String()
)

// modelSetting is what parameters say of a model: its name, and of each kind of model what is
// its own. The standard deviation of the entries of a value matrix is 1.
type modelSetting struct {
	name    string
	law     sde.Law // of a recursion
	epsilon float64 // of the hybrids
	scheme  sde.Scheme
	noise   sde.Noise
}

// model is the model of a name, which must be one of sde.ModelNames.
func (s modelSetting) model() sde.Model {
	for _, m := range []sde.Model{
		sde.Transformer{Law: s.law, Sigma: 1},
		sde.Hybrid{Law: s.law, Epsilon: s.epsilon},
		sde.Flow{Scheme: s.scheme},
		sde.TransformerSDE{Sigma: 1, Scheme: s.scheme, Noise: s.noise},
		sde.HybridSDE{Epsilon: s.epsilon, Scheme: s.scheme, Noise: s.noise},
	} {
		if m.String() == s.name {
			return m
		}
	}
	panic(fmt.Sprintf("clustering: there is no model %q", s.name))
}
