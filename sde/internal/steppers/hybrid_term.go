package steppers

import (
	"math"

	"antipode/sde/internal/attention"
	"antipode/sde/internal/linear"
	"antipode/sphere"
)

// hybridNoise holds what the Itô and the Stratonovich form of eq. (8) have in common. The increment of a step
// is that of the scalar Brownian motion B. If the noise is independent, the increment has N entries, one for
// each token; the equation is then the limit of recursion (7) in which each token has its own amplitude v.
type hybridNoise struct {
	attention   *attention.Attention
	independent bool
	epsilon     float64
	silent      bool      // whether there is no noise, as in the attention flow
	field       []float64 // attention A of the tokens, N×d
}

func newHybridNoise(a *attention.Attention, epsilon float64, independent bool) hybridNoise {
	tokens, dim := a.Shape()
	return hybridNoise{attention: a, independent: independent, epsilon: epsilon,
		field: make([]float64, tokens*dim)}
}

// newSilence returns the noise of the attention flow, which is 0.
func newSilence(a *attention.Attention) hybridNoise {
	s := newHybridNoise(a, 0, false)
	s.silent = true
	return s
}

// Shape implements Term.
func (s *hybridNoise) Shape() (tokens, dim int) { return s.attention.Shape() }

// NoiseLen implements Term.
func (s *hybridNoise) NoiseLen() int {
	if s.silent {
		return 0
	}
	tokens, _ := s.Shape()
	return noiseLen(s.independent, tokens, 1)
}

// amplitude returns ε dB, the noise amplitude ε times the Brownian increment, for token i.
func (s *hybridNoise) amplitude(increment []float64, i int) float64 {
	if s.silent {
		return 0
	}
	return float64(s.epsilon * ofToken(increment, s.independent, i, 1)[0])
}

// HybridIto is the right-hand side of eq. (8) in the sense of Itô. Let A_i be the attention of token Y_i, P_i
// the projection to the tangent space at Y_i, c_i = <Y_i,A_i> and T_i = P_i[A_i]. In the sense of Itô,
// equation (8) is
//
//	dY_i = [(1 - ε²c_i) T_i - ε²/2 |T_i|² Y_i] dt + ε T_i dB.
//
// The equation of HybridIto is (8), because A_i = c_i Y_i + T_i gives F(Y_i, A_i) = -½|T_i|² Y_i - c_i T_i.
type HybridIto struct{ hybridNoise }

// NewHybridIto returns equation (8) in the sense of Itô with a noise amplitude ε; with independent, each
// token has its own noise.
func NewHybridIto(a *attention.Attention, epsilon float64, independent bool) *HybridIto {
	return &HybridIto{newHybridNoise(a, epsilon, independent)}
}

// NewFlowIto returns equation (8) without noise, the attention flow of Lemma 2, as an equation in the sense
// of Itô.
func NewFlowIto(a *attention.Attention) *HybridIto { return &HybridIto{newSilence(a)} }

// Calculus implements Term.
func (*HybridIto) Calculus() (c Ito) { return c }

// Increment implements Term.
func (s *HybridIto) Increment(dst, x []float64, dt float64, increment []float64) {
	s.attention.Field(s.field, x)
	n, d := s.Shape()
	square := float64(s.epsilon * s.epsilon)
	for i := range n {
		to, token, field := dst[i*d:(i+1)*d], x[i*d:(i+1)*d], s.field[i*d:(i+1)*d]
		sphere.Project(to, token, field)
		factor := math.FMA(dt, 1-float64(square*sphere.Dot(token, field)), s.amplitude(increment, i))
		linear.Scale(to, factor, to)
	}
}

// HybridStratonovich is the right-hand side of eq. (8) in the sense of Stratonovich, with the derivative J_ij
// = ∂A_i/∂Y_j of the attention A_i and the notation of HybridIto:
//
//	dY_i = [(1 - ε²/2 c_i) T_i - ε²/2 P_i Σ_j J_ij T_j] dt + ε T_i ∘dB.
//
// The Stratonovich drift is the Itô drift of (8) minus ½ Dg[g] with g_i = ε T_i. The derivative of T_i = A_i
// - <Y_i,A_i> Y_i in the direction h is P_i DA_i[h] - <h_i,A_i> Y_i - c_i h_i. For h = g this gives ½ Dg_i[g]
// = ε²/2 (P_i Σ_j J_ij T_j - |T_i|² Y_i - c_i T_i). If the noise is independent, only the term j = i of the
// sum remains. Without noise equation (8) is the attention flow of Lemma 2.
type HybridStratonovich struct {
	hybridNoise
	derivative *attention.Derivative
	bent       []float64 // sum Σ_j J_ij T_j of the drift, d
}

// NewHybridStratonovich returns equation (8) in the sense of Stratonovich with a noise amplitude ε; with
// independent, each token has its own noise.
func NewHybridStratonovich(a *attention.Attention, epsilon float64, independent bool) *HybridStratonovich {
	return newHybridStratonovich(newHybridNoise(a, epsilon, independent))
}

// NewFlowStratonovich returns equation (8) without noise, the attention flow of Lemma 2, as an equation in
// the sense of Stratonovich.
func NewFlowStratonovich(a *attention.Attention) *HybridStratonovich {
	return newHybridStratonovich(newSilence(a))
}

func newHybridStratonovich(s hybridNoise) *HybridStratonovich {
	_, dim := s.Shape()
	return &HybridStratonovich{s, attention.NewDerivative(s.attention, s.independent), make([]float64, dim)}
}

// Calculus implements Term.
func (*HybridStratonovich) Calculus() (c Stratonovich) { return c }

// Increment implements Term.
func (s *HybridStratonovich) Increment(dst, x []float64, dt float64, increment []float64) {
	s.attention.Field(s.field, x)
	s.derivative.Prepare(x, s.field)
	n, d := s.Shape()
	half := float64(0.5 * float64(s.epsilon*s.epsilon))
	for i := range n {
		to, token, field := dst[i*d:(i+1)*d], x[i*d:(i+1)*d], s.field[i*d:(i+1)*d]
		tangent := s.derivative.Tangents[i*d : (i+1)*d]
		factor := math.FMA(dt, 1-float64(half*sphere.Dot(token, field)), s.amplitude(increment, i))
		linear.Scale(to, factor, tangent)
		if half == 0 {
			continue
		}
		s.derivative.AlongTangents(s.bent, x, s.field, i)
		sphere.Project(s.bent, token, s.bent)
		linear.AddScaled(to, -float64(half*dt), s.bent)
	}
}
