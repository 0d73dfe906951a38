package verify

import (
	"fmt"
	"slices"
	"strings"

	"antipode/experiments/parameter"
	"antipode/internal/lists"
)

// The sets of claims, one for each paper and one for all claims on training.
const (
	Clustering   = "clustering"    // Fedorov et al., Clustering in Deep Stochastic Transformers
	Propagation  = "propagation"   // Giorlandino and Goldt, Two Failure Modes of Deep Transformers
	RankCollapse = "rank-collapse" // Noci et al., Signal Propagation in Transformers
	Spectra      = "spectra"       // Mind the Gap: a Spectral Analysis of Rank Collapse
	Training     = "training"      // claims on training of all papers; slow, so not by default
)

// Sets are the names of the sets of claims.
var Sets = []string{Clustering, Propagation, RankCollapse, Spectra, Training}

// Claim is a statement together with a measurement that can refute the statement.
type Claim struct {
	ID        string
	Set       string
	Source    string // place in the set's paper; "new" for claims of no paper
	Statement string // one line: what the claim says
	Catches   string // one line: a wrong program for which the claim fails

	measure func(f *fixture, r *report)
}

// Claims returns all claims in the order in which they are listed and measured.
func Claims() []Claim {
	return slices.Concat(convergence, pathClaims, overlapLemmas, theorem2, proposition1, massesClaims,
		pairClaims, beyondClaims, mlpClaims, crowdClaims, figures, corrections, attentionClaims, blocks,
		networks, rankCollapse, spectra, spectraProducts, trainingClaims)
}

// Result is the verdict on a claim and the comparison that shows it.
type Result struct {
	Claim Claim
	// What describes the comparison that is shown: the first comparison that failed, or else the first
	// comparison that is undecided, or else the first comparison.
	What                               string
	Predicted, Measured, StandardError float64 // StandardError is 0 where nothing is random
	Comparisons                        int     // number of comparisons made
	Verdict                            verdict
	// FalseAlarm bounds the probability that the claim fails although its statement is true. For a claim on
	// training, FalseAlarm bounds the probability that the claim holds although the compared networks do not
	// differ.
	FalseAlarm float64
}

// check measures a claim with more and more samples until the claim is decided or its budget of samples is
// used up. The result depends only on the claim, the seed and the program under test.
func (c Claim) check(f *fixture) (result Result, err error) {
	var r report
	for _, f.share = range shares {
		if err := c.look(f, &r); err != nil {
			return Result{}, err
		}
		if result = r.result(c); result.Verdict != undecided || c.Set == Training {
			break // trained networks do not depend on the number of samples
		}
	}
	return result, nil
}

// look measures a claim once, with the number of samples in the fixture.
func (c Claim) look(f *fixture, r *report) (err error) {
	r.again()
	defer func() {
		switch e := recover().(type) {
		case nil:
		case broken:
			err = fmt.Errorf("claim %s: %w", c.ID, e.error)
		default:
			panic(e)
		}
	}()
	c.measure(f, r)
	return nil
}

// broken wraps the error that ends the measurement of a claim. The function ensure panics with a broken error
// and look recovers it, so that the code of a measurement needs no error handling.
type broken struct{ error }

// ensure ends the measurement of a claim if err is not nil.
func ensure(err error) {
	if err != nil {
		panic(broken{err})
	}
}

// must returns a value, and ends the measurement of a claim if err is not nil.
func must[T any](value T, err error) T {
	ensure(err)
	return value
}

// ids is a parameter value: a list of ids of claims, or nil for all claims.
type ids struct{ field *[]string }

const allClaims = "all"

// Set implements parameter.Value.
func (v ids) Set(text string) error {
	if text == allClaims {
		*v.field = nil
		return nil
	}
	given := strings.Split(text, ",")
	if err := (ids{&given}).Check(); err != nil {
		return err
	}
	*v.field = given
	return nil
}

// String implements parameter.Value.
func (v ids) String() string {
	if *v.field == nil {
		return allClaims
	}
	return strings.Join(*v.field, ",")
}

// Allowed implements parameter.Value. The claims are too many to be named in this text.
func (v ids) Allowed() string {
	return allClaims + ", or ids of claims, separated by commas, which antipode verify --list names"
}

// Placeholder implements parameter.Value.
func (v ids) Placeholder() string { return "IDS" }

// Check implements parameter.Value.
func (v ids) Check() error {
	if *v.field == nil {
		return nil
	}
	known := lists.Map(Claims(), Claim.id)
	for k, id := range *v.field {
		switch {
		case !slices.Contains(known, id):
			question := parameter.DidYouMean(id, known, parameter.Guessed)
			return fmt.Errorf("no claim is called %q%s; %w", id, question, parameter.MustBe(v))
		case slices.Contains((*v.field)[:k], id):
			return fmt.Errorf("%s is there twice; %w", id, parameter.MustBe(v))
		}
	}
	return parameter.CheckThat(len(*v.field) > 0, v)
}
