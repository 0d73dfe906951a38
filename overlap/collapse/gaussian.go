package collapse

import (
	"fmt"
	"math"
)

// Gaussian is the law of tokens of Section 3.3: coordinates are normal with mean 0, those of
// different dimensions independent, the same one of two tokens with correlation ρ.
type Gaussian struct {
	Tokens, Dim int
	Variance    float64 // σ_x², from 0
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

// common is 1 + ρ(n-1): n times the variance of a coordinate of the mean token, over σ_x².
func (g Gaussian) common() float64 { return 1 + float64(g.Correlation*float64(g.Tokens-1)) }

// ValueGradient returns E‖∂S/∂W_V‖² = σ_x²d²(1 + ρ(n-1)) of uniform attention, (17).
func (g Gaussian) ValueGradient() (float64, error) {
	d := float64(g.Dim)
	return float64(g.Variance * d * d * g.common()), g.check()
}

// QueryGradient returns E‖∂S/∂W_Q‖² of uniform attention with Xavier weights and scores
// multiplied by τ, (18) and (46) with the factor that they lack,
//
//	τ²σ_x⁶ (n-1)/n (1-ρ)² d(n+d) · (1 + 4(1-ρ)/nd).
//
// Rotated so that the mean is one token, ‖XᵀLX‖² is a form of degree 4 in the (n-1)d other
// normal coordinates, and so E‖LX‖²‖XᵀLX‖² = ((n-1)d + 4)(1-ρ)σ_x² E‖XᵀLX‖². The gradient of
// key weights has the same mean.
func (g Gaussian) QueryGradient(temperature float64) (float64, error) {
	if !(math.Abs(temperature) <= math.MaxFloat64) {
		return 0, fmt.Errorf("collapse: temperature factor τ = %v is not allowed: it must be finite",
			temperature)
	}
	n, d, rest := float64(g.Tokens), float64(g.Dim), 1-g.Correlation
	size := float64(temperature*temperature*g.Variance*g.Variance*g.Variance) *
		float64((n-1)*rest*rest*d*(n+d)) / n
	return float64(size * (1 + float64(4*rest)/float64(n*d))), g.check()
}

// Temperature returns the factor τ of the scores at which the gradients of queries and of
// values have the same size, (47), with the factor of QueryGradient. It is an error where
// that of queries is 0.
func (g Gaussian) Temperature() (float64, error) {
	queries, err := g.QueryGradient(1)
	if err != nil {
		return 0, err
	}
	values, err := g.ValueGradient()
	if err != nil {
		return 0, err
	}
	if queries == 0 {
		return 0, fmt.Errorf("collapse: variance %v and correlation %v are not allowed: "+
			"without gradients of queries no temperature matches those of values", g.Variance, g.Correlation)
	}
	return math.Sqrt(values / queries), nil
}

// Distance returns E‖A - 1/n‖² to first order, over such tokens and over Glorot's weights, with
// keys of dimension d_k: the mean of Scores.Distance,
//
//	σ_k⁴σ_x⁴/n² (n-1)d(1-ρ) (nd + 2(1-ρ)).
func (g Gaussian) Distance(keyDim int) (float64, error) {
	if keyDim < 1 {
		return 0, fmt.Errorf("collapse: key dimension %d is not allowed: it must be at least 1", keyDim)
	}
	n, d, rest := float64(g.Tokens), float64(g.Dim), 1-g.Correlation
	size := Glorot(g.Dim, keyDim) * g.Variance / n
	return float64(size*size) * float64((n-1)*d*rest) * (float64(n*d) + float64(2*rest)), g.check()
}

// Glorot is the variance 2/(d_v+d_k) of query and key weights between d_v and d_k dimensions.
func Glorot(dim, keyDim int) float64 { return 2 / float64(dim+keyDim) }

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
