package setting

import (
	"antipode/experiments/parameter"
	"antipode/internal/lists"
	"antipode/overlap"
	"antipode/sde"
)

// largestDim is the largest dimension d of tokens.
const largestDim = 10_000

// DimsParameter returns the parameter that lists the dimensions d of tokens in a grid; each d is at least 2.
func DimsParameter(field *[]int) parameter.Parameter {
	return parameter.Parameter{Name: "dim", Meaning: "dimensions d of the tokens",
		Value: parameter.Wholes(field, parameter.Range{Low: 2, High: largestDim})}
}

// DimParameter returns the parameter of a single dimension d of tokens, which is at least 2.
func DimParameter(field *int64) parameter.Parameter {
	return parameter.Parameter{Name: "dim", Meaning: "dimension d of the tokens",
		Value: parameter.Whole(field, parameter.Range{Low: 2, High: largestDim})}
}

// BetasParameter returns the parameter that lists the inverse temperatures β of a grid, each in the range of
// the theory.
func BetasParameter(field *[]float64) parameter.Parameter {
	return parameter.Parameter{Name: "beta", Meaning: "inverse temperatures β",
		Value: parameter.Reals(field, parameter.Range{Low: 0, High: overlap.MaxBeta})}
}

// DepthParameter returns the parameter of the depth L of a simulation, the number of layers per unit of time.
func DepthParameter(field *int64) parameter.Parameter {
	return parameter.Parameter{Name: "depth", Meaning: "depth L", Unit: "layers per unit of time",
		Value: parameter.Whole(field, parameter.Range{Low: 1, High: 1e6})}
}

// AttentionParameter returns the parameter of the kind of attention: softmax or unnormalised.
func AttentionParameter(field *sde.Attention) parameter.Parameter {
	return parameter.Parameter{Name: "attention", Meaning: "kind of attention",
		Value: parameter.Named{Field: field, Names: sde.AttentionNames}}
}

// LawParameter returns the parameter of the law of the entries of a value matrix.
func LawParameter(field *sde.Law) parameter.Parameter {
	return parameter.Parameter{Name: "law", Meaning: "law of the entries of a value matrix",
		Value: parameter.Named{Field: field, Names: sde.LawNames}}
}

// HorizonParameter returns the parameter of the horizon T, the time at which a simulation ends.
func HorizonParameter(field *float64) parameter.Parameter {
	return parameter.Parameter{Name: "horizon", Meaning: "horizon T", Unit: "units of time",
		Value: parameter.Real(field, parameter.Range{Low: 0, High: 1e6, Open: true})}
}

// SigmaParameter returns the parameter of the standard deviation σ of the entries of a value matrix. The
// bounds of σ keep the speed of the limiting diffusion, which grows like σ², within the range of the theory.
func SigmaParameter(field *float64) parameter.Parameter {
	return parameter.Parameter{Name: "sigma",
		Meaning: "standard deviation σ of the entries of a value matrix",
		Value:   parameter.Real(field, parameter.Range{Low: 1e-3, High: 1e3})}
}

// SigmaText returns the text of the standard deviation σ of value matrices in a caption; the text is "" if σ
// = 1.
func SigmaText(sigma float64) string {
	if sigma == 1 {
		return ""
	}
	return ", σ = " + parameter.FormatReal(sigma)
}

// ToleranceParameter returns the parameter of the tolerance τ of the outcomes: an overlap within τ of ±1
// counts as ±1.
func ToleranceParameter(field *float64) parameter.Parameter {
	return parameter.Parameter{Name: "tolerance",
		Meaning: "tolerance τ of the outcomes: an overlap within τ of ±1 counts as ±1",
		Value:   parameter.Real(field, parameter.Range{Low: 1e-12, High: 0.5})}
}

// TrajectoriesParameter returns the parameter of the number of trajectories for each item of an experiment.
// The argument of names the item, such as a cell.
func TrajectoriesParameter(field *int64, of string) parameter.Parameter {
	return parameter.Parameter{Name: "trajectories", Meaning: "number of trajectories per " + of,
		Value: parameter.Whole(field, parameter.Range{Low: 1, High: 1e12})}
}

// Steps returns count consecutive multiples of 1/denominator, beginning with first/denominator. Each multiple
// is computed by one division, so that the result is the float64 nearest to the decimal number that a person
// would write.
func Steps(first, count, denominator int) []float64 {
	return lists.Of(count, func(k int) float64 { return float64(first+k) / float64(denominator) })
}

// UniformStart is the name of the start at which tokens are independent and uniform on the sphere.
const UniformStart = "uniform"
