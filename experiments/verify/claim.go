package verify

import (
	"fmt"
	"slices"
)

// The sets of claims: one for each paper.
const (
	Clustering   = "clustering"    // Fedorov et al., Clustering in Deep Stochastic Transformers
	Propagation  = "propagation"   // Giorlandino and Goldt, Two Failure Modes of Deep Transformers
	RankCollapse = "rank-collapse" // Noci et al., Signal Propagation in Transformers
	Spectra      = "spectra"       // Mind the Gap: a Spectral Analysis of Rank Collapse
)

// Claim is a statement with a measurement that can refute it.
type Claim struct {
	ID        string
	Set       string
	Source    string // theorem, equation or figure of the set's paper; "new" for claims that are not in it
	Statement string // one line
	Catches   string // one line: what would be wrong with a program of which the claim fails

	measure func(l *laboratory, r *report) error
}

// Claims returns all claims, in the order in which they are listed and run.
func Claims() []Claim {
	return slices.Concat(theorem1, lemmas, theorem2, proposition1, masses, depth, figures, corrections, signal, networks, rankCollapse, spectra)
}

// Result is the verdict on a claim.
type Result struct {
	Claim Claim
	// The comparison that is shown: the first that failed, else the first.
	What                               string
	Predicted, Measured, StandardError float64 // StandardError is 0 where nothing is random
	Comparisons                        int     // that were made
	Holds                              bool
	// FalseAlarm bounds the probability that the claim fails although it is true.
	FalseAlarm float64
}

// check measures a claim. The result depends on the claim, the seed and what is compared
// alone.
func (c Claim) check(l *laboratory) (Result, error) {
	var r report
	if err := c.measure(l, &r); err != nil {
		return Result{}, fmt.Errorf("claim %s: %w", c.ID, err)
	}
	return r.result(c), nil
}
