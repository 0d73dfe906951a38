package training

import (
	"math"

	"antipode/sphere/elementary"
)

// Rule is the rule by which an optimiser updates weights w from gradients g.
type Rule int

// The rules of optimisers update weights w with learning rate η. The moments m and v of the gradient g are
// initially 0.
//
// SGD, stochastic gradient descent, is w ← w - ηg.
//
// Momentum is m ← μm + g and w ← w - ηm.
//
// Adam is m ← β₁m + (1-β₁)g, v ← β₂v + (1-β₂)g² and w ← w - η m̂/(√v̂ + ε). At step t, m̂ = m/(1-β₁ᵗ) and v̂
// = v/(1-β₂ᵗ) (Kingma and Ba 2015).
//
// In the rules SGD, Momentum and Adam, weight decay λ adds λw to g. AdamW is Adam, except that λw is added to
// m̂/(√v̂ + ε) instead of g (Loshchilov and Hutter 2019).
const (
	SGD Rule = iota
	Momentum
	Adam
	AdamW
)

// RuleNames are the names of the rules of optimisers, in the order of the constants.
var RuleNames = []string{"sgd", "momentum", "adam", "adamw"}

// String returns the name of the rule.
func (r Rule) String() string { return RuleNames[r] }

// moments returns the number of moments that the rule stores for each weight.
func (r Rule) moments() int { return [...]int{0, 1, 2, 2}[r] }

// Optimiser is a rule by which weights are updated, with the constants of the rule.
type Optimiser struct {
	Rule     Rule
	Momentum float64 // constant μ of Momentum, in [0, 1)
	Beta1    float64 // constants β₁ and β₂ of Adam and AdamW, in [0, 1)
	Beta2    float64
	Epsilon  float64 // constant ε of Adam and AdamW, positive
	Decay    float64 // weight decay λ, at least 0, for the parameters to which it applies
}

// stepper is an optimiser at one particular step of training.
type stepper struct {
	Optimiser
	rate          float64 // learning rate η
	factor        float64 // factor that clips the gradients
	first, second float64 // corrections 1-β₁ᵗ and 1-β₂ᵗ of the moments at step t
}

// at returns the optimiser at a step of training, counted from 1.
func (o Optimiser) at(step int64, rate, factor float64) stepper {
	return stepper{o, rate, factor, oneMinusPower(o.Beta1, step), oneMinusPower(o.Beta2, step)}
}

// oneMinusPower returns 1-xⁿ for n ≥ 1.
func oneMinusPower(x float64, n int64) float64 {
	if x == 0 {
		return 1
	}
	return -elementary.Expm1(float64(n) * elementary.Log(x))
}

// move updates the weights, and the moments m and v of the rule, from the gradients; decay is the weight
// decay.
func (s *stepper) move(weights, gradients, m, v []float64, decay float64) {
	gradients = gradients[:len(weights)]
	switch s.Rule {
	case SGD:
		for k, w := range weights {
			weights[k] = math.FMA(-s.rate, math.FMA(decay, w, float64(s.factor*gradients[k])), w)
		}
	case Momentum:
		m = m[:len(weights)]
		for k, w := range weights {
			m[k] = math.FMA(s.Momentum, m[k], math.FMA(decay, w, float64(s.factor*gradients[k])))
			weights[k] = math.FMA(-s.rate, m[k], w)
		}
	case Adam:
		s.adam(weights, gradients, m, v, decay, 0)
	case AdamW:
		s.adam(weights, gradients, m, v, 0, decay)
	}
}

// adam applies the rule Adam or AdamW. The weight decay is inGradients for Adam, with apart = 0; it is apart
// for AdamW, with inGradients = 0.
func (s *stepper) adam(weights, gradients, m, v []float64, inGradients, apart float64) {
	m, v = m[:len(weights)], v[:len(weights)]
	first, second := 1/s.first, 1/s.second
	for k, w := range weights {
		g := math.FMA(inGradients, w, float64(s.factor*gradients[k]))
		m[k] = math.FMA(s.Beta1, m[k], float64((1-s.Beta1)*g))
		v[k] = math.FMA(s.Beta2, v[k], float64(float64((1-s.Beta2)*g)*g))
		move := float64(m[k]*first) / (math.Sqrt(float64(v[k]*second)) + s.Epsilon)
		weights[k] = math.FMA(-s.rate, math.FMA(apart, w, move), w)
	}
}
