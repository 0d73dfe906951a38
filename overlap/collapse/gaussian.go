package collapse

import (
	"fmt"
	"math"
)

// Gaussian is the law of n tokens in Section 3.3: all coordinates are normal with mean 0 and variance σ_x².
// Different coordinates are independent; the same coordinate of two tokens has correlation ρ. Means that
// exceed float64, as σ_x⁶ may, are +Inf, or NaN if they also have a factor 0.
type Gaussian struct {
	Tokens, Dim int
	Variance    float64 // σ_x² ≥ 0
	Correlation float64 // ρ, from -1/(n-1) to 1
}

func (g Gaussian) check() error {
	if err := checkSize(g.Tokens, g.Dim); err != nil {
		return err
	}
	if err := checkVariance("σ_x²", g.Variance); err != nil {
		return err
	}
	if lowest := -1 / float64(g.Tokens-1); !(g.Correlation >= lowest && g.Correlation <= 1) {
		return fmt.Errorf("collapse: correlation ρ = %v is not allowed: "+
			"for %d tokens it must be from %v to 1", g.Correlation, g.Tokens, lowest)
	}
	return nil
}

// meanVariance returns 1 + ρ(n-1), which is n times the variance of a coordinate of the mean token, divided
// by σ_x².
func (g Gaussian) meanVariance() float64 { return 1 + float64(g.Correlation*float64(g.Tokens-1)) }

// ValueGradient returns the mean squared norm E‖∂S/∂W_V‖² = σ_x²d²(1 + ρ(n-1)) of the derivative of the
// output S of uniform attention with respect to the value weights, (17).
func (g Gaussian) ValueGradient() (float64, error) {
	d := float64(g.Dim)
	return float64(g.Variance * d * d * g.meanVariance()), g.check()
}

// QueryGradient returns the mean squared norm E‖∂S/∂W_Q‖² of the derivative of the output S of uniform
// attention with respect to the query weights, for Xavier weights and scores multiplied by τ. The formula is
// (18) and (46) with an additional last factor, which the paper lacks:
//
//	τ²σ_x⁶ (n-1)/n (1-ρ)² d(n+d) · (1 + 4(1-ρ)/nd).
//
// To derive the factor, rotate the tokens so that their mean becomes one token. Then ‖XᵀLX‖² is a homogeneous
// polynomial of degree 4 in the (n-1)d normal coordinates of the other tokens, and so E‖LX‖²‖XᵀLX‖² = ((n-1)d
// + 4)(1-ρ)σ_x² E‖XᵀLX‖². The gradient with respect to the key weights has the same mean.
func (g Gaussian) QueryGradient(temperature float64) (float64, error) {
	if err := checkTemperature(temperature); err != nil {
		return 0, err
	}
	n, d, rest := float64(g.Tokens), float64(g.Dim), 1-g.Correlation
	size := float64(temperature*temperature*g.Variance*g.Variance*g.Variance) *
		float64((n-1)*rest*rest*d*(n+d)) / n
	return float64(size * (1 + float64(4*rest)/float64(n*d))), g.check()
}

// scatterSquare returns E‖XᵀLX‖², the mean squared norm of the scatter matrix of the tokens.
func (g Gaussian) scatterSquare() float64 {
	n, d, rest := float64(g.Tokens), float64(g.Dim), 1-g.Correlation
	return float64(g.Variance*g.Variance*rest*rest) * float64(d*(n-1)*(n+d))
}

// normProduct returns the mean E‖X‖²‖LX‖² for tokens X and L = I - 1/n.
func (g Gaussian) normProduct() float64 {
	n, d, rest := float64(g.Tokens), float64(g.Dim), 1-g.Correlation
	return float64(g.Variance*g.Variance*rest) * float64((n-1)*d*(float64(n*d)+float64(2*rest)))
}

// InputGradient returns the mean squared norm E‖∂S/∂X‖² of the derivative of the output S of uniform
// attention with respect to the tokens X, for Xavier weights and scores multiplied by τ. InputGradient is the
// exact value of (25) and replaces bound (8). The mean is the sum of the mean squared norms of the
// derivatives through queries, keys and values, and of twice the mean inner product of the derivatives
// through queries and keys:
//
//	d + τ²/d² [(d/n + 2/n²) E‖XᵀLX‖² + d/n² E‖X‖²‖LX‖²],
//	E‖XᵀLX‖² = σ_x⁴(1-ρ)² d(n-1)(n+d),  E‖X‖²‖LX‖² = σ_x⁴(1-ρ) d(n-1)(nd + 2(1-ρ)).
func (g Gaussian) InputGradient(temperature float64) (float64, error) {
	if err := checkTemperature(temperature); err != nil {
		return 0, err
	}
	n, d := float64(g.Tokens), float64(g.Dim)
	scores := float64((d/n+2/float64(n*n))*g.scatterSquare()) + float64(d/float64(n*n)*g.normProduct())
	return d + float64(temperature*temperature/float64(d*d)*scores), g.check()
}

// PrintedInputBound returns bound (8) on InputGradient at τ = 1 as printed, 8 E‖XᵀLX‖²/nd + 2d. Bound (8)
// assumes by (36) that the derivative through keys is as large as that through queries. So bound (8) fails if
// 1-ρ is below d/8(n+d) and σ_x⁴(1-ρ) is far above 1.
func (g Gaussian) PrintedInputBound() (float64, error) {
	n, d := float64(g.Tokens), float64(g.Dim)
	return 8*g.scatterSquare()/float64(n*d) + 2*d, g.check()
}

// Temperature returns the factor τ of the attention scores at which the gradients with respect to queries and
// values have the same size, (47) with the correction of QueryGradient. Temperature returns an error if the
// gradient with respect to queries is 0, or if a gradient exceeds float64.
func (g Gaussian) Temperature() (float64, error) {
	queries, err := g.QueryGradient(1)
	if err != nil {
		return 0, err
	}
	if queries == 0 {
		return 0, fmt.Errorf("collapse: variance %v and correlation %v are not allowed: "+
			"without gradients of queries no temperature matches those of values", g.Variance, g.Correlation)
	}
	values, err := g.ValueGradient()
	if !(queries <= math.MaxFloat64 && values <= math.MaxFloat64) {
		return 0, fmt.Errorf("collapse: variance %v is not allowed: "+
			"the gradients of %d tokens of dimension %d overflow", g.Variance, g.Tokens, g.Dim)
	}
	return math.Sqrt(values / queries), err
}

// Distance returns the mean squared distance E‖A - 1/n‖² of the attention matrix A from uniform attention, to
// lowest order in the scores, for Gaussian tokens, Glorot initialisation and keys of dimension d_k:
//
//	σ_k⁴σ_x⁴/n² (n-1)d(1-ρ) (nd + 2(1-ρ)).
func (g Gaussian) Distance(keyDim int) (float64, error) {
	if keyDim < 1 {
		return 0, fmt.Errorf("collapse: key dimension %d is not allowed: it must be at least 1", keyDim)
	}
	size := Glorot(g.Dim, keyDim) / float64(g.Tokens)
	return float64(size*size) * g.normProduct(), g.check()
}

// DerivativeDistance returns E‖∂A/∂M - I⊗(I-1/n)/n‖², the mean squared distance of the derivative of the
// attention matrix A from that of uniform attention, to lowest order in the scores. DerivativeDistance is
// 1-2/n times Distance. A row δ of A - 1/n, whose sum is 0, changes the derivative of the row by diag(δ) -
// (1δᵀ + δ1ᵀ)/n. Theorem A.2 says that Distance and DerivativeDistance vanish as the key dimension grows.
func (g Gaussian) DerivativeDistance(keyDim int) (float64, error) {
	distance, err := g.Distance(keyDim)
	return float64((1 - 2/float64(g.Tokens)) * distance), err
}

// Glorot returns 2/(d_v+d_k), the variance of Glorot-initialised query and key weights that map d_v = dim to
// d_k = keyDim dimensions.
func Glorot(dim, keyDim int) float64 { return 2 / float64(dim+keyDim) }

func checkTemperature(factor float64) error {
	if !(math.Abs(factor) <= math.MaxFloat64) {
		return fmt.Errorf("collapse: temperature factor τ = %v is not allowed: it must be finite", factor)
	}
	return nil
}

func checkSize(tokens, dim int) error {
	switch {
	case tokens < 2:
		return fmt.Errorf("collapse: %d tokens are not allowed: there must be at least 2", tokens)
	case dim < 1:
		return fmt.Errorf("collapse: dimension %d is not allowed: it must be at least 1", dim)
	}
	return nil
}

func checkVariance(name string, value float64) error {
	if !(value >= 0 && value <= math.MaxFloat64) {
		return fmt.Errorf("collapse: %s = %v is not allowed: it must be finite and not negative", name, value)
	}
	return nil
}
