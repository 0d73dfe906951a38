package sde

import "antipode/sphere"

// transformerNoise is what both forms of eq. (6) share: the diffusion σ P_i[dW A_i].
// The increment is that of W, d×d and row-major, or N such matrices one after the
// other if the noise is independent.
type transformerNoise struct {
	attention *attention
	noise     Noise
	sigma     float64
	field     []float64 // A, N×d
	push      []float64 // dW A_i, d; of all tokens if they are large and the noise is common
}

func newTransformerNoise(c Cell, m TransformerSDE) transformerNoise {
	a, pushed := newAttention(c), c.Dim
	if a.large != nil && m.Noise == CommonNoise {
		pushed *= c.Tokens
	}
	return transformerNoise{a, m.Noise, m.Sigma, make([]float64, c.Tokens*c.Dim), make([]float64, pushed)}
}

func (s *transformerNoise) Shape() (tokens, dim int) { return s.attention.n, s.attention.d }

func (s *transformerNoise) NoiseLen() int {
	return noiseLen(s.noise, s.attention.n, s.attention.d*s.attention.d)
}

// add adds σ P_i[dW A_i] to dst.
func (s *transformerNoise) add(dst, x, increment []float64) {
	d := s.attention.d
	together := s.attention.large != nil && len(s.push) > d
	if together {
		s.attention.large.multiply(s.push, increment, s.field)
	}
	for i := range s.attention.n {
		from, to := i*d, (i+1)*d
		push := s.push[:d]
		if together {
			push = s.push[from:to]
		} else {
			multiply(push, s.noise.of(increment, i, d*d), s.field[from:to])
		}
		sphere.Project(push, x[from:to], push)
		addScaled(dst[from:to], s.sigma, push)
	}
}

// transformerIto is eq. (6):
//
//	dY_i = -(d-1)σ²/2 |A_i|² Y_i dt + σ P_i[dW A_i].
//
// Its drift is radial, and there is no other.
type transformerIto struct{ transformerNoise }

func (*transformerIto) Calculus() (c Ito) { return c }

func (s *transformerIto) Increment(dst, x []float64, _ float64, increment []float64) {
	s.attention.field(s.field, x)
	clear(dst)
	s.add(dst, x, increment)
}

// transformerStratonovich is eq. (6) in the sense of Stratonovich:
//
//	dY_i = -σ²/2 P_i[Σ_j P_j J_ijᵀ A_j] dt + σ P_i[∘dW A_i],  J_ij = ∂A_i/∂Y_j.
//
// The drift is that of (6) less ½ Σ_ab Dg_ab[g_ab], the sum over the d² entries of W,
// with g_ab,i = σ P_i[e_a] A_ib. Of the derivative along h_j = σ P_j[e_a] A_jb there
// are two parts.
//
// That of P_i e_a = e_a - <Y_i,e_a> Y_i is -<h_i,e_a> Y_i - <Y_i,e_a> h_i. Summed over a,
// <P_i e_a, e_a> gives the trace d-1 of P_i and <Y_i,e_a> P_i e_a gives P_i Y_i = 0; and
// A_ib² summed over b gives |A_i|². So this part is -(d-1)σ²/2 |A_i|² Y_i: all of
// the drift of (6), which it cancels. With constant attention there is no drift left.
//
// That of A_ib is (Σ_j J_ij h_j)_b and gives σ²/2 Σ_a P_i e_a Σ_j <J_ij P_j e_a, A_j>,
// which is σ²/2 P_i Σ_j P_j J_ijᵀ A_j as Σ_a e_a e_aᵀ is the identity: there remains one
// product with J in place of d² directions. If the noise is independent, the
// direction of token i moves token i alone, and only j = i remains.
type transformerStratonovich struct {
	transformerNoise
	derivative *fieldDerivative
}

func (*transformerStratonovich) Calculus() (c Stratonovich) { return c }

func (s *transformerStratonovich) Increment(dst, x []float64, dt float64, increment []float64) {
	s.attention.field(s.field, x)
	s.derivative.prepare(x, s.field)
	d := s.attention.d
	factor := float64(float64(-0.5*dt) * float64(s.sigma*s.sigma))
	for i := range s.attention.n {
		to := dst[i*d : (i+1)*d]
		s.derivative.noiseContraction(to, x, s.field, i)
		sphere.Project(to, x[i*d:(i+1)*d], to)
		scale(to, factor, to)
	}
	s.add(dst, x, increment)
}
