package propagation

import (
	"math"

	"antipode/sphere/elementary"
)

// Activation is the non-linearity φ of an MLP.
type Activation int

// The activations of an MLP. Erf is the error function erf(x) itself. GELU is xΦ(x) with Φ the normal
// distribution function, not the approximation of Φ by tanh.
const (
	ReLU Activation = iota
	Tanh
	Erf
	GELU
)

// ActivationNames are the names of the activations, in the order of the constants from ReLU on.
var ActivationNames = []string{"relu", "tanh", "erf", "gelu"}

// String returns the name of the activation.
func (a Activation) String() string { return ActivationNames[a] }

// Kernel returns E φ(x)φ(y) for a centred Gaussian pair (x, y) of variance q ≥ 0 and covariance p, |p| ≤ q.
// For p = q the kernel is E φ(x)². The kernel has a closed form, or is a fixed sum for tanh; the absolute
// error of Kernel is below 1e-13·(1+q). For p ≥ 0 the kernel increases with p.
func (a Activation) Kernel(q, p float64) float64 {
	switch a {
	case ReLU:
		return reluKernel(q, p)
	case Tanh:
		return tanhKernel(q, p)
	case Erf:
		return 2 / math.Pi * elementary.Atan2(2*p, math.Sqrt(erfDeterminant(q, p)))
	}
	return geluKernel(q, p)
}

// Slope returns the derivative of Kernel with respect to p, which is E φ'(x)φ'(y). For q = 0 the slope is
// φ'(0)². For ReLU and q = 0 the slope is 1/2, the limit of E φ'(x)² as q → 0.
func (a Activation) Slope(q, p float64) float64 {
	switch a {
	case ReLU:
		return obtuse(wedge(q, p), p) / (2 * math.Pi)
	case Tanh:
		return tanhSlope(q, p)
	case Erf:
		return 4 / math.Pi / math.Sqrt(erfDeterminant(q, p))
	}
	return geluSlope(q, p)
}

// wedge returns √(q²-p²) without cancellation near p = ±q.
func wedge(q, p float64) float64 { return math.Sqrt(float64((q - p) * (q + p))) }

// obtuse returns π minus the angle between two vectors with inner product p that span a parallelogram of
// the given area.
func obtuse(area, p float64) float64 {
	if area == 0 && p >= 0 {
		return math.Pi
	}
	return elementary.Atan2(area, -p)
}

// reluKernel is the arc-cosine kernel of order 1 (Cho and Saul 2009): with ρ = p/q the kernel of ReLU is q/2
// f(ρ), where f(ρ) = (√(1-ρ²) + ρ(π - arccos ρ))/π, equation (16).
func reluKernel(q, p float64) float64 {
	area := wedge(q, p)
	return (area + float64(p*obtuse(area, p))) / (2 * math.Pi)
}

// erfDeterminant returns (1+2q)²-(2p)², which occurs in the arcsine kernel 2/π arcsin(2p/(1+2q)) of the error
// function (Williams 1998).
func erfDeterminant(q, p float64) float64 { return 1 + float64(4*q) + float64(4*(q-p)*(q+p)) }

// geluDeterminant returns D = (1+q)²-p², which occurs in the kernel of GELU.
func geluDeterminant(q, p float64) float64 { return 1 + float64(2*q) + float64((q-p)*(q+p)) }

// geluKernel is the kernel of GELU, derived by Gaussian integration by parts. With E φ(x)φ(y) = 1/(2π√D) for
// the normal density φ, D = (1+q)²-p², and E Φ(x)Φ(y) = (π - arccos p/(1+q))/2π for the normal distribution
// function Φ, the kernel of GELU is p E ΦΦ + (q² + p²(1-q)/(1+q)) E φφ.
func geluKernel(q, p float64) float64 {
	root := math.Sqrt(geluDeterminant(q, p))
	return (float64(p*obtuse(root, p)) + geluNumerator(q, p)/root) / (2 * math.Pi)
}

// geluNumerator returns q² + p²(1-q)/(1+q), the factor of E φφ in the kernel of GELU.
func geluNumerator(q, p float64) float64 {
	return (float64(q*q) + float64(p*p) + float64(q*(q-p)*(q+p))) / (1 + q)
}

func geluSlope(q, p float64) float64 {
	determinant := geluDeterminant(q, p)
	root := math.Sqrt(determinant)
	sum := obtuse(root, p) + p/root + 2*float64(p*(1-q))/((1+q)*root) +
		float64(geluNumerator(q, p)*p)/(determinant*root)
	return sum / (2 * math.Pi)
}
