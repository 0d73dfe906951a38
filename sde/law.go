package sde

import (
	"math"

	"antipode/sde/internal/enum"
	"antipode/sde/internal/kernels"
	"antipode/sphere/elementary"
)

// Law is the law of an entry of the value matrices, with mean 0.
type Law int8

const (
	// Gaussian entries. Not bounded, so Assumption 1 of the paper does not cover
	// them, but its figures use them.
	Gaussian Law = iota
	// Uniform on ±σ√3.
	Uniform
	// TruncatedNormal: a normal law cut at two of its standard deviations, rescaled
	// to standard deviation σ.
	TruncatedNormal
	// Rademacher: ±σ with probability ½ each.
	Rademacher
)

// LawNames are the names of the laws, in the order of their values.
var LawNames = []string{"gaussian", "uniform", "truncated-normal", "rademacher"}

// allLaws returns all laws.
func allLaws() []Law { return []Law{Gaussian, Uniform, TruncatedNormal, Rademacher} }

// String returns the law's name.
func (l Law) String() string { return enum.Name(LawNames, l, "Law") }

// Labels are LawNames: a column of laws has these labels.
func (Law) Labels() []string { return LawNames }

// MarshalText returns the law's name, or an error if it has none.
func (l Law) MarshalText() ([]byte, error) { return enum.Marshal(LawNames, l, "law") }

// UnmarshalText takes one of LawNames.
func (l *Law) UnmarshalText(text []byte) error { return enum.Unmarshal(LawNames, l, "law", text) }

const (
	// Standard deviation of a standard normal number conditioned to [-2, 2]:
	// √(1 - 4φ(2)/(2Φ(2)-1)).
	truncatedDeviation = 0.8796256610342398
)

// draw fills dst with the independent entries of one increment, of mean 0 and
// standard deviation sigma.
func (l Law) draw(dst []float64, sigma float64, s kernels.Stream, trajectory, step int64) {
	switch l {
	case Gaussian:
		s.Normals(dst, sigma, kernels.Increments, trajectory, step)
	case Uniform:
		s.Uniforms(dst, float64(sigma*math.Sqrt(3)), kernels.Increments, trajectory, step)
	case TruncatedNormal:
		s.TruncatedNormals(dst, sigma/truncatedDeviation, kernels.Increments, trajectory, step)
	case Rademacher:
		s.Signs(dst, sigma, kernels.Increments, trajectory, step)
	default:
		panic("sde: unknown law " + l.String())
	}
}

// drawBrownian fills dst with a Brownian increment over 1/depth.
func drawBrownian(dst []float64, depth int, s kernels.Stream, trajectory, step int64) {
	Gaussian.draw(dst, math.Sqrt(1/float64(depth)), s, trajectory, step)
}

// fromBrownian replaces Brownian increments over 1/depth by entries of standard deviation
// sigma, each a non-decreasing function of its increment.
func (l Law) fromBrownian(increment []float64, sigma float64, depth int) {
	root := math.Sqrt(float64(depth))
	for k, w := range increment {
		increment[k] = float64(sigma * l.quantile(float64(root*w)))
	}
}

// drawLanes is draw for matrices in lanes, at their addresses.
func (l Law) drawLanes(dst []kernels.Vector, sigma float64, lanes *kernels.Lanes) {
	switch l {
	case Gaussian:
		lanes.Normals(dst, sigma, 0)
	case Uniform:
		lanes.Uniforms(dst, float64(sigma*math.Sqrt(3)), 0)
	case TruncatedNormal:
		lanes.TruncatedNormals(dst, sigma/truncatedDeviation, 0)
	case Rademacher:
		lanes.Signs(dst, sigma, 0)
	}
}

// quantile returns F⁻¹(Φ(g)), F the distribution function of the law with mean 0
// and standard deviation 1: for standard normal g an entry of that law, and a
// non-decreasing function of g, the coupling of the two laws with the smallest mean
// square distance. It is odd but for Rademacher at 0, which is 1. Uniform is within
// 2 ulp and TruncatedNormal within 8 ulp, in the law's own rounded parameters.
func (l Law) quantile(g float64) float64 {
	switch l {
	case Gaussian:
		return g
	case Uniform: // √3 (2Φ(g) - 1)
		return float64(math.Sqrt(3) * elementary.Erf(float64(g*(math.Sqrt2/2))))
	case TruncatedNormal: // Φ(x) - ½ is (2Φ(2) - 1)(Φ(g) - ½)
		quantile := kernels.TruncatedQuantile(elementary.Erf(float64(g * (math.Sqrt2 / 2))))
		return float64(quantile / truncatedDeviation)
	case Rademacher:
		if g < 0 {
			return -1
		}
		return 1
	}
	panic("sde: unknown law " + l.String())
}
