package collapse

import (
	"fmt"
	"math"

	"antipode/overlap/propagation"
	"antipode/sphere/elementary"
)

// Stream describes a sequence of n tokens that passes through blocks without LayerNorm, averaged over the
// weights of the blocks.
type Stream struct {
	Tokens int
	Square float64 // E‖X‖², positive
	Inner  float64 // E C(X), the sum of all inner products, n²‖x̄‖², in [0, n·Square]
}

// Alike returns the stream of n tokens that all have squared norm q, and in which any two have inner
// product p.
func Alike(tokens int, q, p float64) Stream {
	n := float64(tokens)
	return Stream{tokens, float64(n * q), float64(n * (q + float64((n-1)*p)))}
}

func (s Stream) check() error {
	switch {
	case s.Tokens < 2:
		return checkSize(s.Tokens, 1)
	case !(s.Square > 0 && s.Square <= math.MaxFloat64):
		return fmt.Errorf("collapse: a squared norm of %v is not allowed: it must be above 0 and finite",
			s.Square)
	case !(s.Inner >= 0 && s.Inner <= float64(float64(s.Tokens)*s.Square)*(1+1e-12)):
		return fmt.Errorf("collapse: a sum of inner products of %v is not allowed: "+
			"it must be from 0 to n‖X‖² = %v", s.Inner, float64(float64(s.Tokens)*s.Square))
	}
	return nil
}

// Correlation returns the mean correlation of different tokens in the sense of Theorem 3.3, (C/‖X‖² -
// 1)/(n-1), where C and ‖X‖² are means. The correlation of Theorem 3.3 equals the mean of the pairwise
// correlations of tokens only if all tokens have the same norm.
func (s Stream) Correlation() float64 {
	return (s.Inner/s.Square - 1) / float64(s.Tokens-1)
}

// Residual holds the squared strengths α₁² of attention and α₂² of the MLP in a block with residual
// connections, Z = α₁S + X and X' = α₂Y + Z.
type Residual struct{ Attention, MLP float64 }

func (r Residual) check() error {
	if err := checkVariance("α₁²", r.Attention); err != nil {
		return err
	}
	return checkVariance("α₂²", r.MLP)
}

// After returns the stream of tokens after L = layers blocks of uniform attention and a linear MLP, with
// weights of variance 1/d. By Lemmas 3.2 and 3.3,
//
//	E C = (1+α₂²)^L (1+α₁²)^L C, E‖X‖² = (1+α₂²)^L [((1+α₁²)^L - 1) C/n + ‖X‖²].
//
// These means are exact for any width of the blocks. After returns an error if a parameter is out of its
// domain or the norm of the tokens overflows.
func (s Stream) After(r Residual, layers int) (Stream, error) {
	if layers < 0 {
		return Stream{}, fmt.Errorf("collapse: %d layers are not allowed: there must be at least 0", layers)
	}
	if err := r.check(); err != nil {
		return Stream{}, err
	}
	depth := float64(layers)
	return s.afterGrowth(float64(depth*elementary.Log1p(r.Attention)), float64(depth*elementary.Log1p(r.MLP)))
}

// Scaled returns the limit of After as L → ∞ with strengths α₁² = attention/L and α₂² = mlp/L: (11) and (13).
// The Correlation of the limit is Theorem 3.3, (15), and is below 1, as e^attention is finite.
func (s Stream) Scaled(total Residual) (Stream, error) {
	if err := total.check(); err != nil {
		return Stream{}, err
	}
	return s.afterGrowth(total.Attention, total.MLP)
}

// afterGrowth returns the stream of tokens after L layers, given log (1+α₁²)^L for attention and log
// (1+α₂²)^L for the MLP.
func (s Stream) afterGrowth(attention, mlp float64) (Stream, error) {
	if err := s.check(); err != nil {
		return Stream{}, err
	}
	const largest = 700
	if !(attention+mlp <= largest) {
		return Stream{}, fmt.Errorf("collapse: the norm of the tokens overflows: it grows like e^%.4g, "+
			"at most e^%d is allowed", attention+mlp, largest)
	}
	next := Stream{
		Tokens: s.Tokens,
		Square: float64(elementary.Exp(mlp) *
			(s.Square + float64(elementary.Expm1(attention)*s.Inner)/float64(s.Tokens))),
		Inner: float64(elementary.Exp(attention+mlp) * s.Inner),
	}
	return next, next.check()
}

// DeepCorrelation returns the limit of the Correlation of tokens as the number L of layers tends to ∞, with
// strengths α₁ and α₂ that do not depend on L, (16). The limit of the correlation is 1, with two exceptions:
// tokens whose sum is 0 keep the correlation -1/(n-1), and without attention, α₁ = 0, the correlation does
// not change.
func (s Stream) DeepCorrelation(r Residual) (float64, error) {
	if err := r.check(); err != nil {
		return 0, err
	}
	if r.Attention == 0 || s.Inner == 0 {
		return s.Correlation(), s.check()
	}
	return 1, s.check()
}

// ReLU returns the stream of tokens after a single block of uniform attention and a ReLU MLP, whose first
// weights have variance 2/d and whose second weights have variance 1/d. The mean norm and inner products hold
// in the limit of wide layers, for tokens that all have the same norm and the same inner products.
// Correlations of tokens grow faster than in After, as the arc-cosine kernel makes all tokens more similar.
func (s Stream) ReLU(r Residual) (Stream, error) {
	if err := r.check(); err != nil {
		return Stream{}, err
	}
	z, err := s.After(Residual{Attention: r.Attention}, 1)
	if err != nil {
		return Stream{}, err
	}
	q := z.Square / float64(z.Tokens)
	p := min(q, float64(q*z.Correlation()))
	kernel := 2 * propagation.ReLU.Kernel(q, max(p, -q))
	y := Alike(z.Tokens, q, kernel)
	return Stream{z.Tokens, z.Square + float64(r.MLP*y.Square), z.Inner + float64(r.MLP*y.Inner)}, nil
}
