package propagation

import "antipode/sphere/elementary"

// digamma is ψ(x) = Γ'(x)/Γ(x) for x > 0, by ψ(x) = ψ(x+1) - 1/x up to where the
// asymptotic series with Bernoulli's numbers has an error below 1e-17.
func digamma(x float64) float64 {
	shift := 0.0
	for ; x < 16; x++ {
		shift += 1 / x
	}
	r := 1 / float64(x*x)
	series := 0.0
	coefficients := [...]float64{
		-1. / 12, 691. / 32760, -1. / 132, 1. / 240, -1. / 252, 1. / 120, -1. / 12,
	}
	for _, c := range coefficients {
		series = float64(series*r) + c
	}
	return elementary.Log(x) - 0.5/x + float64(series*r) - shift
}
