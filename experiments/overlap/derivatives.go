package overlap

import (
	"fmt"
	"math"

	"antipode/experiments/parameter"
	"antipode/experiments/wording"
	"antipode/overlap"
	"antipode/sphere/invariant"
)

// Derivatives are the columns of a table with derivatives.
type Derivatives struct {
	ByBeta         float64 `column:"dp_dbeta,nullable" meaning:"derivative of p_antipodal by β, or null"`
	ByBetaError    float64 `column:"dp_dbeta_error,nullable" meaning:"estimated absolute error"`
	ByEpsilon      float64 `column:"dp_depsilon,nullable" meaning:"the same by ε of the hybrid"`
	ByEpsilonError float64 `column:"dp_depsilon_error,nullable" meaning:"estimated absolute error"`
	BySigma        float64 `column:"dp_dsigma,nullable" meaning:"the same by σ of values at σ = 1"`
	BySigmaError   float64 `column:"dp_dsigma_error,nullable" meaning:"estimated absolute error"`
}

// derivatives is the parameter of the derivatives.
func (o *Experiment) derivatives() parameter.Parameter {
	return parameter.Parameter{Name: "derivatives",
		Meaning: "derivatives of the limit of P(antipodal) with respect to β, ε and σ, and how many " +
			"trajectories tell β from a β near it",
		Value: parameter.Switch{On: &o.Derivatives},
		Inapplicable: parameter.Unless(o.differentiable(), "they are not known with random queries and keys, nor with a "+
			"covariance beside an MLP or a drift; must be left out beside them")}
}

// differentiable reports whether the derivatives are known for such a question.
func (o *Experiment) differentiable() bool {
	return !o.resampled() && (o.beside().None() || o.Covariance == invariant.Ginibre)
}

// showsDerivatives reports whether derivatives are asked for, and apply.
func (o *Experiment) showsDerivatives() bool { return o.Derivatives && o.differentiable() }

// fillDerivatives fills in the derivatives of the probability of the antipodal outcome.
func (o *Experiment) fillDerivatives(r *fullRow, diffusion *overlap.Diffusion) error {
	if !o.showsDerivatives() {
		return nil
	}
	for by, into := range map[overlap.Parameter][2]*float64{
		overlap.ByBeta:    {&r.ByBeta, &r.ByBetaError},
		overlap.ByEpsilon: {&r.ByEpsilon, &r.ByEpsilonError},
		overlap.BySigma:   {&r.BySigma, &r.BySigmaError},
	} {
		value, known := diffusion.AntipodalUniformDerivative(by)
		if o.Z0 != nil {
			var err error
			if value, known, err = diffusion.AntipodalFromDerivative(*o.Z0, by); err != nil {
				return err
			}
		}
		if known {
			*into[0], *into[1] = value.Value, value.Error
		}
	}
	return nil
}

// derivativeLines are what the report says of the derivatives of a row.
func (o *Experiment) derivativeLines(r fullRow) (lines []string) {
	for _, d := range []struct {
		name           string
		value, failure float64
	}{
		{"β", r.ByBeta, r.ByBetaError},
		{"ε", r.ByEpsilon, r.ByEpsilonError},
		{"σ", r.BySigma, r.BySigmaError},
	} {
		if !math.IsNaN(d.value) && !(d.value == 0 && d.failure == 0) {
			lines = append(lines, fmt.Sprintf("dP(antipodal)/d%s = %.10g, estimated error %.1g",
				d.name, d.value, d.failure))
		}
	}
	const difference = 0.01
	if r.ByBeta == 0 || math.IsNaN(r.ByBeta) {
		return lines
	}
	other := min(1, max(0, r.Antipodal+float64(difference*r.ByBeta)))
	if n := overlap.Trajectories(r.Antipodal, other); n < 1e15 {
		lines = append(lines, fmt.Sprintf("%s each tell β = %s from %s (level 5 %%, power 80 %%)",
			wording.Count(int64(n), "trajectory"), parameter.FormatReal(r.Beta),
			parameter.FormatReal(r.Beta+difference)))
	}
	return lines
}
