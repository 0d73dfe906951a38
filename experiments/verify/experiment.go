package verify

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"antipode/data"
	"antipode/experiments/figure"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/experiments/wording"
	"antipode/internal/lists"
	"antipode/sde/ordered"
)

// Experiment measures claims and gives a verdict on each of them.
type Experiment struct {
	Sets []string `json:"set"`  // sets of claims to measure
	Only []string `json:"only"` // ids of claims, in any order; nil for all claims of the sets
}

// New returns the experiment that measures all claims except those on training, which take minutes.
func New() *Experiment {
	return &Experiment{Sets: []string{Clustering, Propagation, RankCollapse, Spectra}}
}

// Name implements run.Experiment.
func (*Experiment) Name() string { return "verify" }

// Help implements run.Experiment.
func (*Experiment) Help() (summary, description string) {
	return "a verdict on every claim of the papers and of this program",
		`Measures each claim and prints a line with the predicted and the measured number, the
standard error (0 if nothing is random) and the verdict. A claim draws samples until it is decided.
A claim fails if one of its comparisons differs by more than chance explains; the exit code is 1 if
a claim fails. A claim is undecided if its samples end before a decision; a line of its own says so,
and the exit code stays 0. The last lines give the probability that a true claim fails by chance.
Writes a file only with --out.

--set training measures statements of the papers about training, which takes minutes. Each statement
says that one of two networks learns less, and holds if that network learns less for every one of 8
seeds, which by chance alone has probability 1/256 at most. The statements are about larger networks
than those trained here. A statement that is reversed for every seed is therefore not refuted: the
verdict says that it differs at this size, and the exit code stays 0. If the seeds disagree, the
statement is undecided.

Examples: antipode verify --only thm2-below,thm2-above
          antipode verify --set training`
}

// Parameters implements run.Experiment.
func (e *Experiment) Parameters() []parameter.Parameter {
	return []parameter.Parameter{
		{Name: "set", Meaning: "sets of claims to measure",
			Value:        parameter.Choices{Field: &e.Sets, Names: Sets},
			Inapplicable: parameter.Unless(e.Only == nil, "has no effect beside --only; must be left out")},
		{Name: "only", Meaning: "claims to measure, from any set", Value: ids{&e.Only}},
	}
}

// Validate implements run.Experiment.
func (e *Experiment) Validate() error { return parameter.Check(e.Parameters()) }

// Claims returns the claims that the experiment measures.
func (e *Experiment) Claims() []Claim {
	return slices.DeleteFunc(Claims(), func(c Claim) bool {
		if e.Only == nil {
			return !slices.Contains(e.Sets, c.Set)
		}
		return !slices.Contains(e.Only, c.ID)
	})
}

// Columns implements run.Experiment.
func (e *Experiment) Columns() []data.Column { return columnsOf(e.Claims()) }

// Refuted is the error of an experiment in which claims failed.
type Refuted struct{ Results []Result }

// Error names the failed claims, each with the comparison that failed.
func (e *Refuted) Error() string {
	names := lists.Map(e.Results, func(r Result) string { return fmt.Sprintf("%s (%s)", r.Claim.ID, r.What) })
	n := len(names)
	return fmt.Sprintf("%s %s: %s", wording.Count(n, "claim"), wording.Agree(n, "fails", "fail"),
		strings.Join(names, ", "))
}

// Unwrap returns run.ErrFinding, so that the table counts as complete although claims failed.
func (*Refuted) Unwrap() error { return run.ErrFinding }

// Run implements run.Experiment. Run writes the row of a claim as soon as the claim and all claims before it
// are measured. Claims are measured concurrently. If claims fail, the error after the last row is a *Refuted.
func (e *Experiment) Run(ctx context.Context, options run.Options, table data.Sink) error {
	if err := e.Validate(); err != nil {
		return err
	}
	return e.compare(ctx, options, genuine, table)
}

// compare measures the claims on the program under test and writes their rows.
func (e *Experiment) compare(
	ctx context.Context, options run.Options, program subject, table data.Sink,
) error {
	claims, rows := e.Claims(), relabelled(table, e.Columns())
	check := func(ctx context.Context, k int64) (Result, error) {
		return claims[k].check(&fixture{context: ctx, seed: options.Seed, subject: program})
	}
	worker := func() func(context.Context, int64) (Result, error) { return check }
	var failed []Result
	write := func(k int64, r Result) error {
		if r.Verdict == fails {
			failed = append(failed, r)
		}
		if err := data.WriteRows(rows, r.row()); err != nil {
			return err
		}
		options.Report(run.State{Done: k + 1, Total: int64(len(claims))})
		return nil
	}
	options.Report(run.State{Total: int64(len(claims))})
	err := ordered.Each(ctx, options.Workers, int64(len(claims)), nil, worker, write)
	if err == nil && failed != nil {
		err = &Refuted{failed}
	}
	return err
}

// Draw implements run.Experiment. Verdicts on claims have no figure.
func (*Experiment) Draw(*data.Table) (*figure.Figure, error) { return nil, figure.ErrNone }

// List writes two lines for each claim: what the claim says, and which wrong program the claim catches.
func (e *Experiment) List(w io.Writer) error {
	id, reference := widest(Claims(), Claim.id), widest(Claims(), Claim.reference)
	for _, c := range e.Claims() {
		_, err := fmt.Fprintf(w, "%-*s  %-*s  %s\n%*s  catches %s\n",
			id, c.ID, reference, c.reference(), c.Statement, id+2+reference, "", c.Catches)
		if err != nil {
			return err
		}
	}
	return nil
}
