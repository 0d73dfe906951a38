package sde

import (
	"antipode/internal/enum"
	"antipode/sde/internal/increments"
)

// Law is the probability law of an entry of the value matrices, with mean 0 and standard deviation σ.
type Law int8

const (
	// Gaussian entries are normal. Assumption 1 of the paper excludes normal entries, because they are not
	// bounded, but the figures of the paper use them.
	Gaussian Law = iota
	// Uniform entries are uniform on the interval from -σ√3 to σ√3.
	Uniform
	// TruncatedNormal entries have a normal law truncated at two standard deviations, and rescaled to
	// standard deviation σ.
	TruncatedNormal
	// Rademacher entries are σ or -σ with probability ½ each.
	Rademacher
)

// LawNames are the names of the laws, in the order of the constants.
var LawNames = []string{"gaussian", "uniform", "truncated-normal", "rademacher"}

// allLaws returns all laws of entries.
func allLaws() []Law { return []Law{Gaussian, Uniform, TruncatedNormal, Rademacher} }

// String returns the name of the law of entries of value matrices.
func (l Law) String() string { return enum.Name(LawNames, l, "Law") }

// Labels returns LawNames, the labels of a column of laws in a table.
func (Law) Labels() []string { return LawNames }

// MarshalText returns the name of the law, or an error for a value that has no name.
func (l Law) MarshalText() ([]byte, error) { return enum.Marshal(LawNames, l, "law") }

// UnmarshalText sets the law to that with the given name, one of LawNames.
func (l *Law) UnmarshalText(text []byte) error { return enum.Unmarshal(LawNames, l, "law", text) }

// entries returns the law as a law of package increments.
func (l Law) entries() increments.Law { return increments.Law(l) }
