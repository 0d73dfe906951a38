package matrices

import (
	"fmt"
	"math"

	"antipode/sde/internal/kernels"
	"antipode/sphere/elementary"
)

// Law is the law of the entries of a Markov matrix before its rows are divided by their
// sums: positive, with a fourth moment (Definition 1.1).
type Law int8

const (
	// Exponential entries: the rows are uniform on a simplex. σ_A = 1.
	Exponential Law = iota
	// Uniform on an interval from 0. σ_A = 1/√3.
	Uniform
	// Lognormal entries: the softmax of independent normal scores, of variance log 2 so
	// that σ_A = 1 (A.3.1).
	Lognormal
	// HalfNormal: absolute values of normal numbers. σ_A = √(π/2-1).
	HalfNormal
)

// LawNames are the names of the laws, in the order of their values.
var LawNames = []string{"exponential", "uniform", "lognormal", "half-normal"}

// String returns the law's name.
func (l Law) String() string { return nameOf(LawNames, int(l), "Law") }

func nameOf(names []string, k int, kind string) string {
	if k < 0 || k >= len(names) {
		return fmt.Sprintf("%s(%d)", kind, k)
	}
	return names[k]
}

// Deviation is σ_A: the standard deviation of an entry over its mean.
func (l Law) Deviation() float64 {
	switch l {
	case Uniform:
		return 1 / math.Sqrt(3)
	case HalfNormal:
		return math.Sqrt(math.Pi/2 - 1)
	}
	return 1
}

// fill draws the entries of a row, up to a common factor.
func (l Law) fill(row []float64, s kernels.Stream, sample, step int64) {
	switch l {
	case Exponential:
		s.Uniforms(row, 0.5, kernels.Increments, sample, step)
		for k, u := range row {
			row[k] = -elementary.Log(u + 0.5)
		}
	case Uniform:
		s.Uniforms(row, 0.5, kernels.Increments, sample, step)
		for k, u := range row {
			row[k] = u + 0.5
		}
	case Lognormal:
		s.Normals(row, math.Sqrt(math.Ln2), kernels.Increments, sample, step)
		for k, x := range row {
			row[k] = elementary.Exp(x)
		}
	case HalfNormal:
		s.Normals(row, 1, kernels.Increments, sample, step)
		for k, x := range row {
			row[k] = math.Abs(x)
		}
	}
}
