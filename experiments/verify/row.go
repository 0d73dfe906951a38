package verify

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"antipode/data"
	"antipode/experiments/run"
	"antipode/experiments/wording"
	"antipode/internal/lists"
)

// Row is a row of the table of experiment verify: the verdict on one claim.
type Row struct {
	ID         claimID   `column:"id,open" meaning:"name of the claim"`
	_          struct{}  `meaning:"set of the claim (a paper, or training), and its place in the paper;"`
	_          struct{}  `meaning:"new for a claim that no paper makes"`
	Source     source    `column:"source,open"`
	Claim      statement `column:"claim,open" meaning:"statement of the claim"`
	_          struct{}  `meaning:"number that the claim predicts, for the first comparison that fails, or"`
	_          struct{}  `meaning:"for the first comparison if none fails"`
	Predicted  float64   `column:"predicted,nullable"`
	_          struct{}  `meaning:"number that was measured to be compared with the predicted one; null if"`
	_          struct{}  `meaning:"it is not a number"`
	Measured   float64   `column:"measured,nullable"`
	_          struct{}  `meaning:"standard error of the measured number; 0 where nothing is random"`
	Stderr     float64   `column:"stderr,nullable"`
	_          struct{}  `meaning:"holds if all comparisons of the claim hold; undecided if the samples of"`
	_          struct{}  `meaning:"the claim end before a comparison is decided; a claim on training differs"`
	_          struct{}  `meaning:"at this size if the sign is opposite for every seed, and is undecided if"`
	_          struct{}  `meaning:"seeds disagree"`
	Verdict    verdict   `column:"verdict"`
	_          struct{}  `meaning:"bound on the probability that chance alone makes the claim fail; for a"`
	_          struct{}  `meaning:"claim on training, that chance alone makes it hold"`
	FalseAlarm float64   `column:"false_alarm,nullable"`
}

// The texts of a claim are labels in the table. The labels of a table are the texts of its own claims. A
// table of an older version may have labels that are no longer the text of any claim.
type (
	claimID   string
	source    string
	statement string
)

func (claimID) Labels() []string   { return distinct(Claims(), Claim.id) }
func (source) Labels() []string    { return distinct(Claims(), Claim.reference) }
func (statement) Labels() []string { return distinct(Claims(), Claim.statement) }

// onTraining reports whether the row is about a claim on training.
func (r Row) onTraining() bool { return strings.HasPrefix(string(r.Source), Training+", ") }

func (c Claim) id() string        { return c.ID }
func (c Claim) statement() string { return c.Statement }

// reference returns the set of the claim and its source.
func (c Claim) reference() string { return c.Set + ", " + c.Source }

// distinct returns the different values of one of the texts of the claims, in order.
func distinct(claims []Claim, text func(c Claim) string) (all []string) {
	for _, c := range claims {
		if t := text(c); !slices.Contains(all, t) {
			all = append(all, t)
		}
	}
	return all
}

// verdict says whether a claim or a comparison holds.
type verdict int8

const (
	fails verdict = iota
	holds
	differs   // a claim on training whose opposite is true for all seeds
	undecided // needs more samples than a claim may take
)

var verdictNames = [...]string{"fails", "holds", "differs at this size", "undecided"}

// Labels implements data.Labelled.
func (verdict) Labels() []string { return verdictNames[:] }

// String returns the verdict in words.
func (v verdict) String() string { return verdictNames[v] }

// columnsOf returns the columns of a table of the given claims, with the texts of only these claims as
// labels.
func columnsOf(claims []Claim) []data.Column {
	columns := data.ColumnsOf[Row]()
	for k, text := range []func(c Claim) string{Claim.id, Claim.reference, Claim.statement} {
		columns[k].Labels = distinct(claims, text)
	}
	return columns
}

// relabelled returns a sink for rows with the labels of all claims. The sink writes these rows to a table
// that has only the labels of the given columns.
func relabelled(table data.Sink, columns []data.Column) data.Sink {
	all := data.ColumnsOf[Row]()
	return data.SinkFunc(func(values ...data.Values) error {
		for k, v := range values {
			if codes, labels := v.(data.Slice[int8]); labels {
				for row, code := range codes {
					codes[row] = int8(slices.Index(columns[k].Labels, all[k].Labels[code]))
				}
			}
		}
		return table.Write(values...)
	})
}

// row returns the result of a claim as a row of the table.
func (r Result) row() Row {
	return Row{
		ID: claimID(r.Claim.ID), Source: source(r.Claim.reference()), Claim: statement(r.Claim.Statement),
		Predicted: r.Predicted, Measured: r.Measured, Stderr: r.StandardError, Verdict: r.Verdict,
		FalseAlarm: r.FalseAlarm,
	}
}

// widest returns the largest number of characters of a text of the claims.
func widest(claims []Claim, text func(c Claim) string) int {
	return lists.Max(0, claims, func(c Claim) int { return utf8.RuneCountInString(text(c)) })
}

// writeLine writes a row of the table as a line of text. The columns of text have the same widths whichever
// claims are shown.
func writeLine(w io.Writer, id, source, claim, predicted, measured, stderr, verdict string) error {
	all := Claims()
	_, err := fmt.Fprintf(w, "%-*s  %-*s  %-*s  %11s  %11s  %9s  %s\n",
		widest(all, Claim.id), id, widest(all, Claim.reference), source, widest(all, Claim.statement), claim,
		predicted, measured, stderr, verdict)
	return err
}

// Head writes the line with the names of the columns, which comes before the lines of the rows.
func Head(w io.Writer) error {
	return writeLine(w, "id", "source", "claim", "predicted", "measured", "stderr", "verdict")
}

// Describe writes the row as a line of text.
func (r Row) Describe(w io.Writer) error {
	return writeLine(w, string(r.ID), string(r.Source), string(r.Claim), fmt.Sprintf("%.5g", r.Predicted),
		fmt.Sprintf("%.5g", r.Measured), fmt.Sprintf("%.2g", r.Stderr), r.Verdict.String())
}

// Describe implements run.Experiment. The report of experiment verify has a line for each claim, and a
// sentence that summarises the verdicts.
func (*Experiment) Describe(w io.Writer, table *data.Table) error {
	rows, err := run.ReadRows[Row](New(), table)
	if err != nil {
		return err
	}
	if err := Head(w); err != nil {
		return err
	}
	for _, row := range rows {
		if err := row.Describe(w); err != nil {
			return err
		}
	}
	return Summarize(w, rows)
}

// Follow implements run.Follower. Follow writes a line for each claim as soon as its verdict is known.
func (e *Experiment) Follow(w io.Writer) (rows data.Sink, end func() error, err error) {
	var all []Row
	columns := e.Columns()
	take := func(values ...data.Values) error {
		part := data.NewTable(data.Schema{Columns: columns})
		if err := part.Write(values...); err != nil {
			return err
		}
		more, err := data.RowsOf[Row](part)
		for _, row := range more {
			if err == nil {
				err = row.Describe(w)
			}
		}
		all = append(all, more...)
		return err
	}
	return data.SinkFunc(take), func() error { return Summarize(w, all) }, Head(w)
}

// Summarize writes how many claims hold, and the probability that chance explains the claims that do not
// hold.
func Summarize(w io.Writer, rows []Row) error {
	var counts [len(verdictNames)]int
	trained, joint := 0, 0.0
	var open []string
	for _, row := range rows {
		counts[row.Verdict]++
		if row.Verdict == undecided {
			open = append(open, string(row.ID))
		}
		if row.onTraining() {
			trained++
		} else {
			joint += row.FalseAlarm
		}
	}
	text := fmt.Sprintf("%d of %s %s", counts[holds], wording.Count(len(rows), "claim"),
		wording.Agree(counts[holds], "holds", "hold"))
	if n := counts[differs]; n > 0 {
		text += fmt.Sprintf(", %d %s at this size", n, wording.Agree(n, "differs", "differ"))
	}
	if len(rows) > trained {
		text += fmt.Sprintf(". If all claims are true, the probability that one fails by chance is at "+
			"most %.2g", joint)
	}
	if trained > 0 {
		text += fmt.Sprintf(". Of networks that do not differ, a comparison on training holds by chance "+
			"with probability %.2g", math.Pow(2, -pairs))
	}
	if n := len(open); n > 0 {
		text += fmt.Sprintf(".\n%s %s undecided, as %s samples ended, or seeds disagree, before all "+
			"comparisons were decided: %s", wording.Count(n, "claim"), wording.Agree(n, "is", "are"),
			wording.Agree(n, "its", "their"), strings.Join(open, ", "))
	}
	_, err := fmt.Fprintln(w, text+".")
	return err
}
