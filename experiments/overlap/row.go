package overlap

import (
	"math"

	"antipode/experiments/theory"
	"antipode/overlap"
)

// Row is a row of the table: what the theory says at one (d, β).
type Row struct {
	Dim              int32            `column:"dim" meaning:"dimension d of the tokens"`
	Beta             float64          `column:"beta" meaning:"inverse temperature β"`
	Z0               float64          `column:"z0,nullable" meaning:"overlap at time 0; null for independent uniform tokens"`
	BetaC            float64          `column:"beta_c,nullable" meaning:"the largest β at which overlap -1 begins or ceases to attract; for independent entries it attracts above arccosh(d-2)/2; null where there is none, as for them and d = 2, where it always does, for unequal masses, where it never does, and for the hybrid"`
	BetaCDepth       float64          `column:"beta_c_depth,nullable" meaning:"the same at the given depth; null where none is given, for random queries and keys, and where the noise of a layer is too large for a covariance"`
	Lyapunov         float64          `column:"lyapunov,nullable" meaning:"Lyapunov exponent of the antipodal pair, per layer at the given depth, else, and of the hybrid, per unit of time; null for unequal masses, where the noise of a layer is too large for a covariance or random queries and keys, and beyond 1.8e308"`
	PlusOne          overlap.Boundary `column:"plus_one" meaning:"Feller class of overlap 1"`
	MinusOne         overlap.Boundary `column:"minus_one" meaning:"Feller class of overlap -1"`
	Antipodal        float64          `column:"p_antipodal,nullable" meaning:"probability of the antipodal outcome"`
	Single           float64          `column:"p_single,nullable" meaning:"probability of a single cluster"`
	Lifetime         float64          `column:"lifetime,nullable" unit:"units of time" meaning:"mean passage time of the overlap from -1 to 0; null for equal masses, and beyond 1.8e308 or where times are beyond float64"`
	LogLifetime      float64          `column:"log_lifetime,nullable" meaning:"natural logarithm of the lifetime; null for equal masses"`
	DecayTime        float64          `column:"decay_time,nullable" unit:"units of time" meaning:"inverse of the final decay rate of the antipodal state; null for equal masses, beyond 1.8e308, and where it is not found to 1e-6"`
	AntipodalHorizon float64          `column:"p_antipodal_horizon,nullable" meaning:"probability of an overlap ≤ -1+τ at the horizon; null where none is given, or where it is not known to 1e-3"`
	SingleHorizon    float64          `column:"p_single_horizon,nullable" meaning:"probability of an overlap ≥ 1-τ at the horizon; null where none is given, or where it is not known to 1e-3"`
	HorizonError     float64          `column:"p_horizon_error,nullable" meaning:"estimated absolute error of the theory at the horizon, the greater of those that are there; null where none is"`
	Within           float64          `column:"exponent_within,nullable" unit:"per unit of time" meaning:"exponent of the distance of two tokens within one of two opposite clusters of equal size, whatever their size, at infinite depth; null for unequal masses"`
	SpreadC          float64          `column:"spread_c,nullable" meaning:"spread S of random queries and keys above which overlap -1 does not attract, 0 where it never does, for --boundary; null where none is asked, no S ends it, or values are antisymmetric"`
	Between          float64          `column:"exponent_between,nullable" unit:"per unit of time" meaning:"exponent of the distance of two such clusters from opposition, at infinite depth; null for unequal masses"`
	DepthAntipodal   float64          `column:"p_antipodal_depth,nullable" meaning:"probability of an overlap ≤ -1+τ at the given depth and horizon, exact; null where not both are given, or where it is not known to 1e-5"`
	DepthSingle      float64          `column:"p_single_depth,nullable" meaning:"probability of an overlap ≥ 1-τ at the given depth and horizon, exact; null where not both are given, or where it is not known to 1e-5"`
	DepthError       float64          `column:"p_depth_error,nullable" meaning:"estimated absolute error of the theory at this depth, the greater of those that are there; null where none is"`
}

// newRow is a row in which all that may be null is.
func newRow(d int, beta float64) Row {
	nan := math.NaN()
	r := Row{Dim: int32(d), Beta: beta, Z0: nan, BetaC: nan, BetaCDepth: nan, Lyapunov: nan,
		Within: nan, Between: nan, SpreadC: nan,
		Antipodal: nan, Single: nan, Lifetime: nan, LogLifetime: nan, DecayTime: nan}
	r.setHorizon(theory.Unknown)
	r.setDepth(theory.UnknownDepth)
	return r
}

// setHorizon sets the probabilities at the horizon.
func (r *Row) setHorizon(h theory.Horizon) {
	r.AntipodalHorizon, r.SingleHorizon, r.HorizonError = h.Antipodal, h.Single, h.Error
}

// setDepth sets the probabilities at the depth.
func (r *Row) setDepth(d theory.Depth) {
	r.DepthAntipodal, r.DepthSingle, r.DepthError = d.Antipodal, d.Single, d.Error
}
