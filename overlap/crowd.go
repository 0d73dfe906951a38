package overlap

import "fmt"

// CrowdRate returns the exponential growth rate, per unit of time, of the mean m of many tokens under
// random value matrices: the expected growth of log |m| while |m| is small and the tokens are otherwise
// uniform on the unit sphere of R^dim. For N independent uniform tokens, |m| starts at about N^(-1/2), so
// the time at which one side wins grows like log N / (2 CrowdRate).
//
// Let d = dim, let I_ν be the modified Bessel function, ρ_n = I_{n+d/2-1}(β)/I_{d/2-1}(β), c = ρ₁ and k = c +
// ρ₂ - c². A mean m changes the attention field A(x) = cx by (1-ρ₂)m + d(k-c)⟨m,x⟩x. Under softmax attention,
// m then satisfies
//
//	dm = σ[g dW - h(tr dW + dWᵀ)]m - σ²(d-1)/2 [c² + 2c(1-ρ₂+d(k-c))/d] m dt,
//	g = (1-ρ₂)(1-1/d) + k(d+1)/(d+2), h = k/(d+2).
//
// The growth rate is exact for β = 0, where the rate is σ²(1-1/d)²(d-2)/2. For β > 0 the growth rate is exact
// to first order in c, at times ≪ 1/(σc)², before the common noise stretches the distribution of the tokens
// along a line. CrowdRate returns an error if dim < 2, if beta is not in [0, MaxBeta] or if sigma is not
// positive and finite.
func CrowdRate(dim int, beta, sigma float64) (float64, error) {
	if err := checkTokens(dim, beta, Softmax); err != nil {
		return 0, err
	}
	if err := checkSigma(sigma); err != nil {
		return 0, fmt.Errorf("rate of a crowd: %w", err)
	}
	d := float64(dim)
	half := float64(0.5 * d)
	c := besselRatio(half-1, beta)
	second := float64(c * besselRatio(half, beta))
	k := c + second - float64(c*c)
	g, h := float64((1-second)*(1-1/d))+float64(k*(d+1)/(d+2)), k/(d+2)
	apart := 1 - second + float64(d*(k-c))
	drift := float64(-0.5 * (d - 1) * (float64(c*c) + float64(2*c*apart)/d))
	squares, product := float64(h*h), float64(g*h)
	// whole is the variance of the change of the mean m, divided by |m|². along is the variance of the
	// component of the change of m along m, divided by |m|².
	whole := float64(d*g*g) + float64((2*d+2)*squares) - float64(4*product)
	along := float64((g-h)*(g-h)) + float64(d*squares) - float64(2*(g-h)*h)
	return sigma * sigma * (drift + float64(0.5*whole) - along), nil
}

// besselRatio returns the ratio I_{ν+1}(x)/I_ν(x) of modified Bessel functions of the given order ν, computed
// from a continued fraction of the ratio.
func besselRatio(order, x float64) float64 {
	terms := 40 + int(x)
	ratio := 0.0
	for n := terms; n >= 1; n-- {
		ratio = x / (float64(2*(order+float64(n))) + float64(x*ratio))
	}
	return ratio
}
