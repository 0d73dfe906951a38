package outcomes

import "antipode/experiments/theory"

// ByBeta is the columns of the derivatives with respect to β.
type ByBeta struct {
	_            struct{} `meaning:"derivative of p_limit with respect to β, from"`
	_            struct{} `meaning:"theory; null where it is not known to 1e-3, as the others"`
	Limit        float64  `column:"dp_dbeta,nullable"`
	LimitError   float64  `column:"dp_dbeta_error,nullable" meaning:"estimated absolute error"`
	_            struct{} `meaning:"the same of p_antipodal_horizon"`
	Horizon      float64  `column:"dp_dbeta_horizon,nullable"`
	HorizonError float64  `column:"dp_dbeta_horizon_error,nullable" meaning:"estimated absolute error"`
	_            struct{} `meaning:"the same of p_antipodal_depth"`
	Depth        float64  `column:"dp_dbeta_depth,nullable"`
	DepthError   float64  `column:"dp_dbeta_depth_error,nullable" meaning:"estimated absolute error"`
}

// ByEpsilon is the columns of the derivatives with respect to ε.
type ByEpsilon struct {
	_            struct{} `meaning:"derivative of p_limit with respect to the noise amplitude ε, from"`
	_            struct{} `meaning:"theory; null where it is not known to 1e-3, as the others"`
	Limit        float64  `column:"dp_depsilon,nullable"`
	LimitError   float64  `column:"dp_depsilon_error,nullable" meaning:"estimated absolute error"`
	_            struct{} `meaning:"the same of p_antipodal_horizon"`
	Horizon      float64  `column:"dp_depsilon_horizon,nullable"`
	HorizonError float64  `column:"dp_depsilon_horizon_error,nullable" meaning:"estimated absolute error"`
	_            struct{} `meaning:"the same of p_antipodal_depth"`
	Depth        float64  `column:"dp_depsilon_depth,nullable"`
	DepthError   float64  `column:"dp_depsilon_depth_error,nullable" meaning:"estimated absolute error"`
}

// BySigma is the columns of the derivatives with respect to σ.
type BySigma struct {
	_            struct{} `meaning:"derivative of p_limit with respect to σ of values, from"`
	_            struct{} `meaning:"theory; null where it is not known to 1e-3, as the others"`
	Limit        float64  `column:"dp_dsigma,nullable"`
	LimitError   float64  `column:"dp_dsigma_error,nullable" meaning:"estimated absolute error"`
	_            struct{} `meaning:"the same of p_antipodal_horizon"`
	Horizon      float64  `column:"dp_dsigma_horizon,nullable"`
	HorizonError float64  `column:"dp_dsigma_horizon_error,nullable" meaning:"estimated absolute error"`
	_            struct{} `meaning:"the same of p_antipodal_depth"`
	Depth        float64  `column:"dp_dsigma_depth,nullable"`
	DepthError   float64  `column:"dp_dsigma_depth_error,nullable" meaning:"estimated absolute error"`
}

// DerivativesOf is the columns of a theory's derivatives, which convert to those of another parameter.
func DerivativesOf(d theory.Derivative) ByBeta {
	return ByBeta{Limit: d.Limit.Value, LimitError: d.Limit.Error,
		Horizon: d.Horizon.Value, HorizonError: d.Horizon.Error,
		Depth: d.Depth.Value, DepthError: d.Depth.Error}
}
