package sde

import "antipode/sphere"

// transformerNoise is what both forms of eq. (6) share: the diffusion σ P_i[dW A_i].
// The increment is that of a W with independent entries, d×d and row-major, or N such matrices one
// after the other if the noise is independent.
type transformerNoise struct {
	attention *attention
	noise     Noise
	sigma     float64
	field     []float64 // A, N×d
	push      []float64 // dW A_i, d; of all tokens if they are large and the noise is common

	covariance Covariance
	matrix     []float64 // dW if its entries are not independent, d×d
}

func newTransformerNoise(c Cell, m TransformerSDE) transformerNoise {
	a, pushed := newAttention(c), c.Dim
	if a.large != nil && m.Noise == CommonNoise {
		pushed *= c.Tokens
	}
	s := transformerNoise{attention: a, noise: m.Noise, sigma: m.Sigma,
		field: make([]float64, c.Tokens*c.Dim), push: make([]float64, pushed), covariance: m.Covariance}
	if !isGinibre(m.Covariance) {
		s.matrix = make([]float64, c.Dim*c.Dim)
	}
	return s
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
		s.attention.large.multiply(s.push, s.mixed(increment, 0), s.field)
	}
	for i := range s.attention.n {
		from, to := i*d, (i+1)*d
		push := s.push[:d]
		if together {
			push = s.push[from:to]
		} else {
			multiply(push, s.mixed(increment, i), s.field[from:to])
		}
		sphere.Project(push, x[from:to], push)
		addScaled(dst[from:to], s.sigma, push)
	}
}

// mixed is the dW that drives token i, which comes before token i+1.
func (s *transformerNoise) mixed(increment []float64, i int) []float64 {
	d := s.attention.d
	matrix := s.noise.of(increment, i, d*d)
	if s.matrix == nil {
		return matrix
	}
	if i == 0 || s.noise == IndependentNoise {
		copy(s.matrix, matrix)
		mixEntries(s.covariance, s.matrix)
	}
	return s.matrix
}

// transformerIto is eq. (6):
//
//	dY_i = -(d-1)σ²/2 |A_i|² Y_i dt + σ P_i[dW A_i].
//
// Its drift is radial, and there is no other. For other covariances of W the limit of recursion (4) has a
// tangent drift: normalising Y + h turns Y by P h - <Y,h> P h to second order, and E <Y,dW A> P[dW A] =
// (b+c) <Y,A> P[A] dt. The scheme's retraction takes it of the increment as a whole, but from -½E|P dW A|² Y
// alone there remains
//
//	dY_i = -(b+c)σ² <Y_i,A_i> P_i[A_i] dt + σ P_i[dW A_i], and the radial drift.
type transformerIto struct{ transformerNoise }

func (*transformerIto) Calculus() (c Ito) { return c }

func (s *transformerIto) Increment(dst, x []float64, dt float64, increment []float64) {
	s.attention.field(s.field, x)
	clear(dst)
	if turn := s.covariance.B + s.covariance.C; turn != 0 {
		d, square := s.attention.d, float64(s.sigma*s.sigma)
		for i := range s.attention.n {
			to, token, field := dst[i*d:(i+1)*d], x[i*d:(i+1)*d], s.field[i*d:(i+1)*d]
			sphere.Project(to, token, field)
			scale(to, -float64(float64(float64(turn*square)*dt)*sphere.Dot(token, field)), to)
		}
	}
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
//
// For other covariances, E W M W w = a Mᵀw + b tr(M) w + c M w, with M = J_ij P_j and w = A_j, makes of
// the second part σ²/2 P_i Σ_j [a P_j J_ijᵀ A_j + b tr(J_ij P_j) A_j + c J_ij P_j A_j]. The first one has
// beside the radial drift -(b+c)σ²/2 <Y_i,A_i> P_i A_i, half of the tangent drift in the sense of Itô, of
// which the other half remains.
type transformerStratonovich struct {
	transformerNoise
	derivative *fieldDerivative
	bent       []float64 // a sum over j of the drift, d
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
		if !isGinibre(s.covariance) {
			s.bend(to, x, i)
		}
		sphere.Project(to, x[i*d:(i+1)*d], to)
		scale(to, factor, to)
	}
	s.add(dst, x, increment)
}

// bend turns the sum over j for independent entries into that for the covariance, and adds what remains
// of the tangent drift.
func (s *transformerStratonovich) bend(sum, x []float64, i int) {
	v, d := s.covariance, s.attention.d
	scale(sum, v.A, sum)
	if v.B != 0 {
		s.derivative.alongTraces(s.bent, x, s.field, i)
		addScaled(sum, v.B, s.bent)
	}
	if v.C != 0 {
		s.derivative.alongTangents(s.bent, x, s.field, i)
		addScaled(sum, v.C, s.bent)
	}
	token, field := x[i*d:(i+1)*d], s.field[i*d:(i+1)*d]
	addScaled(sum, float64((v.B+v.C)*sphere.Dot(token, field)), field)
}
