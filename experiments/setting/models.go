package setting

import (
	"fmt"
	"slices"

	"antipode/experiments/parameter"
	"antipode/sde"
	"antipode/sphere/invariant"
)

// Model is the name of a kind of model of tokens that move from layer to layer.
type Model string

// The names of the models. Transformer, Hybrid and Flow are recursions over layers; TransformerSDE and
// HybridSDE are the limits of Transformer and Hybrid in continuous time.
const (
	Transformer    Model = "transformer"
	Hybrid         Model = "hybrid"
	Flow           Model = "flow"
	TransformerSDE Model = "transformer-sde"
	HybridSDE      Model = "hybrid-sde"
)

// String returns the name of the model.
func (m Model) String() string { return string(m) }

// UnmarshalText implements encoding.TextUnmarshaler. The text must be one of sde.ModelNames.
func (m *Model) UnmarshalText(text []byte) error {
	if !slices.Contains(sde.ModelNames, string(text)) {
		return fmt.Errorf("model %.40q: must be %s", text, parameter.Choice{Names: sde.ModelNames}.Allowed())
	}
	*m = Model(text)
	return nil
}

// HasValueMatrices reports whether a layer of the model has a random value matrix, so that the covariance and
// standard deviation of the entries of value matrices have an effect.
func (m Model) HasValueMatrices() bool { return m == Transformer || m == TransformerSDE }

// HasAmplitude reports whether a layer of the model has noise with an amplitude ε, as the hybrids have.
func (m Model) HasAmplitude() bool { return m == Hybrid || m == HybridSDE }

// IsRecursion reports whether the model is a recursion over layers, and not a limit in continuous time.
func (m Model) IsRecursion() bool { return m == Transformer || m == Hybrid || m == Flow }

// Law returns the default law of the random increments of the model.
func (m Model) Law() sde.Law {
	if m == Hybrid {
		return sde.Rademacher
	}
	return sde.Gaussian
}

// Noise holds the parameters of a model in addition to its kind. Each kind of model uses some parameters in
// Noise and ignores the others.
type Noise struct {
	Law        sde.Law              // law of the increments of a recursion
	Sigma      float64              // standard deviation of the entries of a value matrix
	Covariance invariant.Covariance // of value matrices; zero for independent entries
	Epsilon    float64              // noise amplitude of the hybrids
	Scheme     sde.Scheme           // numerical scheme of a limit or of the flow
	Shared     sde.Noise            // noise of a limit: common to the tokens or independent
}

// With returns the simulated model of the kind m with the noise n. With panics for a kind that does not
// exist.
func (m Model) With(n Noise) sde.Model {
	switch m {
	case Transformer:
		return sde.Transformer{Law: n.Law, Sigma: n.Sigma, Covariance: n.Covariance}
	case Hybrid:
		return sde.Hybrid{Law: n.Law, Epsilon: n.Epsilon}
	case Flow:
		return sde.Flow{Scheme: n.Scheme}
	case TransformerSDE:
		return sde.TransformerSDE{Sigma: n.Sigma, Scheme: n.Scheme, Noise: n.Shared, Covariance: n.Covariance}
	case HybridSDE:
		return sde.HybridSDE{Epsilon: n.Epsilon, Scheme: n.Scheme, Noise: n.Shared}
	}
	panic(fmt.Sprintf("setting: there is no model %q", m))
}

// The reasons why parameters have no effect on some models, for the field parameter.Parameter.Inapplicable.
const (
	NoAmplitude = "only a hybrid model has a noise amplitude, and none is chosen; must be left out"
	NoMatrices  = "only value matrices have a standard deviation, and no model with them is chosen; " +
		"must be left out"
	NoNoise         = "the flow has no noise; must be left out"
	NoValueMatrices = "only a transformer has value matrices, and none is chosen; must be left out"
)
