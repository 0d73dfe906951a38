package matrices

import (
	"math"

	"antipode/internal/enum"
)

// Law is the law of the entries of a Markov matrix before its rows are divided by their sums. The entries are
// positive and have a finite fourth moment (Definition 1.1). The standard deviation of an entry divided by
// its mean is σ_A.
type Law int8

const (
	// Exponential entries are exponentially distributed, so that the rows of the Markov matrix are uniform on
	// a simplex, and σ_A = 1.
	Exponential Law = iota
	// Uniform entries are uniform on an interval that begins at 0, with σ_A = 1/√3.
	Uniform
	// Lognormal entries are exponentials of independent normal scores of variance log 2, so that the Markov
	// matrix is the softmax of these scores and σ_A = 1 (A.3.1).
	Lognormal
	// HalfNormal entries are absolute values of normal variables, with σ_A = √(π/2-1).
	HalfNormal
)

// LawNames are the names of the laws, in the order of the constants.
var LawNames = []string{"exponential", "uniform", "lognormal", "half-normal"}

// String returns the name of the law of entries of Markov matrices.
func (l Law) String() string { return enum.Name(LawNames, l, "Law") }

// MarshalText implements encoding.TextMarshaler; it returns the name of the law.
func (l Law) MarshalText() ([]byte, error) { return enum.Marshal(LawNames, l, "law") }

// UnmarshalText implements encoding.TextUnmarshaler.
func (l *Law) UnmarshalText(text []byte) error { return enum.Unmarshal(LawNames, l, "law", text) }

// Deviation returns σ_A: the standard deviation of an entry of the law divided by its mean.
func (l Law) Deviation() float64 {
	switch l {
	case Uniform:
		return 1 / math.Sqrt(3)
	case HalfNormal:
		return math.Sqrt(math.Pi/2 - 1)
	}
	return 1
}
