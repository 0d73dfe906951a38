// Package increments samples the noise of a layer: the entries of value matrices and the amplitudes of the
// hybrid model, according to their law and covariance. Package increments also computes value matrices and
// amplitudes from the increments of a Brownian path.
package increments

import (
	"fmt"
	"math"

	"antipode/sde/internal/kernels"
	"antipode/sphere/elementary"
)

// Law is the probability law of an entry of an increment, with mean 0. The laws are those of sde.Law, in the
// same order.
type Law int8

// Entries with standard deviation σ are normal for the law Gaussian; uniform between -σ√3 and σ√3 for
// Uniform; normal, truncated at two standard deviations and rescaled to the standard deviation σ, for
// TruncatedNormal; and ±σ with probability ½ each for Rademacher.
const (
	Gaussian Law = iota
	Uniform
	TruncatedNormal
	Rademacher
)

// TruncatedDeviation is the standard deviation of a standard normal number conditioned to [-2, 2]:
// √(1 - 4φ(2)/(2Φ(2)-1)).
const TruncatedDeviation = 0.8796256610342398

// Draw fills dst with the independent entries of one increment, with mean 0 and standard deviation sigma.
func (l Law) Draw(dst []float64, sigma float64, s kernels.Stream, trajectory, step int64) {
	switch l {
	case Gaussian:
		s.Normals(dst, sigma, kernels.Increments, trajectory, step)
	case Uniform:
		s.Uniforms(dst, float64(sigma*math.Sqrt(3)), kernels.Increments, trajectory, step)
	case TruncatedNormal:
		s.TruncatedNormals(dst, sigma/TruncatedDeviation, kernels.Increments, trajectory, step)
	case Rademacher:
		s.Signs(dst, sigma, kernels.Increments, trajectory, step)
	default:
		panic(fmt.Sprintf("increments: unknown law %d", l))
	}
}

// DrawLanes fills matrices in the lanes of Vectors as Draw fills one matrix; each lane has its own random
// numbers.
func (l Law) DrawLanes(dst []kernels.Vector, sigma float64, lanes *kernels.Lanes) {
	switch l {
	case Gaussian:
		lanes.Normals(dst, sigma, 0)
	case Uniform:
		lanes.Uniforms(dst, float64(sigma*math.Sqrt(3)), 0)
	case TruncatedNormal:
		lanes.TruncatedNormals(dst, sigma/TruncatedDeviation, 0)
	case Rademacher:
		lanes.Signs(dst, sigma, 0)
	}
}

// Brownian fills dst with the independent entries of a Brownian increment over a time step 1/depth.
func Brownian(dst []float64, depth int, s kernels.Stream, trajectory, step int64) {
	Gaussian.Draw(dst, math.Sqrt(1/float64(depth)), s, trajectory, step)
}

// FromBrownian replaces Brownian increments over a time step 1/depth by entries with the law l and standard
// deviation sigma. Each entry is a non-decreasing function of the Brownian increment.
func (l Law) FromBrownian(increment []float64, sigma float64, depth int) {
	root := math.Sqrt(float64(depth))
	for k, w := range increment {
		increment[k] = float64(sigma * l.quantile(float64(root*w)))
	}
}

// Largest returns the largest absolute value of a number that has the law l with standard deviation 1. For
// the normal law, Largest returns a value that is exceeded with probability 1e-10.
func (l Law) Largest() float64 {
	return [...]float64{6.5, math.Sqrt(3), 2 / TruncatedDeviation, 1}[l]
}

// quantile returns F⁻¹(Φ(g)), where F is the distribution function of the law with mean 0 and standard
// deviation 1. For standard normal g the quantile has the law l. As the quantile is a non-decreasing function
// of g, no other coupling of the two laws has a smaller mean squared distance. The quantile is an odd
// function of g, except that it is 1 at 0 for Rademacher. Given the rounded parameters of the law, the error
// of the quantile is at most 2 ulp for Uniform and 8 ulp for TruncatedNormal.
func (l Law) quantile(g float64) float64 {
	switch l {
	case Gaussian:
		return g
	case Uniform: // the quantile is √3 (2Φ(g) - 1)
		return float64(math.Sqrt(3) * elementary.Erf(float64(g*(math.Sqrt2/2))))
	case TruncatedNormal: // Φ(x) - ½ is (2Φ(2) - 1)(Φ(g) - ½)
		quantile := kernels.TruncatedQuantile(elementary.Erf(float64(g * (math.Sqrt2 / 2))))
		return float64(quantile / TruncatedDeviation)
	case Rademacher:
		if g < 0 {
			return -1
		}
		return 1
	}
	panic(fmt.Sprintf("increments: unknown law %d", l))
}
