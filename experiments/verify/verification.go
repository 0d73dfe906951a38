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
	"antipode/sde/ordered"
)

// Verification is a verdict on claims, each by its own measurement.
type Verification struct {
	Only []string `json:"only"` // ids of claims, in any order; nil for all
}

// NewVerification returns the verification of all claims.
func NewVerification() *Verification { return &Verification{} }

// Name implements Experiment.
func (*Verification) Name() string { return "verify" }

// Help implements Experiment.
func (*Verification) Help() (summary, description string) {
	return "a verdict on every claim of the papers and of this program", `Measures what each claim says and prints a line with the predicted and the measured
number, the standard error (0 where nothing is random) and the verdict. A claim fails
if one of its comparisons does, by more than chance explains or for lack of power; the
exit code is 1 if one fails. The last line says how likely chance alone makes a true
claim fail. Writes a file only with --out.

Example: antipode verify --only thm2-below,thm2-above`
}

// Parameters implements Experiment.
func (v *Verification) Parameters() []parameter.Parameter {
	return []parameter.Parameter{{Name: "only", Meaning: "the claims to measure", Value: ids{&v.Only}}}
}

// Paper implements Experiment.
func (*Verification) Paper() {}

// Validate implements Experiment.
func (v *Verification) Validate() error { return parameter.Check(v.Parameters()) }

// Claims are those that are measured.
func (v *Verification) Claims() []Claim {
	if v.Only == nil {
		return Claims()
	}
	return slices.DeleteFunc(Claims(), func(c Claim) bool { return !slices.Contains(v.Only, c.ID) })
}

// The verdicts.
var verdicts = []string{"fails", "holds"}

// Columns implements Experiment.
func (v *Verification) Columns() []data.Column {
	label := func(name, meaning string, of func(c Claim) string) data.Column {
		column := data.Column{Name: name, Kind: data.Label, Meaning: meaning}
		for _, c := range v.Claims() {
			if text := of(c); !slices.Contains(column.Labels, text) {
				column.Labels = append(column.Labels, text)
			}
		}
		return column
	}
	number := func(name, meaning string) data.Column {
		return data.Column{Name: name, Kind: data.Float64, Meaning: meaning, Nullable: true}
	}
	return []data.Column{
		label("id", "the claim's name", func(c Claim) string { return c.ID }),
		label("source", "where it is made", Claim.place),
		label("claim", "what it says", func(c Claim) string { return c.Statement }),
		number("predicted", "number that the claim predicts, of the first comparison that fails or else of the first"),
		number("measured", "number that was measured; null if it is none"),
		number("stderr", "standard error of measured, 0 where nothing is random"),
		{Name: "verdict", Kind: data.Label, Labels: verdicts, Meaning: "holds if all comparisons of the claim do"},
		number("false_alarm", "bound on the probability that chance alone makes the claim fail"),
	}
}

// place is the claim's source with that of its set.
func (c Claim) place() string { return c.Set + ", " + c.Source }

// Refuted is the error of a verification of which claims fail.
type Refuted struct{ Results []Result }

// Error names the claims that fail, each with the comparison that does.
func (e *Refuted) Error() string {
	var names []string
	for _, r := range e.Results {
		names = append(names, fmt.Sprintf("%s (%s)", r.Claim.ID, r.What))
	}
	if len(names) == 1 {
		return "1 claim fails: " + names[0]
	}
	return fmt.Sprintf("%d claims fail: %s", len(names), strings.Join(names, ", "))
}

// Run implements Experiment: a row as soon as a claim and those before it are measured,
// several at a time. If claims fail, the error is a *Refuted after the last row.
func (v *Verification) Run(ctx context.Context, options run.Options, table data.Sink) error {
	if err := v.Validate(); err != nil {
		return err
	}
	return v.compare(ctx, options, genuine, table)
}

// compare is Run of what is made by some makers.
func (v *Verification) compare(ctx context.Context, options run.Options, of makers, table data.Sink) error {
	claims, columns := v.Claims(), v.Columns()
	check := func(ctx context.Context, k int64) (Result, error) {
		return claims[k].check(&laboratory{context: ctx, seed: options.Seed, makers: of})
	}
	var failed []Result
	err := ordered.Each(ctx, options.Workers, int64(len(claims)), nil, func() func(context.Context, int64) (Result, error) { return check }, func(k int64, r Result) error {
		if !r.Holds {
			failed = append(failed, r)
		}
		if err := r.write(table, columns); err != nil {
			return err
		}
		options.Tell(run.State{Done: k + 1, Total: int64(len(claims))})
		return nil
	})
	if err == nil && failed != nil {
		err = &Refuted{failed}
	}
	return err
}

func (r Result) write(table data.Sink, columns []data.Column) error {
	code := func(column int, text string) []int8 { return []int8{int8(slices.Index(columns[column].Labels, text))} }
	verdict := int8(0)
	if r.Holds {
		verdict = 1
	}
	return table.Write(data.Slice[int8](code(0, r.Claim.ID)), data.Slice[int8](code(1, r.Claim.place())), data.Slice[int8](code(2, r.Claim.Statement)),
		data.Slice[float64]{r.Predicted}, data.Slice[float64]{r.Measured}, data.Slice[float64]{r.StandardError}, data.Slice[int8]{verdict}, data.Slice[float64]{r.FalseAlarm})
}

// Draw implements Experiment: verdicts are no figure.
func (*Verification) Draw(*data.Table) (*figure.Figure, error) { return nil, figure.ErrNone }

// List writes two lines for each claim: what it says, and which wrong program it catches.
func (v *Verification) List(w io.Writer) error {
	for _, c := range v.Claims() {
		id, place := widest(Claims(), func(c Claim) string { return c.ID }), widest(Claims(), Claim.place)
		if _, err := fmt.Fprintf(w, "%-*s  %-*s  %s\n%*s  catches %s\n", id, c.ID, place, c.place(), c.Statement,
			id+2+place, "", c.Catches); err != nil {
			return err
		}
	}
	return nil
}
