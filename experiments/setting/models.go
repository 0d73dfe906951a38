package setting

import (
	"fmt"

	"antipode/sde"
)

// The names of the recursions over layers.
var (
	TransformerName = sde.Transformer{}.String()
	HybridName      = sde.Hybrid{}.String()
	FlowName        = sde.Flow{}.String()
)

// ModelSetting is what parameters say of a model: its name, and of each kind of model what is
// its own.
type ModelSetting struct {
	Name    string
	Law     sde.Law // of a recursion
	Sigma   float64 // of the entries of a value matrix
	Epsilon float64 // of the hybrids
	Scheme  sde.Scheme
	Noise   sde.Noise
	// Covariance of value matrices; the zero value for independent entries.
	Covariance Covariance
}

// Model is the model of a name, which must be one of sde.ModelNames.
func (s ModelSetting) Model() sde.Model {
	for _, m := range []sde.Model{
		sde.Transformer{Law: s.Law, Sigma: s.Sigma, Covariance: s.Covariance.Simulated()},
		sde.Hybrid{Law: s.Law, Epsilon: s.Epsilon},
		sde.Flow{Scheme: s.Scheme},
		sde.TransformerSDE{Sigma: s.Sigma, Scheme: s.Scheme, Noise: s.Noise,
			Covariance: s.Covariance.Simulated()},
		sde.HybridSDE{Epsilon: s.Epsilon, Scheme: s.Scheme, Noise: s.Noise},
	} {
		if m.String() == s.Name {
			return m
		}
	}
	panic(fmt.Sprintf("clustering: there is no model %q", s.Name))
}

// Why parameters of the noise have no effect.
const (
	NoAmplitude = "only a hybrid model has a noise amplitude, and none is chosen; must be left out"
	NoMatrices  = "only value matrices have a standard deviation, and no model with them is chosen; " +
		"must be left out"
	NoNoise = "the flow has no noise; must be left out"
)
