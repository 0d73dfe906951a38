package sde

import (
	"math"

	"antipode/sphere"
)

// hybridNoise is what both forms of eq. (8) share. The increment is that of the scalar
// B, or N such numbers if the noise is independent: a token's own amplitude, the limit of
// recursion (7) with a v for each token.
type hybridNoise struct {
	attention *attention
	noise     Noise
	epsilon   float64
	silent    bool      // without noise: the flow
	field     []float64 // A, N×d
}

func newHybridNoise(c Cell, m HybridSDE) hybridNoise {
	return hybridNoise{attention: newAttention(c), noise: m.Noise, epsilon: m.Epsilon,
		field: make([]float64, c.Tokens*c.Dim)}
}

// newSilence is no noise: the flow.
func newSilence(c Cell) hybridNoise {
	s := newHybridNoise(c, HybridSDE{})
	s.silent = true
	return s
}

func (s *hybridNoise) Shape() (tokens, dim int) { return s.attention.n, s.attention.d }

func (s *hybridNoise) NoiseLen() int {
	if s.silent {
		return 0
	}
	return noiseLen(s.noise, s.attention.n, 1)
}

// amplitude is ε dB of token i.
func (s *hybridNoise) amplitude(increment []float64, i int) float64 {
	if s.silent {
		return 0
	}
	return float64(s.epsilon * s.noise.of(increment, i, 1)[0])
}

// hybridIto is eq. (8), with c_i = <Y_i,A_i> and T_i = P_i[A_i]:
//
//	dY_i = [(1 - ε²c_i) T_i - ε²/2 |T_i|² Y_i] dt + ε T_i dB.
//
// That is (8) as A_i = c_i Y_i + T_i turns F(Y_i, A_i) to -½|T_i|² Y_i - c_i T_i.
type hybridIto struct{ hybridNoise }

func (*hybridIto) Calculus() (c Ito) { return c }

func (s *hybridIto) Increment(dst, x []float64, dt float64, increment []float64) {
	s.attention.field(s.field, x)
	d, square := s.attention.d, float64(s.epsilon*s.epsilon)
	for i := range s.attention.n {
		to, token, field := dst[i*d:(i+1)*d], x[i*d:(i+1)*d], s.field[i*d:(i+1)*d]
		sphere.Project(to, token, field)
		scale(to, math.FMA(dt, 1-float64(square*sphere.Dot(token, field)), s.amplitude(increment, i)), to)
	}
}

// hybridStratonovich is eq. (8) in the sense of Stratonovich, J_ij = ∂A_i/∂Y_j:
//
//	dY_i = [(1 - ε²/2 c_i) T_i - ε²/2 P_i Σ_j J_ij T_j] dt + ε T_i ∘dB.
//
// The drift is that of (8) less ½ Dg[g] with g_i = ε T_i. The derivative of T_i = A_i -
// <Y_i,A_i> Y_i along h is P_i DA_i[h] - <h_i,A_i> Y_i - c_i h_i, so that along h = g
// ½ Dg_i[g] = ε²/2 (P_i Σ_j J_ij T_j - |T_i|² Y_i - c_i T_i). If the noise is
// independent, only j = i remains of the sum. Without noise it is the flow of Lemma 2.
type hybridStratonovich struct {
	hybridNoise
	derivative *fieldDerivative
	bent       []float64 // Σ_j J_ij T_j, d
}

func newHybridStratonovich(c Cell, s hybridNoise, noise Noise) *hybridStratonovich {
	return &hybridStratonovich{s, newFieldDerivative(c, noise, s.attention), make([]float64, c.Dim)}
}

func (*hybridStratonovich) Calculus() (c Stratonovich) { return c }

func (s *hybridStratonovich) Increment(dst, x []float64, dt float64, increment []float64) {
	s.attention.field(s.field, x)
	s.derivative.prepare(x, s.field)
	d, half := s.attention.d, float64(0.5*float64(s.epsilon*s.epsilon))
	for i := range s.attention.n {
		to, token, field := dst[i*d:(i+1)*d], x[i*d:(i+1)*d], s.field[i*d:(i+1)*d]
		tangent := s.derivative.tangents[i*d : (i+1)*d]
		factor := math.FMA(dt, 1-float64(half*sphere.Dot(token, field)), s.amplitude(increment, i))
		scale(to, factor, tangent)
		if half == 0 {
			continue
		}
		s.derivative.alongTangents(s.bent, x, s.field, i)
		sphere.Project(s.bent, token, s.bent)
		addScaled(to, -float64(half*dt), s.bent)
	}
}
