package propagation

// The mean participation of one row of attention, Y2, and of two rows, Y, exceed the value 1/T of uniform
// attention by little if the attention scores have a small standard deviation s. The differences Y2 - 1/T and
// Y - 1/T would then consist of rounding errors. For rows whose scores have correlation ρ, the power series
// of the difference in s is
//
//	Y - 1/T = ρ s² (1-Y2)²/(T-1) + ρ² s⁴ (T-1)(T-2)/(2T³) + O(ρ² s⁶),
//
// and Y2 - 1/T is the difference for ρ = 1. The series follows from Hermite's expansion of the product of two
// functions of correlated normal variables: the term of order n in ρ is ρⁿs²ⁿ/n! times the sum of the squares
// of the mean n-th derivatives of the attention weights. The mean first derivatives of a weight with respect
// to the scores sum to (1-Y2)²/(T-1) in square, because by symmetry they are (δ_st - 1/T)(1-Y2)/(T-1). The
// second derivatives are taken at uniform attention.

// The standard deviations of scores below which the series are more accurate than the differences. The errors
// of the differences, relative to 1/T, are below 1e-14 for one row and below 2e-9 for two rows.
const (
	seriesDeviation      = 3e-3
	crossSeriesDeviation = 5e-2
)

// rowExcess returns Y2 - 1/T for a row of T tokens whose scores have the given standard deviation. The
// relative error of rowExcess is below 1e-9.
func rowExcess(tokens, deviation float64, row Row) float64 {
	if deviation < seriesDeviation {
		return excessSeries(tokens, deviation, 1, row)
	}
	return row.Y2 - 1/tokens
}

// crossExcess returns Y - 1/T for two rows of T tokens whose scores have the given standard deviation and the
// correlation ρ, where Y is the argument cross. The relative error of crossExcess is below 1e-5 for ρ ≥ 0.1.
func crossExcess(tokens, deviation, rho float64, row Row, cross float64) float64 {
	if deviation < crossSeriesDeviation {
		return excessSeries(tokens, deviation, rho, row)
	}
	return cross - 1/tokens
}

func excessSeries(tokens, deviation, rho float64, row Row) float64 {
	square := float64(rho * deviation * deviation)
	first := float64(square*(1-row.Y2)*(1-row.Y2)) / (tokens - 1)
	uniform := 1 - 1/tokens
	second := float64(0.5*square*square*uniform) * (tokens - 2) / (tokens * tokens)
	return first + second
}
