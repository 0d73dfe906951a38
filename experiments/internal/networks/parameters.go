package networks

import (
	"errors"
	"math"
	"slices"
	"strings"

	"antipode/experiments/parameter"
	"antipode/internal/lists"
	"antipode/overlap/propagation"
)

// The greatest number and the greatest dimension of simulated networks.
const (
	MostNetworks = 1_000_000
	MostDim      = 1 << 16
)

// WeightBeta is the name of the parameter of the scale β of query and key weights. In version 0.3.0 the name
// was beta; now the name beta stands for the inverse temperature with tokens of length 1.
const WeightBeta = "weight-beta"

// The ranges of the parameters of a Transformer at initialisation.
var (
	BetaRange     = parameter.Range{Low: 0, High: 1000}
	VarianceRange = parameter.Range{Low: 0, High: propagation.MaxVariance}
	AlphaRange    = parameter.Range{Low: 0, High: propagation.MaxAlpha}
)

func realParameter(name, meaning string, field *float64, allowed parameter.Range) parameter.Parameter {
	return parameter.Parameter{Name: name, Meaning: meaning, Value: parameter.Real(field, allowed)}
}

// StartParameter returns the parameter of the overlap p of the input tokens.
func StartParameter(field *float64) parameter.Parameter {
	return realParameter("start", "overlap p of the input tokens, whose squared norm per dimension is q = 1",
		field, parameter.Range{Low: 0, High: 1})
}

// SigmaB2Parameter returns the parameter of the variance σ_b² of the biases of the MLP.
func SigmaB2Parameter(field *float64) parameter.Parameter {
	return realParameter("sigma-b2", "variance of the MLP's biases, σ_b²", field, VarianceRange)
}

// SigmaV2Parameter returns the parameter σ_v² of the value weights, d times the variance of an entry.
func SigmaV2Parameter(field *float64) parameter.Parameter {
	return realParameter("sigma-v2", "d times the variance of value weights, σ_v²", field, VarianceRange)
}

// AlphaMLPParameter returns the parameter of the strength α of the residual connection around the MLP.
func AlphaMLPParameter(field *float64) parameter.Parameter {
	return realParameter("alpha-mlp", "strength α of the MLP's residual connection", field, AlphaRange)
}

// ActivationParameter returns the parameter of the activation function of the MLP.
func ActivationParameter(field *string) parameter.Parameter {
	return parameter.Parameter{
		Name: "activation", Meaning: "activation of the MLP",
		Value: parameter.Choice{Field: field, Names: propagation.ActivationNames},
	}
}

// DimParameter returns the parameter of the dimension d of the tokens of simulated networks.
func DimParameter(field *int64) parameter.Parameter {
	return parameter.Parameter{
		Name: "dim", Meaning: "dimension d of simulated networks",
		Value: parameter.Whole(field, parameter.Range{Low: 3, High: MostDim}),
	}
}

// TokensValue returns a parameter value that is a number of tokens, or inf for infinitely many tokens. A nil
// number stands for inf.
func TokensValue(field **int64) parameter.Value {
	return tokenCount{parameter.OptionalWhole(field, "inf",
		parameter.Range{Low: 2, High: propagation.MaxCrossTokens})}
}

type tokenCount struct{ parameter.Value }

func (v tokenCount) Bounds() parameter.Range { return v.Value.(parameter.Bounded).Bounds() }

func (v tokenCount) Absent() string { return v.Value.(parameter.Optional).Absent() }

func (tokenCount) Placeholder() string { return "TOKENS" }

// TokensOrInfinite returns a number of tokens as a float64, which is infinite if the argument is nil.
func TokensOrInfinite(tokens *int64) float64 {
	if tokens == nil {
		return math.Inf(1)
	}
	return float64(*tokens)
}

// CheckScores returns an error for a β at which the attention scores of T tokens are beyond the range of the
// theory. The theory of infinitely many tokens, for which tokens is nil, has no such range.
func CheckScores(betas []float64, tokens *int64) error {
	if tokens == nil {
		return nil
	}
	for _, beta := range betas {
		if s := propagation.ScoreDeviation(beta, float64(*tokens), 1, 0); s > propagation.MaxCrossDeviation {
			return parameter.Errorf(WeightBeta, beta, "scores of %d tokens would have standard deviation "+
				"%.4g; must be at most %d", *tokens, s, propagation.MaxCrossDeviation)
		}
	}
	return nil
}

// KindOf returns the kind of Transformer block with the given name, one of propagation.KindNames.
func KindOf(name string) propagation.Kind {
	return propagation.Kind(slices.Index(propagation.KindNames, name))
}

// ActivationOf returns the activation function with the given name, one of propagation.ActivationNames.
func ActivationOf(name string) propagation.Activation {
	return propagation.Activation(slices.Index(propagation.ActivationNames, name))
}

// EvenGrid returns the n+1 evenly spaced numbers 0, top/n, ..., top.
func EvenGrid(top float64, n int) []float64 {
	return lists.Of(n+1, func(k int) float64 { return float64(top*float64(k)) / float64(n) })
}

// Reason expresses an error of package propagation in terms of the parameters of the experiment.
func Reason(err error) string {
	if errors.Is(err, propagation.ErrVanished) {
		return "the tokens become 0, which cannot be normalised; alpha-sa, alpha-mlp or start must be above 0"
	}
	return strings.TrimPrefix(err.Error(), "propagation: ") + "; must be smaller, or the layers fewer"
}
