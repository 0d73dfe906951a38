package sde

import (
	"antipode/sde/internal/enum"
	"antipode/sde/internal/increments"
)

// Law is the law of an entry of the value matrices, with mean 0.
type Law int8

const (
	// Gaussian entries. They are not bounded, so Assumption 1 of the paper excludes them. But the figures of
	// the paper use them.
	Gaussian Law = iota
	// Uniform on ±σ√3.
	Uniform
	// TruncatedNormal: a normal law truncated at two standard deviations and rescaled to standard deviation
	// σ.
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

// Labels returns LawNames: a column of laws has these labels.
func (Law) Labels() []string { return LawNames }

// MarshalText returns the law's name, or an error if it has none.
func (l Law) MarshalText() ([]byte, error) { return enum.Marshal(LawNames, l, "law") }

// UnmarshalText takes one of LawNames.
func (l *Law) UnmarshalText(text []byte) error { return enum.Unmarshal(LawNames, l, "law", text) }

// entries converts the law to that of package increments.
func (l Law) entries() increments.Law { return increments.Law(l) }
