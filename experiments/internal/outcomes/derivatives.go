package outcomes

import "antipode/experiments/theory"

// Derivatives holds the columns of the derivatives of antipodal probabilities with respect to a parameter.
type Derivatives struct {
	_       struct{}         `meaning:"derivative of p_limit with respect to @, from theory; null where it"`
	_       struct{}         `meaning:"is not known to 1e-3"`
	Limit   theory.Estimated `column:"dp_d@"`
	_       struct{}         `meaning:"derivative of p_antipodal_horizon with respect to @, from theory;"`
	_       struct{}         `meaning:"null where it is not known to 1e-3"`
	Horizon theory.Estimated `column:"dp_d@_horizon"`
	_       struct{}         `meaning:"derivative of p_antipodal_depth with respect to @, from theory; null"`
	_       struct{}         `meaning:"where it is not known to 1e-3"`
	Depth   theory.Estimated `column:"dp_d@_depth"`
}

// LeastSeen is the least number of antipodal trajectories, and also of other trajectories, from which a
// derivative of the antipodal probability is estimated. With fewer trajectories the standard error of the
// derivative is not reliable.
const LeastSeen = 20

// DerivativesOf returns the columns of the derivatives of the theory.
func DerivativesOf(d theory.Derivative) Derivatives {
	return Derivatives{Limit: theory.Estimated(d.Limit), Horizon: theory.Estimated(d.Horizon),
		Depth: theory.Estimated(d.Depth)}
}
