package overlap

import "antipode/overlap"

// Row is a row of the table of experiment overlap: the predictions of the theory at one point (d, β), or (d,
// β, ε), of the grid.
type Row struct {
	Dim              int32            `column:"dim" meaning:"dimension d of the tokens"`
	Beta             float64          `column:"beta" meaning:"inverse temperature β"`
	_                struct{}         `meaning:"noise amplitude ε of the hybrid model"`
	Epsilon          float64          `column:"epsilon,nullable"`
	_                struct{}         `meaning:"overlap of the two tokens at time 0; null for independent"`
	_                struct{}         `meaning:"uniform tokens"`
	Z0               float64          `column:"z0,nullable"`
	_                struct{}         `meaning:"largest inverse temperature β at which overlap -1 begins or"`
	_                struct{}         `meaning:"ceases to attract at infinite depth; for value matrices with"`
	_                struct{}         `meaning:"independent entries, overlap -1 attracts above"`
	_                struct{}         `meaning:"arccosh(d-2)/2; null if there is no such β: for independent"`
	_                struct{}         `meaning:"entries and d = 2, where overlap -1 attracts at every β; for"`
	_                struct{}         `meaning:"clusters of unequal size, for which it never attracts; for"`
	_                struct{}         `meaning:"random queries and keys; and for the hybrid model"`
	BetaC            float64          `column:"beta_c,nullable"`
	_                struct{}         `meaning:"largest inverse temperature β at which overlap -1 begins or"`
	_                struct{}         `meaning:"ceases to attract at the given depth; null without a depth,"`
	_                struct{}         `meaning:"if there is no such β, for random queries and keys, and, if"`
	_                struct{}         `meaning:"entries of value matrices are dependent, where the noise of"`
	_                struct{}         `meaning:"a layer is too large"`
	BetaCDepth       float64          `column:"beta_c_depth,nullable"`
	_                struct{}         `meaning:"Lyapunov exponent of two opposite tokens: per layer at the"`
	_                struct{}         `meaning:"given depth; per unit of time without a depth, with an MLP"`
	_                struct{}         `meaning:"or a drift, and for the hybrid model; null for clusters of"`
	_                struct{}         `meaning:"unequal size, for an MLP that moves tokens away from"`
	_                struct{}         `meaning:"opposition, if the noise of a layer is too large with"`
	_                struct{}         `meaning:"dependent entries of value matrices or with random queries"`
	_                struct{}         `meaning:"and keys, and beyond 1.8e308"`
	Lyapunov         float64          `column:"lyapunov,nullable"`
	_                struct{}         `meaning:"Feller class of overlap 1, a boundary of the diffusion of"`
	_                struct{}         `meaning:"the overlap at infinite depth"`
	PlusOne          overlap.Boundary `column:"plus_one"`
	_                struct{}         `meaning:"Feller class of overlap -1, a boundary of the diffusion of"`
	_                struct{}         `meaning:"the overlap at infinite depth"`
	MinusOne         overlap.Boundary `column:"minus_one"`
	_                struct{}         `meaning:"probability of the antipodal outcome (two opposite clusters)"`
	_                struct{}         `meaning:"at infinite depth and time"`
	Antipodal        float64          `column:"p_antipodal,nullable"`
	_                struct{}         `meaning:"probability of a single cluster at infinite depth and time"`
	Single           float64          `column:"p_single,nullable"`
	_                struct{}         `meaning:"mean passage time of the overlap of two clusters from -1 to"`
	_                struct{}         `meaning:"0, at infinite depth; null where opposite clusters stay"`
	_                struct{}         `meaning:"opposite, as clusters of equal size do without an MLP, and"`
	_                struct{}         `meaning:"where times are beyond the range of float64 (1.8e308)"`
	Lifetime         float64          `column:"lifetime,nullable" unit:"units of time"`
	_                struct{}         `meaning:"natural logarithm of the mean passage time of the overlap of"`
	_                struct{}         `meaning:"two clusters from -1 to 0; null where opposite clusters stay"`
	_                struct{}         `meaning:"opposite"`
	LogLifetime      float64          `column:"log_lifetime,nullable"`
	_                struct{}         `meaning:"inverse of the rate at which the probability of opposite"`
	_                struct{}         `meaning:"clusters decays in the end; null where opposite clusters"`
	_                struct{}         `meaning:"stay opposite, beyond 1.8e308, and if it is not accurate to"`
	_                struct{}         `meaning:"1e-6"`
	DecayTime        float64          `column:"decay_time,nullable" unit:"units of time"`
	_                struct{}         `meaning:"probability of an overlap ≤ -1+τ at the horizon, at infinite"`
	_                struct{}         `meaning:"depth; null if no horizon is given, or if the probability is"`
	_                struct{}         `meaning:"not accurate to 1e-3"`
	AntipodalHorizon float64          `column:"p_antipodal_horizon,nullable"`
	_                struct{}         `meaning:"probability of an overlap ≥ 1-τ at the horizon, at infinite"`
	_                struct{}         `meaning:"depth; null if no horizon is given, or if the probability is"`
	_                struct{}         `meaning:"not accurate to 1e-3"`
	SingleHorizon    float64          `column:"p_single_horizon,nullable"`
	_                struct{}         `meaning:"estimated absolute error of p_antipodal_horizon and"`
	_                struct{}         `meaning:"p_single_horizon: the larger of the errors of those that are"`
	_                struct{}         `meaning:"not null; null if both are null"`
	HorizonError     float64          `column:"p_horizon_error,nullable"`
	_                struct{}         `meaning:"exponential rate of growth of the distance between two"`
	_                struct{}         `meaning:"tokens of one cluster, beside an opposite cluster of equal"`
	_                struct{}         `meaning:"size, at infinite depth; null for clusters of unequal size,"`
	_                struct{}         `meaning:"for an MLP that moves tokens away from opposition, and for"`
	_                struct{}         `meaning:"random queries and keys"`
	Within           float64          `column:"exponent_within,nullable" unit:"per unit of time"`
	_                struct{}         `meaning:"spread S of random queries and keys above which overlap -1"`
	_                struct{}         `meaning:"does not attract; 0 where overlap -1 attracts at no S; null"`
	_                struct{}         `meaning:"without --boundary, where no S ends the attraction, and for"`
	_                struct{}         `meaning:"antisymmetric value matrices"`
	SpreadC          float64          `column:"spread_c,nullable"`
	_                struct{}         `meaning:"exponential rate of growth of the distance of two clusters"`
	_                struct{}         `meaning:"of equal size from exact opposition, at infinite depth; null"`
	_                struct{}         `meaning:"for clusters of unequal size and for an MLP that moves"`
	_                struct{}         `meaning:"tokens away from opposition"`
	Between          float64          `column:"exponent_between,nullable" unit:"per unit of time"`
	_                struct{}         `meaning:"exact probability of an overlap ≤ -1+τ at the given depth"`
	_                struct{}         `meaning:"and horizon; null unless both are given, and where the"`
	_                struct{}         `meaning:"probability is not known to 1e-5"`
	DepthAntipodal   float64          `column:"p_antipodal_depth,nullable"`
	_                struct{}         `meaning:"exact probability of an overlap ≥ 1-τ at the given depth and"`
	_                struct{}         `meaning:"horizon; null unless both are given, and where the"`
	_                struct{}         `meaning:"probability is not known to 1e-5"`
	DepthSingle      float64          `column:"p_single_depth,nullable"`
	_                struct{}         `meaning:"estimated absolute error of p_antipodal_depth and"`
	_                struct{}         `meaning:"p_single_depth: the larger of the errors of those that are"`
	_                struct{}         `meaning:"not null; null if both are null"`
	DepthError       float64          `column:"p_depth_error,nullable"`
}

// BlockRow is a row of the table with an MLP or a drift. BlockRow also describes the stationary law of the
// overlap, which exists if neither overlap -1 nor overlap 1 is attracting.
type BlockRow struct {
	Row
	_          struct{} `meaning:"mean overlap of the stationary law of the overlap; null where overlap 1 or"`
	_          struct{} `meaning:"-1 attracts, or where the law is too steep to be integrated"`
	LimitMean  float64  `column:"overlap_limit,nullable"`
	_          struct{} `meaning:"inverse of the rate at which the law of the overlap approaches its"`
	_          struct{} `meaning:"stationary law in the end; null where overlap 1 or -1 attracts, and where"`
	_          struct{} `meaning:"the rate is not found"`
	Relaxation float64  `column:"relaxation_time,nullable" unit:"units of time"`
}

// BoundaryRow is a row of the table of the boundary of attraction with an MLP. The row says at which
// strengths and variances of the MLP overlap -1 or overlap 1 becomes attracting or ceases to be attracting.
type BoundaryRow struct {
	BlockRow
	_                 struct{} `meaning:"strength c of the MLP above which overlap -1 attracts; 0 where"`
	_                 struct{} `meaning:"overlap -1 attracts for the smallest strength; null where it"`
	_                 struct{} `meaning:"attracts for no strength"`
	AntipodalLow      float64  `column:"c_antipodal_low,nullable"`
	_                 struct{} `meaning:"strength c of the MLP below which overlap -1 attracts; null where"`
	_                 struct{} `meaning:"overlap -1 attracts for the largest strength, or for no strength"`
	AntipodalHigh     float64  `column:"c_antipodal_high,nullable"`
	_                 struct{} `meaning:"largest variance w of the MLP's pre-activations at which overlap -1"`
	_                 struct{} `meaning:"begins or ceases to attract; null where there is no such variance"`
	_                 struct{} `meaning:"from 1e-4 to 1e4"`
	AntipodalVariance float64  `column:"w_antipodal,nullable"`
	_                 struct{} `meaning:"strength c of the MLP above which overlap +1 attracts; 0 where"`
	_                 struct{} `meaning:"overlap +1 attracts for the smallest strength; null where it"`
	_                 struct{} `meaning:"attracts for no strength"`
	SingleLow         float64  `column:"c_single_low,nullable"`
	_                 struct{} `meaning:"strength c of the MLP below which overlap +1 attracts; null where"`
	_                 struct{} `meaning:"overlap +1 attracts for the largest strength, or for no strength"`
	SingleHigh        float64  `column:"c_single_high,nullable"`
	_                 struct{} `meaning:"largest variance w of the MLP's pre-activations at which overlap +1"`
	_                 struct{} `meaning:"begins or ceases to attract; null where there is no such variance"`
	_                 struct{} `meaning:"from 1e-4 to 1e4"`
	SingleVariance    float64  `column:"w_single,nullable"`
}
