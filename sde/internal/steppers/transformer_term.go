package steppers

import (
	"antipode/sde/internal/attention"
	"antipode/sde/internal/increments"
	"antipode/sde/internal/linear"
	"antipode/sphere"
	"antipode/sphere/invariant"
)

// MatrixNoise describes the noise of eq. (6), a matrix-valued Brownian motion W times σ.
type MatrixNoise struct {
	Sigma       float64
	Covariance  invariant.Covariance // covariance of the increments of W, per unit of time
	Independent bool                 // whether each token has its own W
}

// transformerNoise holds what the Itô and the Stratonovich form of eq. (6) have in common: the diffusion σ
// P_i[dW A_i], where A_i is the attention of token Y_i and P_i the projection to the tangent space at Y_i.
// The increment of a step is that of a d×d matrix W with independent entries, row-major. If the noise is
// independent, the increment consists of N such matrices, one after the other.
type transformerNoise struct {
	MatrixNoise
	attention *attention.Attention
	field     []float64 // attention A of the tokens, N×d
	together  bool      // whether dW A_i of all tokens is one matrix product
	push      []float64 // dW A_i of one token, d, or with together of all tokens, N×d
	matrix    []float64 // increment dW, d×d; nil if its entries are independent
}

func newTransformerNoise(a *attention.Attention, noise MatrixNoise) transformerNoise {
	tokens, dim := a.Shape()
	s := transformerNoise{MatrixNoise: noise, attention: a, field: make([]float64, tokens*dim),
		together: a.ByProducts() && !noise.Independent && tokens > 1, push: make([]float64, dim)}
	if s.together {
		s.push = make([]float64, tokens*dim)
	}
	if !noise.Covariance.IsGinibre() {
		s.matrix = make([]float64, dim*dim)
	}
	return s
}

// Shape implements Term.
func (s *transformerNoise) Shape() (tokens, dim int) { return s.attention.Shape() }

// NoiseLen implements Term.
func (s *transformerNoise) NoiseLen() int {
	tokens, dim := s.Shape()
	return noiseLen(s.Independent, tokens, dim*dim)
}

// add adds the noise σ P_i[dW A_i] of every token i to dst.
func (s *transformerNoise) add(dst, x, increment []float64) {
	n, d := s.Shape()
	if s.together {
		s.attention.Multiply(s.push, s.mixed(increment, 0), s.field)
	}
	for i := range n {
		from, to := i*d, (i+1)*d
		push := s.push[:d]
		if s.together {
			push = s.push[from:to]
		} else {
			linear.Multiply(push, s.mixed(increment, i), s.field[from:to])
		}
		sphere.Project(push, x[from:to], push)
		linear.AddScaled(dst[from:to], s.Sigma, push)
	}
}

// mixed returns the increment dW that drives token i, with the covariance of the noise. mixed must be called
// for the tokens in their order.
func (s *transformerNoise) mixed(increment []float64, i int) []float64 {
	_, d := s.Shape()
	matrix := ofToken(increment, s.Independent, i, d*d)
	if s.matrix == nil {
		return matrix
	}
	if i == 0 || s.Independent {
		copy(s.matrix, matrix)
		increments.Mix(s.Covariance, s.matrix)
	}
	return s.matrix
}

// TransformerIto is the right-hand side of eq. (6) in the sense of Itô,
//
//	dY_i = -(d-1)σ²/2 |A_i|² Y_i dt + σ P_i[dW A_i].
//
// where A_i is the attention of token Y_i and P_i the projection to the tangent space at Y_i. For independent
// entries of the Brownian motion W, the drift of eq. (6) is only radial. For other covariances of W, with
// coefficients a, b and c, the limit of recursion (4) also has a tangent drift: to second order, normalising
// Y + h moves Y by P h - <Y,h> P h - ½|P h|² Y, and E <Y,dW A> P[dW A] = (b+c) <Y,A> P[A] dt. A numerical
// scheme retracts along the tangent P h instead of h. The retraction reproduces the term -½|P h|² Y, but not
// the term -<Y,h> P h. So the mean of the term -<Y,h> P h is added as a drift:
//
//	dY_i = -(b+c)σ² <Y_i,A_i> P_i[A_i] dt + σ P_i[dW A_i], and the radial drift.
type TransformerIto struct{ transformerNoise }

// NewTransformerIto returns equation (6) in the sense of Itô.
func NewTransformerIto(a *attention.Attention, noise MatrixNoise) *TransformerIto {
	return &TransformerIto{newTransformerNoise(a, noise)}
}

// Calculus implements Term.
func (*TransformerIto) Calculus() (c Ito) { return c }

// Increment implements Term.
func (s *TransformerIto) Increment(dst, x []float64, dt float64, increment []float64) {
	s.attention.Field(s.field, x)
	clear(dst)
	if turn := s.Covariance.B + s.Covariance.C; turn != 0 {
		n, d := s.Shape()
		square := float64(s.Sigma * s.Sigma)
		for i := range n {
			to, token, field := dst[i*d:(i+1)*d], x[i*d:(i+1)*d], s.field[i*d:(i+1)*d]
			sphere.Project(to, token, field)
			linear.Scale(to, -float64(float64(float64(turn*square)*dt)*sphere.Dot(token, field)), to)
		}
	}
	s.add(dst, x, increment)
}

// TransformerStratonovich is the right-hand side of eq. (6) in the sense of Stratonovich, with the notation
// of TransformerIto:
//
//	dY_i = -σ²/2 P_i[Σ_j P_j J_ijᵀ A_j] dt + σ P_i[∘dW A_i],  J_ij = ∂A_i/∂Y_j.
//
// The Stratonovich drift is the Itô drift of (6) minus ½ Σ_ab Dg_ab[g_ab], the sum over the d² entries of W,
// with g_ab,i = σ P_i[e_a] A_ib. The derivative of g_ab,i along h_j = σ P_j[e_a] A_jb has two parts.
//
// The derivative of P_i e_a = e_a - <Y_i,e_a> Y_i is -<h_i,e_a> Y_i - <Y_i,e_a> h_i. Summed over a, <P_i e_a,
// e_a> gives the trace d-1 of P_i and <Y_i,e_a> P_i e_a gives P_i Y_i = 0; and A_ib² summed over b gives
// |A_i|². So the first part is -(d-1)σ²/2 |A_i|² Y_i, which is the whole Itô drift of (6) and cancels it. For
// constant attention the Stratonovich form of (6) has no drift.
//
// The derivative of A_ib is (Σ_j J_ij h_j)_b, which gives σ²/2 Σ_a P_i e_a Σ_j <J_ij P_j e_a, A_j>, which is
// σ²/2 P_i Σ_j P_j J_ijᵀ A_j as Σ_a e_a e_aᵀ is the identity: one product with J is enough, in place of d²
// directions. If the noise is independent, the noise of token i moves only token i, and only the term j = i
// remains.
//
// For other covariances of W with coefficients a, b and c, E W M W w = a Mᵀw + b tr(M) w + c M w for a matrix
// M and a vector w. With M = J_ij P_j and w = A_j, the second part becomes σ²/2 P_i Σ_j [a P_j J_ijᵀ A_j + b
// tr(J_ij P_j) A_j + c J_ij P_j A_j]. The first part is then the radial drift and -(b+c)σ²/2 <Y_i,A_i> P_i
// A_i, which is half of the tangent drift of the Itô form, so the other half remains.
type TransformerStratonovich struct {
	transformerNoise
	derivative *attention.Derivative
	bent       []float64 // a sum over j of the drift, d
}

// NewTransformerStratonovich returns equation (6) in the sense of Stratonovich.
func NewTransformerStratonovich(a *attention.Attention, noise MatrixNoise) *TransformerStratonovich {
	_, dim := a.Shape()
	derivative := attention.NewDerivative(a, noise.Independent)
	return &TransformerStratonovich{newTransformerNoise(a, noise), derivative, make([]float64, dim)}
}

// Calculus implements Term.
func (*TransformerStratonovich) Calculus() (c Stratonovich) { return c }

// Increment implements Term.
func (s *TransformerStratonovich) Increment(dst, x []float64, dt float64, increment []float64) {
	s.attention.Field(s.field, x)
	s.derivative.Prepare(x, s.field)
	n, d := s.Shape()
	factor := float64(float64(-0.5*dt) * float64(s.Sigma*s.Sigma))
	for i := range n {
		to := dst[i*d : (i+1)*d]
		s.derivative.NoiseContraction(to, x, s.field, i)
		if !s.Covariance.IsGinibre() {
			s.bend(to, x, i)
		}
		sphere.Project(to, x[i*d:(i+1)*d], to)
		linear.Scale(to, factor, to)
	}
	s.add(dst, x, increment)
}

// bend turns the sum over j in the Stratonovich drift for independent entries of W into the sum for the
// covariance of W. bend also adds the remaining half of the tangent drift.
func (s *TransformerStratonovich) bend(sum, x []float64, i int) {
	v := s.Covariance
	_, d := s.Shape()
	linear.Scale(sum, v.A, sum)
	if v.B != 0 {
		s.derivative.AlongTraces(s.bent, x, s.field, i)
		linear.AddScaled(sum, v.B, s.bent)
	}
	if v.C != 0 {
		s.derivative.AlongTangents(s.bent, x, s.field, i)
		linear.AddScaled(sum, v.C, s.bent)
	}
	token, field := x[i*d:(i+1)*d], s.field[i*d:(i+1)*d]
	linear.AddScaled(sum, float64((v.B+v.C)*sphere.Dot(token, field)), field)
}
