package sde

import (
	"antipode/sde/internal/enum"
	"antipode/sde/internal/increments"
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

// entries is the law as increments are drawn from it.
func (l Law) entries() increments.Law { return increments.Law(l) }
