package overlap

import (
	"fmt"
	"math"

	"antipode/overlap/internal/line"
	"antipode/sphere/elementary"
	"antipode/sphere/invariant"
)

// A Covariance describes the covariances of the entries of a Gaussian value matrix, divided by σ², if the law
// of the matrix is invariant under changes of the orthonormal basis. Package invariant defines the
// coefficients A, B and C of a Covariance.
type Covariance = invariant.Covariance

// The common covariances of Gaussian value matrices: independent entries, as in the paper; symmetric and
// antisymmetric matrices; and random multiples of the identity matrix, the noise of the hybrid model.
var (
	Ginibre       = invariant.Ginibre
	Symmetric     = invariant.Symmetric
	Antisymmetric = invariant.Antisymmetric
	Scalar        = invariant.Scalar
)

// noiseless reports whether the overlap of two tokens is free of noise under value matrices of covariance v.
// Value matrices without noise in the overlap are antisymmetric, and rotate both tokens by the same angle in
// the plane that the tokens span.
func noiseless(v Covariance) bool { return rotates(v) && v.C == 0 }

// rotates reports whether value matrices of covariance v are antisymmetric up to multiples of the identity
// matrix.
func rotates(v Covariance) bool { return v.A+v.B == 0 }

// CriticalBetas returns the inverse temperatures β ≥ 0 at which the antipodal pair of two tokens of dimension
// dim begins or ceases to attract, under value matrices of covariance v. CriticalBetas returns at most two
// inverse temperatures, in ascending order. The antipodal pair attracts if and only if
//
//	A cosh 2β + B (1 + sinh 2β) + C > A (dim-2),
//
// which is a quadratic inequality for e^(2β). If A+B > 0, the inequality holds above the largest critical β.
func CriticalBetas(dim int, v Covariance) []float64 {
	if _, independent := v.Independent(); independent && v.A > 0 {
		if beta, ok := CriticalBeta(dim); ok {
			return []float64{beta}
		}
		return nil
	}
	half := attractionConstant(dim, v)
	geometric := float64(math.Sqrt(v.A+v.B) * math.Sqrt(v.A-v.B))
	if !(half > 0 && half >= geometric) {
		return nil
	}
	great := half + float64(math.Sqrt(half-geometric)*math.Sqrt(half+geometric))
	var betas []float64
	for _, x := range []float64{(v.A - v.B) / great, great / (v.A + v.B)} {
		if beta := float64(0.5 * elementary.Log(x)); x >= 1 && beta <= MaxBeta &&
			(len(betas) == 0 || beta > betas[0]) {
			betas = append(betas, beta)
		}
	}
	return betas
}

// attractionConstant returns A(d-2) - B - C, which is -½ times the linear coefficient of the quadratic
// inequality for e^(2β) of CriticalBetas.
func attractionConstant(dim int, v Covariance) float64 {
	return float64(v.A*float64(dim-2)) - v.B - v.C
}

// CriticalDim returns the real number d such that the antipodal pair of two tokens attracts if and only if
// the dimension is below d. The inverse temperature is beta, and v is the covariance of the value matrices.
// CriticalDim is +Inf if the antipodal pair attracts in every dimension, as for A = 0.
func CriticalDim(beta float64, v Covariance) float64 {
	grown, shrunk := 0.5*elementary.Exp(2*beta), 0.5*elementary.Exp(-2*beta)
	return 2 + (float64(times(v.A+v.B, grown))+float64((v.A-v.B)*shrunk)+v.B+v.C)/v.A
}

// moments are averages of products of the attention weights of two clusters, in a common unit. With s_k =
// p_k+q_k and α_k = p_k-q_k,
//
//	e = s₁s₂ + α₁α₂, f = s₁s₂ - α₁α₂, w = (s₁-s₂)²/(2(1-z)) + (α₁-α₂)²/(2(1+z)).
type moments struct {
	e, f, w         float64
	within          float64 // p₁q₁+p₂q₂, averaged
	sum, difference float64 // (q₁+q₂)² and (q₁-q₂)², averaged
}

// varianceOf returns γ²/σ² of the diffusion du = ½γ²h' dt + γ dB, u = atanh z, for a value matrix V of
// covariance v.
//
// In the plane of the tokens X¹ and X², let t₁ and t₂ be the unit tangents at them in the same sense of
// rotation, and let φ be the angle between them, so that z = cos φ. To second order, normalising X^k + V A^k
// rotates X^k by <t_k,VA^k> - <t_k,VA^k><X^k,VA^k>. So the angle φ has the variance of <t₁,VA¹> - <t₂,VA²>.
// With E <x,VA><y,VB> = A<x,y><A,B> + B<x,B><y,A> + C<x,A><y,B>, <t_k,A^k> = ∓q_k sin φ, <t₁,A²> = -p₂ sin φ
// and <t₂,A¹> = p₁ sin φ, the variance of φ gives
//
//	γ²/σ² = A(e+w) + B(q₁²+q₂²+2p₁p₂) + C(q₁+q₂)²,
//
// where q₁²+q₂²+2p₁p₂ = e + (q₁-q₂)².
func varianceOf(v Covariance, m *moments) float64 {
	return float64((v.A+v.B)*m.e) + float64(v.A*m.w) + float64(v.B*m.difference) + float64(v.C*m.sum)
}

// pullOf returns γ²h'/σ², twice the drift of u = atanh z divided by σ². The drift of the overlap z has two
// terms in addition to the term from the curvature of the cosine. The second-order term of varianceOf
// contributes -(B+C) sin²φ [q₁(p₁+q₁z) + q₂(p₂+q₂z)]. The directions orthogonal to the plane of the two
// tokens contribute A(d-2)[<A¹,A²> - ½z(|A¹|²+|A²|²)] = ½A(d-2) sin²φ (f - zw), which does not depend on B
// and C.
func pullOf(v Covariance, dim int, z float64, m *moments) float64 {
	across := float64(float64(dim-2)*m.f) - float64(float64(dim-3)*z*m.w)
	return float64((v.A+v.B)*z*m.e) + float64(v.A*across) - float64(2*(v.B+v.C)*m.within) -
		float64(z*(float64(v.B*m.sum)+float64(v.C*m.difference)))
}

// NewIsotropic returns the overlap diffusion of two clusters of m1 and m2 tokens under Gaussian value
// matrices of the given covariance. For two tokens, or clusters of equal mass,
//
//	du = m dt + γ dB, γ² = 2σ² [(A+B)(p²+q²) + 2Cq²],
//	m = σ² {A [2(d-2)pq + (p²+q²)z] + B [-2pq + (p²-q²)z] - 2Cpq}.
//
// For equal masses the end +1 attracts if and only if A(d-1) > B+C; for the end -1 see CriticalBetas.
// Antisymmetric value matrices (A+B = C = 0) produce no noise of the overlap: the overlap follows the flow
// du/dt = 2Aσ²q [(d-1)p + qz] to +1. For unequal masses and A > 0, the end -1 is an Entrance, or Reflecting
// if d = 2. For A = 0, value matrices are multiples of the identity, under which opposite clusters stay
// opposite.
//
// The covariance (1, 0, 0) gives the diffusion of NewMasses. In addition to the errors of NewMasses,
// NewIsotropic returns an error if no random matrix has the covariance, or if the masses are unequal and the
// overlap has no noise. NewIsotropic also returns an error if A+B is positive but so small that the scale
// density is too steep to be integrated.
func NewIsotropic(
	dim int, beta float64, attention Attention, sigma float64, covariance Covariance, m1, m2 float64,
) (*Diffusion, error) {
	if err := covariance.Check(max(2, dim)); err != nil {
		return nil, fmt.Errorf("overlap: covariance %v: %w", covariance, err)
	}
	plain, err := NewMasses(dim, beta, attention, sigma, m1, m2)
	if err != nil || covariance == Ginibre {
		return plain, err
	}
	if deviation, independent := covariance.Independent(); independent {
		return NewMasses(dim, beta, attention, sigma*deviation, m1, m2)
	}
	model := &isotropic{plain.model.(*clusters), covariance}
	if noiseless(covariance) {
		if m1 != m2 {
			return nil, fmt.Errorf("overlap: masses %v and %v are not allowed with antisymmetric value "+
				"matrices: they must be equal", m1, m2)
		}
		return newFlow(dim, rotating{model}), nil
	}
	least := 1e-6 * covariance.A * float64(dim)
	symmetric := covariance.A + covariance.B
	if symmetric < least && !rotates(covariance) || symmetric+covariance.C < least {
		return nil, fmt.Errorf("overlap: covariance %v: leaves too little noise in the overlap; a + b must "+
			"be 0 or at least %.3g here, and a + b + c at least that", covariance, least)
	}
	minus := model.minusOne()
	return newDiffusion(dim, model, minus, model.end(1), false), nil
}

// isotropic is the model of the overlap of two clusters under value matrices of any isotropic covariance.
type isotropic struct {
	*clusters
	covariance Covariance
}

// smallestRatio is the lower bound on the ratio q/p of attention weights; smaller ratios are replaced by it,
// as their squares might underflow.
const smallestRatio = 1e-150

// moments returns the moments of the attention weights in units of e+w, and the asymmetry w/e.
func (i *isotropic) moments(at line.Position) (m moments, asymmetry float64) {
	ratio := max(smallestRatio, elementary.Exp(-float64(i.beta*at.Below)))
	p1, q1, p2, q2 := i.great, float64(i.small*ratio), i.small, float64(i.great*ratio)
	if i.attention == Softmax {
		first, second := 1/(p1+q1), 1/(p2+q2)
		p1, q1, p2, q2 = p1*first, q1*first, p2*second, q2*second
	}
	if i.difference != 0 && i.covariance.A > 0 {
		asymmetry = i.asymmetry(at)
	}
	e := 2 * (float64(p1*p2) + float64(q1*q2))
	unit := 1 / (1 + asymmetry) / e
	return moments{
		e: 1 / (1 + asymmetry), w: 1 / (1 + 1/asymmetry),
		f:          2 * unit * (float64(p1*q2) + float64(q1*p2)),
		within:     unit * (float64(p1*q1) + float64(p2*q2)),
		sum:        unit * (q1 + q2) * (q1 + q2),
		difference: unit * (q1 - q2) * (q1 - q2),
	}, asymmetry
}

func (i *isotropic) Slope(at line.Position) float64 {
	m, _ := i.moments(at)
	slope := pullOf(i.covariance, i.dim, at.Z, &m) / varianceOf(i.covariance, &m)
	if attractionConstant(i.dim, i.covariance) != 0 { // or the slope has no term in 1/ratio
		slope /= i.lost(at)
	}
	return bounded(slope)
}

func (i *isotropic) Variance(at line.Position) float64 {
	m, asymmetry := i.moments(at)
	lost := i.lost(at)
	return i.strength(at) * lost * varianceOf(i.covariance, &m) * (1 + asymmetry) * lost
}

// Pull returns γ²h'. Where γ² vanishes like the square of the ratio q/p of weights, γ²h' is proportional to
// the ratio, which Pull multiplies by the strength before either leaves the range of float64.
func (i *isotropic) Pull(at line.Position) float64 {
	m, asymmetry := i.moments(at)
	pull := pullOf(i.covariance, i.dim, at.Z, &m) * (1 + asymmetry)
	if !i.vanishes() {
		return i.strength(at) * pull
	}
	ratio := elementary.Exp(-float64(i.beta * at.Below))
	scaled := i.strength(at) * ratio
	if i.attention == Unnormalized { // the strength is of the order e^(2β), and the ratio e^(-β(1-z))
		half := i.sigma * elementary.Exp(float64(0.5*i.beta*at.Above))
		scaled = float64(half*half) * 2 * i.great * i.small * (1 + float64(ratio*ratio))
	}
	return scaled * (pull / max(smallestRatio, ratio))
}

// vanishes reports whether γ² is proportional to the square of the ratio q/p of weights: whether the overlap
// has noise only along the attention, as for A+B = 0.
func (i *isotropic) vanishes() bool {
	return rotates(i.covariance) && (i.difference == 0 || i.covariance.A == 0)
}

// lost returns the factor by which the ratio q/p of weights is below the smallestRatio that replaces it, or 1
// if the ratio is not replaced or if γ² does not depend on it.
func (i *isotropic) lost(at line.Position) float64 {
	if !i.vanishes() {
		return 1
	}
	return min(1, elementary.Exp(-float64(i.beta*at.Below))/smallestRatio)
}

func (i *isotropic) drift(at line.Position) float64 {
	return times(at.Above*at.Below*(float64(0.5*i.Slope(at))-at.Z), i.Variance(at))
}

// minusOne returns the end z = -1 of the overlap under an isotropic covariance.
func (i *isotropic) minusOne() line.End {
	v := i.covariance
	if i.difference == 0 || v.A == 0 {
		return i.end(-1)
	}
	end := i.entrance()
	end.Drift *= v.A
	// Beyond the reach of the end, the terms in B and C must also be small compared with A·w.
	end.Reach += float64(0.5 * elementary.Log(max(1, (v.A+math.Abs(v.B)+math.Abs(v.C))/v.A)))
	return end
}

// end returns the end of the overlap on the given side, -1 or 1. The variance of u = atanh z must have a
// limit at this end.
func (i *isotropic) end(side float64) line.End {
	slope := i.Slope(line.At(side))
	if math.Abs(slope) < endRounding(i.dim) {
		slope = 0
	}
	return line.Converging(side, slope, line.Asymptote)
}

// rotating is the model of two tokens under antisymmetric value matrices, which produce no noise of the
// overlap.
type rotating struct{ *isotropic }

func (rotating) Slope(line.Position) float64    { return steepestSlope }
func (rotating) Variance(line.Position) float64 { return 0 }

// velocity returns du/dt = 2Aσ² q [(d-1)p + qz], u = atanh z, under antisymmetric value matrices.
func (r rotating) velocity(at line.Position) float64 {
	ratio := elementary.Exp(-float64(r.beta * at.Below))
	whole := float64(r.dim-1) + float64(ratio*at.Z) // (d-1)p + qz, divided by p
	if at.Z < 0 {
		whole = float64(r.dim-2) - elementary.Expm1(-float64(r.beta*at.Below)) + float64(ratio*at.Above)
	}
	// For equal masses and a ratio r = q/p of weights, σ²p² is ½ strength/(1+r²).
	return r.covariance.A * r.strength(at) * ratio / (1 + float64(ratio*ratio)) * whole
}

func (r rotating) drift(at line.Position) float64 { return times(at.Above*at.Below, r.velocity(at)) }

// flowing is a model of the overlap without noise.
type flowing interface {
	model
	velocity(at line.Position) float64
}

// newFlow returns an overlap diffusion without noise, which follows a deterministic flow to the end +1.
func newFlow(dim int, m flowing) *Diffusion {
	d := newDiffusion(dim, m, line.Converging(-1, steepestSlope, line.Asymptote),
		line.Converging(1, steepestSlope, line.Asymptote), false)
	d.line.Velocity = m.velocity
	return d
}
