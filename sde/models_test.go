package sde

// parameters are the parameters of all models; each model uses its own.
type parameters struct {
	law            Law
	scheme         Scheme
	noise          Noise
	sigma, epsilon float64
	covariance     Covariance
}

func parametersOf(m Model) parameters {
	switch m := m.(type) {
	case Transformer:
		return parameters{law: m.Law, sigma: m.Sigma, covariance: m.Covariance}
	case Hybrid:
		return parameters{law: m.Law, epsilon: m.Epsilon}
	case Flow:
		return parameters{scheme: m.Scheme}
	case TransformerSDE:
		return parameters{scheme: m.Scheme, noise: m.Noise, sigma: m.Sigma, covariance: m.Covariance}
	case HybridSDE:
		return parameters{scheme: m.Scheme, noise: m.Noise, epsilon: m.Epsilon}
	}
	panic("no such model")
}

// of returns a model with the type of another one.
func (p parameters) of(kind Model) Model {
	switch kind.(type) {
	case Transformer:
		return Transformer{Law: p.law, Sigma: p.sigma, Covariance: p.covariance}
	case Hybrid:
		return Hybrid{Law: p.law, Epsilon: p.epsilon}
	case Flow:
		return Flow{Scheme: p.scheme}
	case TransformerSDE:
		return TransformerSDE{Sigma: p.sigma, Scheme: p.scheme, Noise: p.noise, Covariance: p.covariance}
	case HybridSDE:
		return HybridSDE{Epsilon: p.epsilon, Scheme: p.scheme, Noise: p.noise}
	}
	panic("no such model")
}

// everyModel holds one model of each type.
var everyModel = []Model{Transformer{}, Hybrid{}, Flow{}, TransformerSDE{}, HybridSDE{}}

// is reports whether a model has a type.
func is[M Model](m Model) bool {
	_, is := m.(M)
	return is
}

// with returns a model with other parameters.
func with(m Model, change func(p *parameters)) Model {
	p := parametersOf(m)
	change(&p)
	return p.of(m)
}

func withLaw(m Model, law Law) Model { return with(m, func(p *parameters) { p.law = law }) }

func withScheme(m Model, scheme Scheme) Model {
	return with(m, func(p *parameters) { p.scheme = scheme })
}

func withNoise(m Model, noise Noise) Model { return with(m, func(p *parameters) { p.noise = noise }) }
