package overlap

import "antipode/overlap"

// Row is a row of the table of experiment overlap: the predictions of the theory at one point (d, β), or (d,
// β, ε), of the grid.
type Row struct {
	Dim              int32            `column:"dim" meaning:"dimension d of the tokens"`
	Beta             float64          `column:"beta" meaning:"inverse temperature β"`
	_                struct{}         `meaning:"noise amplitude ε of the hybrid model, if there are"`
	_                struct{}         `meaning:"several"`
	Epsilon          float64          `column:"epsilon,nullable"`
	_                struct{}         `meaning:"overlap at time 0; null for independent uniform tokens"`
	Z0               float64          `column:"z0,nullable"`
	_                struct{}         `meaning:"the largest β at which overlap -1 begins or ceases to"`
	_                struct{}         `meaning:"attract; for independent entries it attracts above"`
	_                struct{}         `meaning:"arccosh(d-2)/2; null if there is no such β: for"`
	_                struct{}         `meaning:"independent entries and d = 2, where it attracts at every"`
	_                struct{}         `meaning:"β, for unequal masses, where it never attracts, and for"`
	_                struct{}         `meaning:"the hybrid model"`
	BetaC            float64          `column:"beta_c,nullable"`
	_                struct{}         `meaning:"the same as beta_c, at the given depth; null if no depth"`
	_                struct{}         `meaning:"is given, for random queries and keys, and if the noise of"`
	_                struct{}         `meaning:"a layer is too large for a covariance"`
	BetaCDepth       float64          `column:"beta_c_depth,nullable"`
	_                struct{}         `meaning:"Lyapunov exponent of the antipodal pair: per layer at the"`
	_                struct{}         `meaning:"given depth; per unit of time without a depth and for the"`
	_                struct{}         `meaning:"hybrid model; null for unequal masses, if the noise of a"`
	_                struct{}         `meaning:"layer is too large for a covariance or for random queries"`
	_                struct{}         `meaning:"and keys, and beyond 1.8e308"`
	Lyapunov         float64          `column:"lyapunov,nullable"`
	PlusOne          overlap.Boundary `column:"plus_one" meaning:"Feller class of overlap 1"`
	MinusOne         overlap.Boundary `column:"minus_one" meaning:"Feller class of overlap -1"`
	_                struct{}         `meaning:"probability of the antipodal outcome"`
	Antipodal        float64          `column:"p_antipodal,nullable"`
	Single           float64          `column:"p_single,nullable" meaning:"probability of a single cluster"`
	_                struct{}         `meaning:"mean passage time of the overlap from -1 to 0; null for"`
	_                struct{}         `meaning:"equal masses, and beyond 1.8e308 or where times are beyond"`
	_                struct{}         `meaning:"float64"`
	Lifetime         float64          `column:"lifetime,nullable" unit:"units of time"`
	_                struct{}         `meaning:"natural logarithm of the lifetime; null for equal masses"`
	LogLifetime      float64          `column:"log_lifetime,nullable"`
	_                struct{}         `meaning:"inverse of the final decay rate of the antipodal state;"`
	_                struct{}         `meaning:"null for equal masses, beyond 1.8e308, and if it is not"`
	_                struct{}         `meaning:"accurate to 1e-6"`
	DecayTime        float64          `column:"decay_time,nullable" unit:"units of time"`
	_                struct{}         `meaning:"probability of an overlap ≤ -1+τ at the horizon; null if"`
	_                struct{}         `meaning:"no horizon is given, or if it is not accurate to 1e-3"`
	AntipodalHorizon float64          `column:"p_antipodal_horizon,nullable"`
	_                struct{}         `meaning:"probability of an overlap ≥ 1-τ at the horizon; null if no"`
	_                struct{}         `meaning:"horizon is given, or if it is not accurate to 1e-3"`
	SingleHorizon    float64          `column:"p_single_horizon,nullable"`
	_                struct{}         `meaning:"estimated absolute error of the theory at the horizon: the"`
	_                struct{}         `meaning:"largest error of its columns that are not null; null if"`
	_                struct{}         `meaning:"all are null"`
	HorizonError     float64          `column:"p_horizon_error,nullable"`
	_                struct{}         `meaning:"exponent of the distance of two tokens within one of two"`
	_                struct{}         `meaning:"opposite clusters of equal size, whatever their size, at"`
	_                struct{}         `meaning:"infinite depth; null for unequal masses"`
	Within           float64          `column:"exponent_within,nullable" unit:"per unit of time"`
	_                struct{}         `meaning:"spread S of random queries and keys above which overlap -1"`
	_                struct{}         `meaning:"does not attract, 0 where it never does, for --boundary;"`
	_                struct{}         `meaning:"null where none is asked, no S ends it, or values are"`
	_                struct{}         `meaning:"antisymmetric"`
	SpreadC          float64          `column:"spread_c,nullable"`
	_                struct{}         `meaning:"exponent of the distance of two such clusters from"`
	_                struct{}         `meaning:"opposition, at infinite depth; null for unequal masses"`
	Between          float64          `column:"exponent_between,nullable" unit:"per unit of time"`
	_                struct{}         `meaning:"probability of an overlap ≤ -1+τ at the given depth and"`
	_                struct{}         `meaning:"horizon, exact; null where not both are given, or where it"`
	_                struct{}         `meaning:"is not known to 1e-5"`
	DepthAntipodal   float64          `column:"p_antipodal_depth,nullable"`
	_                struct{}         `meaning:"probability of an overlap ≥ 1-τ at the given depth and"`
	_                struct{}         `meaning:"horizon, exact; null where not both are given, or where it"`
	_                struct{}         `meaning:"is not known to 1e-5"`
	DepthSingle      float64          `column:"p_single_depth,nullable"`
	_                struct{}         `meaning:"estimated absolute error of the theory at this depth, the"`
	_                struct{}         `meaning:"greater of those that are there; null where none is"`
	DepthError       float64          `column:"p_depth_error,nullable"`
}

// BlockRow is a row of the table with an MLP or a drift. BlockRow also describes the stationary law of the
// overlap, which exists if neither overlap -1 nor overlap 1 is attracting.
type BlockRow struct {
	Row
	_          struct{} `meaning:"mean overlap of the stationary law; null where an end attracts"`
	LimitMean  float64  `column:"overlap_limit,nullable"`
	_          struct{} `meaning:"inverse of the rate at which the stationary law is reached in the end;"`
	_          struct{} `meaning:"null where an end attracts, and where it is not found"`
	Relaxation float64  `column:"relaxation_time,nullable" unit:"units of time"`
}

// BoundaryRow is a row of the table of the boundary of attraction with an MLP. The row says at which
// strengths and variances of the MLP overlap -1 or overlap 1 becomes attracting or ceases to be attracting.
type BoundaryRow struct {
	BlockRow
	_                 struct{} `meaning:"strength c of the MLP above which overlap -1 attracts, 0 where it"`
	_                 struct{} `meaning:"does for the least; null where it attracts for none"`
	AntipodalLow      float64  `column:"c_antipodal_low,nullable"`
	_                 struct{} `meaning:"strength below which it does; null where it does for the greatest,"`
	_                 struct{} `meaning:"or for none"`
	AntipodalHigh     float64  `column:"c_antipodal_high,nullable"`
	_                 struct{} `meaning:"the largest variance w of pre-activations at which overlap -1"`
	_                 struct{} `meaning:"begins"`
	_                 struct{} `meaning:"or ceases to attract; null where there is none from 1e-4 to 1e4"`
	AntipodalVariance float64  `column:"w_antipodal,nullable"`
	SingleLow         float64  `column:"c_single_low,nullable" meaning:"as c_antipodal_low, of overlap +1"`
	SingleHigh        float64  `column:"c_single_high,nullable" meaning:"as c_antipodal_high, of overlap +1"`
	SingleVariance    float64  `column:"w_single,nullable" meaning:"as w_antipodal, of overlap +1"`
}
