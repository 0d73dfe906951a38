package verify

import (
	"fmt"
	"io"
	"unicode/utf8"

	"antipode/data"
	"antipode/experiments/columns"
)

// widest is the largest number of letters of a text of the claims.
func widest(claims []Claim, text func(c Claim) string) int {
	most := 0
	for _, c := range claims {
		most = max(most, utf8.RuneCountInString(text(c)))
	}
	return most
}

// Head writes the line above those of DescribeRow.
func Head(w io.Writer) error {
	_, err := fmt.Fprintf(w, lineFormat, widths("id", "source", "claim", "predicted", "measured", "stderr", "verdict")...)
	return err
}

const lineFormat = "%-*s  %-*s  %-*s  %11s  %11s  %9s  %s\n"

// widths are the arguments of lineFormat. The columns are the same whatever claims are shown.
func widths(id, source, claim, predicted, measured, stderr, verdict string) []any {
	all := Claims()
	return []any{
		widest(all, func(c Claim) string { return c.ID }), id, widest(all, Claim.place), source,
		widest(all, func(c Claim) string { return c.Statement }), claim, predicted, measured, stderr, verdict,
	}
}

// DescribeRow writes the line of a row of a table of verdicts.
func DescribeRow(w io.Writer, table *data.Table, row int) error {
	r := columns.Reader{Table: table}
	label := func(name string) string {
		codes := columns.Of[int8](&r, name)
		if r.Err != nil {
			return ""
		}
		return table.Schema.Columns[table.Schema.Index(name)].Labels[codes[row]]
	}
	number := func(name, format string) string {
		values := columns.Of[float64](&r, name)
		if r.Err != nil {
			return ""
		}
		return fmt.Sprintf(format, values[row])
	}
	arguments := widths(label("id"), label("source"), label("claim"),
		number("predicted", "%.5g"), number("measured", "%.5g"), number("stderr", "%.2g"), label("verdict"))
	if r.Err != nil {
		return r.Err
	}
	_, err := fmt.Fprintf(w, lineFormat, arguments...)
	return err
}

// Describe implements Experiment: a line a claim, and a sentence.
func (v *Verification) Describe(w io.Writer, table *data.Table) error {
	if err := Head(w); err != nil {
		return err
	}
	for row := range table.Rows() {
		if err := DescribeRow(w, table, row); err != nil {
			return err
		}
	}
	return Summarize(w, table)
}

// Summarize writes how many claims hold, and how far chance may be the reason for those
// that do not.
func Summarize(w io.Writer, table *data.Table) error {
	r := columns.Reader{Table: table}
	verdict, falseAlarm := columns.Of[int8](&r, "verdict"), columns.Of[float64](&r, "false_alarm")
	if r.Err != nil {
		return r.Err
	}
	holds, joint := 0, 0.0
	for k, v := range verdict {
		holds += int(v)
		joint += falseAlarm[k]
	}
	_, err := fmt.Fprintf(w, "%d of %d claims hold. If all are true, one fails by chance with probability at most %.2g.\n", holds, len(verdict), joint)
	return err
}
