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

// Derivatives holds the columns of derivatives of the antipodal probability at infinite depth and horizon.
type Derivatives struct {
	_         struct{}         `meaning:"derivative of p_antipodal with respect to β; null where it is not"`
	_         struct{}         `meaning:"known"`
	ByBeta    theory.Estimated `column:"dp_dbeta"`
	_         struct{}         `meaning:"derivative of p_antipodal with respect to the noise amplitude ε of"`
	_         struct{}         `meaning:"the hybrid model; null where it is not known"`
	ByEpsilon theory.Estimated `column:"dp_depsilon"`
	_         struct{}         `meaning:"derivative of p_antipodal with respect to the standard deviation of"`
	_         struct{}         `meaning:"the entries of value matrices, or to a common factor of dependent"`
	_         struct{}         `meaning:"entries, at the given covariance; null where it is not known"`
	BySigma   theory.Estimated `column:"dp_dsigma"`
	_         struct{}         `meaning:"number of trajectories at β, and as many at β + 0.01, that suffice"`
	_         struct{}         `meaning:"to tell the two values of β apart by the fractions of antipodal"`
	_         struct{}         `meaning:"trajectories: at the given depth, or if the derivative there is"`
	_         struct{}         `meaning:"unknown at the horizon, or else in the limit; for another"`
	_         struct{}         `meaning:"difference of β this number is proportional to its inverse square;"`
	_         struct{}         `meaning:"null where no derivative is known, or the derivative is 0"`
	Telling   float64          `column:"trajectories_dbeta,nullable"`
}

// LaterDerivatives holds the columns of derivatives of the antipodal probability at a horizon and at a depth.
type LaterDerivatives struct {
	AtHorizon DerivativesAt `column:"horizon" meaning:"horizon"`
	AtDepth   DerivativesAt `column:"depth" meaning:"depth"`
}

// DerivativesAt holds the columns of derivatives of the antipodal probability, either at a horizon or at a
// depth.
type DerivativesAt struct {
	_         struct{}         `meaning:"derivative of p_antipodal_@ with respect to β; null where it is not"`
	_         struct{}         `meaning:"known to 1e-3"`
	ByBeta    theory.Estimated `column:"dp_dbeta_@"`
	_         struct{}         `meaning:"derivative of p_antipodal_@ with respect to the noise amplitude ε"`
	_         struct{}         `meaning:"of the hybrid model; null where it is not known to 1e-3"`
	ByEpsilon theory.Estimated `column:"dp_depsilon_@"`
	_         struct{}         `meaning:"derivative of p_antipodal_@ with respect to the standard deviation"`
	_         struct{}         `meaning:"of the entries of value matrices, or to a common factor of"`
	_         struct{}         `meaning:"dependent entries, at the given covariance; null where it is not"`
	_         struct{}         `meaning:"known to 1e-3"`
	BySigma   theory.Estimated `column:"dp_dsigma_@"`
}

// derivatives returns the parameter of the switch that adds derivatives of the antipodal probability to the
// table.
func (o *Experiment) derivatives() parameter.Parameter {
	return parameter.Parameter{Name: "derivatives",
		Meaning: "adds the derivatives of P(antipodal) with respect to β, ε and σ, in the limit, at " +
			"the horizon and at the depth, and the number of trajectories needed to tell β from a nearby β",
		Value: parameter.Switch{On: &o.Derivatives},
		Inapplicable: parameter.Unless(o.differentiable(), "derivatives are not known with random "+
			"queries and keys, nor with a covariance beside an MLP or a drift; must be left out beside them")}
}

// differentiable reports whether derivatives of the antipodal probability are available for the cells of the
// experiment.
func (o *Experiment) differentiable() bool {
	return !o.resampled() && (o.beside().None() || o.Covariance == invariant.Ginibre)
}

// showsDerivatives reports whether derivatives are requested and available.
func (o *Experiment) showsDerivatives() bool { return o.Derivatives && o.differentiable() }

// fillDerivatives sets the derivatives of the antipodal probability in a row. fillDerivatives also sets the
// number of trajectories with which a simulation can distinguish β from a nearby value.
func (o *Experiment) fillDerivatives(r *fullRow, diffusion *overlap.Diffusion) {
	if !o.showsDerivatives() {
		return
	}
	q := theory.Question{Tolerance: o.Tolerance}
	var recursion *exactlaw.Recursion
	if o.Horizon != nil {
		q.Horizon = *o.Horizon
	}
	if o.atDepth() {
		q.Layers = setting.CheckedLayers(*o.Depth, *o.Horizon)
		recursion, _ = o.recursionAt(int(r.Dim), r.Beta) // nil if no law at the depth is available
	}
	for by, into := range map[overlap.Parameter][3]*theory.Estimated{
		overlap.ByBeta:    {&r.ByBeta, &r.AtHorizon.ByBeta, &r.AtDepth.ByBeta},
		overlap.ByEpsilon: {&r.ByEpsilon, &r.AtHorizon.ByEpsilon, &r.AtDepth.ByEpsilon},
		overlap.BySigma:   {&r.BySigma, &r.AtHorizon.BySigma, &r.AtDepth.BySigma},
	} {
		d := q.Derivative(diffusion, recursion, o.Z0, by)
		for k, value := range []overlap.Derivative{d.Limit, d.Horizon, d.Depth} {
			*into[k] = theory.Estimated(value)
		}
	}
	r.Telling = r.telling()
}

// tellingDifference is the difference in β between two cells that a simulation is to distinguish.
const tellingDifference = 0.01

// telling returns the number of trajectories with which a simulation can distinguish β from a nearby value.
// The number is computed from the derivative of the antipodal probability at the depth; if this is not known,
// at the horizon; and if this is not known either, at infinite depth and horizon. The number is NaN if no
// derivative is known, or if the derivative is 0.
func (r *fullRow) telling() float64 {
	for _, at := range [][2]float64{{r.DepthAntipodal, r.AtDepth.ByBeta.Value},
		{r.AntipodalHorizon, r.AtHorizon.ByBeta.Value}, {r.Antipodal, r.ByBeta.Value}} {
		if p, slope := at[0], at[1]; p == p && slope == slope {
			other := min(1, max(0, p+float64(tellingDifference*slope)))
			return data.FiniteOrNaN(overlap.Trajectories(p, other))
		}
	}
	return math.NaN()
}

// derivativeLines returns the lines of the report on the derivatives of the antipodal probability in a row.
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
	for _, at := range []struct {
		place                      string
		byBeta, byEpsilon, bySigma theory.Estimated
	}{
		{"", r.ByBeta, r.ByEpsilon, r.BySigma},
		{horizon, r.AtHorizon.ByBeta, r.AtHorizon.ByEpsilon, r.AtHorizon.BySigma},
		{depth, r.AtDepth.ByBeta, r.AtDepth.ByEpsilon, r.AtDepth.BySigma},
	} {
		names := [3]string{"β", "ε", "σ"}
		for k, d := range [3]theory.Estimated{at.byBeta, at.byEpsilon, at.bySigma} {
			if !math.IsNaN(d.Value) && !(d.Value == 0 && d.Error == 0) {
				lines = append(lines, fmt.Sprintf("dP(antipodal)/d%s%s = %.10g, estimated error %.1g",
					names[k], at.place, d.Value, d.Error))
			}
		}
	}
	if horizon != "" && math.IsNaN(r.AtHorizon.ByBeta.Value) {
		lines = append(lines, "dP(antipodal)/dβ"+horizon+" is unknown: "+o.noHorizonDerivative())
	}
	if depth != "" && math.IsNaN(r.AtDepth.ByBeta.Value) {
		lines = append(lines, "dP(antipodal)/dβ"+depth+" is unknown: the derivative is known where the law "+
			"is, for equal clusters that stay opposite, and for layers that do not turn tokens around")
	}
	if r.Telling < 1e15 {
		lines = append(lines, fmt.Sprintf("%s each distinguish β = %s from %s (level 5 %%, power 80 %%)",
			wording.Count(int64(r.Telling), "trajectory"), parameter.FormatReal(r.Beta),
			parameter.FormatReal(r.Beta+tellingDifference)))
	}
	return lines
}

// noHorizonDerivative states why the derivative of the antipodal probability at the horizon is not known.
func (o *Experiment) noHorizonDerivative() string {
	switch {
	case !o.equalMasses():
		return "the derivative for clusters of unequal size is not known"
	case o.Epsilon != nil && o.Epsilon[0] == 0:
		return "there is no noise"
	}
	return fmt.Sprintf("the law is not known, or the derivative is not known to "+
		"%.0g", theory.LargestDerivativeError)
}
