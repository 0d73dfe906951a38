package overlap

import (
	"fmt"
	"math"

	"antipode/overlap/internal/line"
	"antipode/sphere/chebyshev"
	"antipode/sphere/elementary"
)

// Moments are the second moments of an isotropic noise F of a layer for σ = 1, as functions of the overlap z
// in [-1, 1] of two tokens: own is κ₁₁ = κ₂₂ and shared is κ₁₂ in E F_a(Xⁱ) F_b(Xʲ) = κ_ij δ_ab. The moments
// of independent noises add. Coinciding tokens must get the same noise: κ₁₂(1) = κ₁₁(1). Inside (-1, 1), κ₁₁
// > |κ₁₂| must hold. Near the ends z = ±1 both moments must be smooth in z or, like the moments of a ReLU
// MLP, in √(1-|z|).
type Moments func(z float64) (own, shared float64)

// noise is the model of the overlap under a layer whose noise is given by its second moments κ₁₁ and κ₁₂.
// With
//
//	n = 2(κ₁₁-zκ₁₂)/(1-z²), m = 2(κ₁₂-zκ₁₁)/(1-z²): γ² = n, γ²h' = (d-2)m + zn.
type noise struct {
	dim         int
	f           Moments
	square      float64 // variance σ² of the noise
	minus, plus edge
	opening     float64 // κ₁₁+κ₁₂ at z = -1; 0 if this end is invariant
}

// An edge interpolates the functions κ₁₁-zκ₁₂ and κ₁₂-zκ₁₁ of the overlap z near an end ±1, where both
// functions suffer cancellation. An edge stores, for each of the two functions, a quotient: the difference
// between the function and its value at the end, divided by the distance of z from the end. The quotient is
// stored as a polynomial of the distance from the end, or of the square root of the distance.
type edge struct {
	width         float64
	root          bool
	first, second chebyshev.Polynomial
}

// newMoments returns the overlap diffusion of two tokens under a noise with the second moments σ²f.
func newMoments(dim int, f Moments, sigma float64) (*Diffusion, error) {
	if f == nil {
		return nil, errNoKernel
	}
	k := &noise{dim: dim, f: f, square: float64(sigma * sigma)}
	if err := k.check(); err != nil {
		return nil, err
	}
	own, shared := f(-1)
	if k.opening = own + shared; math.Abs(k.opening) < momentRounding*own {
		k.opening = 0
	}
	for _, e := range []struct {
		end   float64
		value float64
		to    *edge
	}{{-1, k.opening, &k.minus}, {1, 0, &k.plus}} {
		found, err := k.edge(e.end, e.value)
		if err != nil {
			return nil, err
		}
		*e.to = found
	}
	return newDiffusion(dim, k, k.minusOne(), k.end(1), false), nil
}

// momentRounding is the fraction of κ₁₁ below which a difference of second moments is attributed to rounding.
const momentRounding = 1e-12

// check returns an error for second moments that no noise can have.
func (k *noise) check() error {
	const points = 64
	for j := range points + 1 {
		z := float64(float64(2*j)/points) - 1
		own, shared := k.f(z)
		most := own
		if j == 0 || j == points {
			most *= 1 + 2*momentRounding
		}
		if !(finite(own) && math.Abs(shared) < most) {
			return fmt.Errorf("overlap: moments κ₁₁ = %v, κ₁₂ = %v at overlap %v are not allowed: "+
				"κ₁₁ must be positive, and |κ₁₂| below it, at ±1 at most it", own, shared, z)
		}
		if z == 1 && own-shared > float64(momentRounding*own) {
			return fmt.Errorf("overlap: moments κ₁₁ = %v, κ₁₂ = %v at overlap 1 are not allowed: "+
				"they must be equal, as tokens that coincide move alike", own, shared)
		}
	}
	return nil
}

// edge interpolates the moments near the end -1 or +1, on the widest interval that 16 interpolation points
// resolve.
func (k *noise) edge(end, value float64) (edge, error) {
	for _, kind := range []struct {
		root    bool
		allowed float64
	}{{false, 1e-11}, {true, 1e-9}} {
		for width := 0.5; width > 0x1p-9; width *= 0.5 {
			e := edge{width: width, root: kind.root}
			if e.interpolate(k.f, end, value) <= kind.allowed {
				return e, nil
			}
		}
	}
	return edge{}, fmt.Errorf("overlap: the moments near overlap %v are not allowed: they must be "+
		"smooth functions of z or of √(1-|z|)", end)
}

// interpolate sets the polynomials of e and returns the size of the last coefficients of the polynomials
// relative to the largest coefficient.
func (e *edge) interpolate(f Moments, end, value float64) float64 {
	nodes := chebyshev.Nodes()
	var first, second [chebyshev.Order]float64
	for i, x := range nodes {
		gap := e.gap(0.5 * (1 + x))
		z := end * (1 - gap)
		own, shared := f(z)
		first[i] = (own - float64(z*shared) - value) / gap
		second[i] = (shared - float64(z*own) - value) / gap
	}
	e.first, e.second = chebyshev.Interpolation(&first, &nodes), chebyshev.Interpolation(&second, &nodes)
	greatest, last := 0.0, 0.0
	for i := range e.first {
		size := max(math.Abs(e.first[i]), math.Abs(e.second[i]))
		if greatest = max(greatest, size); i >= chebyshev.Order-2 {
			last = max(last, size)
		}
	}
	return last / greatest
}

// gap returns the distance 1-|z| from the end at the fraction part of the width of the interpolation
// interval, or of the square root of the width.
func (e *edge) gap(part float64) float64 {
	if e.root {
		part *= part
	}
	return float64(e.width * part)
}

// at returns the two interpolated quotients of an edge at the distance gap from the end.
func (e *edge) at(gap float64) (first, second float64) {
	part := gap / e.width
	if e.root {
		part = math.Sqrt(part)
	}
	x := float64(2*part) - 1
	return e.first.At(x), e.second.At(x)
}

// sums returns n = 2(κ₁₁-zκ₁₂)/(1-z²) and m = 2(κ₁₂-zκ₁₁)/(1-z²), multiplied by σ².
func (k *noise) sums(at line.Position) (n, m float64) {
	own, shared := 0.0, 0.0
	switch {
	case at.Below < k.plus.width:
		own, shared = k.plus.at(at.Below)
		own, shared = own/at.Above, shared/at.Above
	case at.Above < k.minus.width:
		own, shared = k.minus.at(at.Above)
		if k.opening > 0 {
			own, shared = own+k.opening/at.Above, shared+k.opening/at.Above
		}
		own, shared = own/at.Below, shared/at.Below
	default:
		first, other := k.f(at.Z)
		tangent := float64(at.Above * at.Below)
		own = (first - float64(at.Z*other)) / tangent
		shared = (other - float64(at.Z*first)) / tangent
	}
	return 2 * k.square * own, 2 * k.square * shared
}

func (k *noise) pull(at line.Position) (variance, pull float64) {
	n, m := k.sums(at)
	return n, float64(float64(k.dim-2)*m) + float64(at.Z*n)
}

func (k *noise) Slope(at line.Position) float64 {
	variance, pull := k.pull(at)
	return bounded(pull / variance)
}

func (k *noise) Variance(at line.Position) float64 {
	n, _ := k.sums(at)
	return n
}

func (k *noise) drift(at line.Position) float64 {
	variance, pull := k.pull(at)
	return times(at.Above*at.Below, float64(0.5*pull)-float64(at.Z*variance))
}

// momentReach is the |u|, u = atanh z, beyond which a polynomial of √(1-|z|) equals its value at the end up
// to rounding.
const momentReach = 40

// end returns the invariant end -1 or +1. The interpolated moments are accurate to 1e-10 at an end.
func (k *noise) end(side float64) line.End {
	slope := k.Slope(line.At(side))
	const least = 1e-9
	if math.Abs(slope) < least {
		slope = 0
	}
	return line.Converging(side, slope, momentReach)
}

func (k *noise) minusOne() line.End {
	if k.opening == 0 {
		return k.end(-1)
	}
	drift := float64(float64(k.dim-1)*k.square) * k.opening
	first, second := k.minus.at(0)
	rest := k.square * (math.Abs(first) + math.Abs(second))
	reach := momentReach + float64(0.5*elementary.Log(max(1, float64(k.dim)*rest/drift)))
	return line.End{Enterable: true, Slope: float64(k.dim - 3), Drift: drift, Reach: reach, Variance: -2}
}
