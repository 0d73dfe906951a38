package outcomes

import "antipode/experiments/theory"

// Derivatives holds the columns of the derivatives of antipodal probabilities with respect to a parameter.
type Derivatives struct {
	_       struct{}         `meaning:"derivative of p_limit with respect to @, from"`
	_       struct{}         `meaning:"theory; null where it is not known to 1e-3, as the others"`
	Limit   theory.Estimated `column:"dp_d@"`
	Horizon theory.Estimated `column:"dp_d@_horizon" meaning:"the same of p_antipodal_horizon"`
	Depth   theory.Estimated `column:"dp_d@_depth" meaning:"the same of p_antipodal_depth"`
}

// DerivativesOf returns the columns of the derivatives of the theory.
func DerivativesOf(d theory.Derivative) Derivatives {
	return Derivatives{Limit: theory.Estimated(d.Limit), Horizon: theory.Estimated(d.Horizon),
		Depth: theory.Estimated(d.Depth)}
}
