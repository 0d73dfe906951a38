package overlap

import (
	"fmt"
	"math"

	"antipode/data"
	"antipode/experiments/parameter"
	"antipode/experiments/setting"
	"antipode/experiments/theory"
	"antipode/experiments/wording"
	"antipode/overlap"
	"antipode/overlap/exactlaw"
	"antipode/sphere/invariant"
)

// Derivatives are the columns of a table with derivatives.
type Derivatives struct {
	_              struct{} `meaning:"derivative of p_antipodal by β, or null"`
	ByBeta         float64  `column:"dp_dbeta,nullable"`
	ByBetaError    float64  `column:"dp_dbeta_error,nullable" meaning:"estimated absolute error"`
	_              struct{} `meaning:"the same by ε of the hybrid"`
	ByEpsilon      float64  `column:"dp_depsilon,nullable"`
	ByEpsilonError float64  `column:"dp_depsilon_error,nullable" meaning:"estimated absolute error"`
	_              struct{} `meaning:"the same by σ of values at σ = 1"`
	BySigma        float64  `column:"dp_dsigma,nullable"`
	BySigmaError   float64  `column:"dp_dsigma_error,nullable" meaning:"estimated absolute error"`
	_              struct{} `meaning:"trajectories in each of two cells that tell β from β + 0.01, by"`
	_              struct{} `meaning:"their fractions at the depth, or at the horizon, or in the limit;"`
	_              struct{} `meaning:"other differences by their inverse square; null: none"`
	Telling        float64  `column:"trajectories_dbeta,nullable"`
}

// LaterDerivatives are the columns of a table with derivatives at a horizon, and at a depth.
type LaterDerivatives struct {
	_                     struct{} `meaning:"derivative of p_antipodal_horizon by β;"`
	_                     struct{} `meaning:"null where it is not known to 1e-3"`
	HorizonByBeta         float64  `column:"dp_dbeta_horizon,nullable"`
	_                     struct{} `meaning:"estimated absolute error"`
	HorizonByBetaError    float64  `column:"dp_dbeta_horizon_error,nullable"`
	_                     struct{} `meaning:"derivative of p_antipodal_horizon by ε of the hybrid;"`
	_                     struct{} `meaning:"null where it is not known to 1e-3"`
	HorizonByEpsilon      float64  `column:"dp_depsilon_horizon,nullable"`
	_                     struct{} `meaning:"estimated absolute error"`
	HorizonByEpsilonError float64  `column:"dp_depsilon_horizon_error,nullable"`
	_                     struct{} `meaning:"derivative of p_antipodal_horizon by σ of values at σ = 1;"`
	_                     struct{} `meaning:"null where it is not known to 1e-3"`
	HorizonBySigma        float64  `column:"dp_dsigma_horizon,nullable"`
	_                     struct{} `meaning:"estimated absolute error"`
	HorizonBySigmaError   float64  `column:"dp_dsigma_horizon_error,nullable"`
	_                     struct{} `meaning:"derivative of p_antipodal_depth by β;"`
	_                     struct{} `meaning:"null where it is not known to 1e-3"`
	DepthByBeta           float64  `column:"dp_dbeta_depth,nullable"`
	_                     struct{} `meaning:"estimated absolute error"`
	DepthByBetaError      float64  `column:"dp_dbeta_depth_error,nullable"`
	_                     struct{} `meaning:"derivative of p_antipodal_depth by ε of the hybrid;"`
	_                     struct{} `meaning:"null where it is not known to 1e-3"`
	DepthByEpsilon        float64  `column:"dp_depsilon_depth,nullable"`
	_                     struct{} `meaning:"estimated absolute error"`
	DepthByEpsilonError   float64  `column:"dp_depsilon_depth_error,nullable"`
	_                     struct{} `meaning:"derivative of p_antipodal_depth by σ of values at σ = 1;"`
	_                     struct{} `meaning:"null where it is not known to 1e-3"`
	DepthBySigma          float64  `column:"dp_dsigma_depth,nullable"`
	_                     struct{} `meaning:"estimated absolute error"`
	DepthBySigmaError     float64  `column:"dp_dsigma_depth_error,nullable"`
}

// derivatives is the parameter of the derivatives.
func (o *Experiment) derivatives() parameter.Parameter {
	return parameter.Parameter{Name: "derivatives",
		Meaning: "adds the derivatives of P(antipodal) with respect to β, ε and σ, in the limit, at " +
			"the horizon and at the depth, and the number of trajectories needed to tell β from a nearby β",
		Value: parameter.Switch{On: &o.Derivatives},
		Inapplicable: parameter.Unless(o.differentiable(), "they are not known with random queries and "+
			"keys, nor with a covariance beside an MLP or a drift; must be left out beside them")}
}

// differentiable reports whether the derivatives are known for such a question.
func (o *Experiment) differentiable() bool {
	return !o.resampled() && (o.beside().None() || o.Covariance == invariant.Ginibre)
}

// showsDerivatives reports whether derivatives are asked for, and apply.
func (o *Experiment) showsDerivatives() bool { return o.Derivatives && o.differentiable() }

// fillDerivatives fills in the derivatives of the probability of the antipodal outcome, and what tells β.
func (o *Experiment) fillDerivatives(r *fullRow, diffusion *overlap.Diffusion) error {
	if !o.showsDerivatives() {
		return nil
	}
	q := theory.Question{Tolerance: o.Tolerance}
	var recursion *exactlaw.Recursion
	if o.Horizon != nil {
		q.Horizon = *o.Horizon
	}
	if o.atDepth() {
		var err error
		if q.Layers, err = setting.Layers(*o.Depth, *o.Horizon); err != nil {
			return err
		}
		if recursion, err = o.recursionAt(int(r.Dim), r.Beta); err != nil {
			recursion = nil // which has no law either
		}
	}
	for by, into := range map[overlap.Parameter][6]*float64{
		overlap.ByBeta: {&r.ByBeta, &r.ByBetaError, &r.HorizonByBeta, &r.HorizonByBetaError,
			&r.DepthByBeta, &r.DepthByBetaError},
		overlap.ByEpsilon: {&r.ByEpsilon, &r.ByEpsilonError, &r.HorizonByEpsilon, &r.HorizonByEpsilonError,
			&r.DepthByEpsilon, &r.DepthByEpsilonError},
		overlap.BySigma: {&r.BySigma, &r.BySigmaError, &r.HorizonBySigma, &r.HorizonBySigmaError,
			&r.DepthBySigma, &r.DepthBySigmaError},
	} {
		d := q.Derivative(diffusion, recursion, o.Z0, by)
		for k, value := range []overlap.Derivative{d.Limit, d.Horizon, d.Depth} {
			*into[2*k], *into[2*k+1] = value.Value, value.Error
		}
	}
	r.Telling = r.telling()
	return nil
}

// tellingDifference is that in β of the two cells which so many trajectories tell apart.
const tellingDifference = 0.01

// telling is the number of trajectories that tell β, by the probability that is nearest to a run: that at the
// depth, or at the horizon, or in the limit. NaN if none of their derivatives is known, or if it is 0.
func (r *fullRow) telling() float64 {
	for _, at := range [][2]float64{{r.DepthAntipodal, r.DepthByBeta}, {r.AntipodalHorizon, r.HorizonByBeta},
		{r.Antipodal, r.ByBeta}} {
		if p, slope := at[0], at[1]; p == p && slope == slope {
			other := min(1, max(0, p+float64(tellingDifference*slope)))
			return data.FiniteOrNaN(overlap.Trajectories(p, other))
		}
	}
	return math.NaN()
}

// derivativeLines are what the report says of the derivatives of a row.
func (o *Experiment) derivativeLines(r fullRow) (lines []string) {
	if !o.showsDerivatives() {
		return nil
	}
	horizon, depth := "", ""
	if o.Horizon != nil {
		horizon = " at time " + parameter.FormatReal(*o.Horizon)
	}
	if o.atDepth() {
		depth = fmt.Sprintf(" at depth %d", *o.Depth)
	}
	for _, d := range []struct {
		place, name    string
		value, failure float64
	}{
		{"", "β", r.ByBeta, r.ByBetaError},
		{"", "ε", r.ByEpsilon, r.ByEpsilonError},
		{"", "σ", r.BySigma, r.BySigmaError},
		{horizon, "β", r.HorizonByBeta, r.HorizonByBetaError},
		{horizon, "ε", r.HorizonByEpsilon, r.HorizonByEpsilonError},
		{horizon, "σ", r.HorizonBySigma, r.HorizonBySigmaError},
		{depth, "β", r.DepthByBeta, r.DepthByBetaError},
		{depth, "ε", r.DepthByEpsilon, r.DepthByEpsilonError},
		{depth, "σ", r.DepthBySigma, r.DepthBySigmaError},
	} {
		if !math.IsNaN(d.value) && !(d.value == 0 && d.failure == 0) {
			lines = append(lines, fmt.Sprintf("dP(antipodal)/d%s%s = %.10g, estimated error %.1g",
				d.name, d.place, d.value, d.failure))
		}
	}
	if horizon != "" && math.IsNaN(r.HorizonByBeta) {
		lines = append(lines, "dP(antipodal)/dβ"+horizon+" is unknown: "+o.noHorizonDerivative())
	}
	if depth != "" && math.IsNaN(r.DepthByBeta) {
		lines = append(lines, "dP(antipodal)/dβ"+depth+" is unknown: it is known where the law is, for "+
			"equal clusters that stay opposite, and for layers that do not turn tokens around")
	}
	if r.Telling < 1e15 {
		lines = append(lines, fmt.Sprintf("%s each tell β = %s from %s (level 5 %%, power 80 %%)",
			wording.Count(int64(r.Telling), "trajectory"), parameter.FormatReal(r.Beta),
			parameter.FormatReal(r.Beta+tellingDifference)))
	}
	return lines
}

// noHorizonDerivative says why that at the horizon is not known.
func (o *Experiment) noHorizonDerivative() string {
	switch {
	case !o.equalMasses():
		return "that of unequal masses is not known"
	case o.Epsilon != nil && o.Epsilon[0] == 0:
		return "there is no noise"
	}
	return fmt.Sprintf("the law is not, or it is not known to %.0g", theory.LargestDerivativeError)
}
