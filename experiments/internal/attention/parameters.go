package attention

import (
	"slices"

	"antipode/experiments/parameter"
	"antipode/sde/matrices"
)

// DenseTokens is the number of rows of the largest attention matrix of which all singular values are
// computed.
const DenseTokens = 2000

// AttentionParameter returns the parameter that lists the kinds of attention matrices.
func AttentionParameter(field *[]matrices.Attention) parameter.Parameter {
	return parameter.Parameter{
		Name: "attention",
		Meaning: "attention matrices: markov has independent positive entries, with each row divided by " +
			"its sum; softmax, linear, sigmoid and relu are the softmax, the identity function, the " +
			"logistic function and the positive part of key-query scores; identity is the identity matrix",
		Value: parameter.NamedList(field, matrices.AttentionNames),
	}
}

// LawParameter returns the parameter of the law of the entries of Markov matrices. The parameter has an
// effect only if one of the kinds of attention is a Markov matrix.
func LawParameter(field *matrices.Law, attention []matrices.Attention) parameter.Parameter {
	return parameter.Parameter{
		Name: "law", Meaning: "law of the entries of a markov matrix",
		Value: parameter.Named{Field: field, Names: matrices.LawNames},
		Inapplicable: parameter.Unless(slices.Contains(attention, matrices.Markov),
			"no attention is markov, whose entries have the law; must be left out"),
	}
}

// The meanings of the parameters for the spectral gap and for value matrices.
const (
	GapMeaning = "the gap between the largest singular value and the bulk of the others: keep; remove, by " +
		"subtracting from each row its mean, which is A - 11ᵀ/T where rows sum to 1; remove-uniform, A - " +
		"11ᵀ/T as printed in the paper; remove-outliers, all singular values beyond the bulk"
	ValuesMeaning = "value matrices: independent standard normal entries, or √D times an orthogonal matrix"
)

// SamplesParameter returns the parameter of the number of independent random networks.
func SamplesParameter(field *int64) parameter.Parameter {
	return parameter.Parameter{
		Name: "samples", Meaning: "number of independent networks",
		Value: parameter.Whole(field, parameter.Range{Low: 1, High: 1_000_000}),
	}
}

// Problem returns a *parameter.Error, of the parameter with the given name and value, for an invalid network.
func Problem(name string, value any, err error) error {
	return parameter.Errorf(name, value, "%v", err)
}

// TooDeep returns the *parameter.Error for a network whose signal vanishes or overflows before the last
// layer.
func TooDeep(n matrices.Network, err error) error {
	return parameter.Errorf("layers", n.Layers, "%v; must be fewer", err)
}

// HasTheory reports whether the theory of layers of attention covers a network. The theory covers products of
// Markov attention matrices and Gaussian value matrices, with one head and without a skip connection or
// LayerNorm. The theory does not cover networks whose outliers are removed.
func HasTheory(n matrices.Network) bool {
	return n.Attention == matrices.Markov && !n.Skip && !n.LayerNorm && n.Heads == 1 &&
		n.Gap != matrices.RemoveOutliers && n.Values == matrices.GaussianValues
}
