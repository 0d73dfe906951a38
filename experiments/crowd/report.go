package crowd

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"

	"antipode/data"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/experiments/wording"
)

// Describe implements run.Experiment. The report of experiment crowd has a line for each row, and a sentence
// for each dimension and each β below the boundary.
func (*Experiment) Describe(w io.Writer, table *data.Table) error {
	e := New()
	rows, err := run.ReadRows[Row](e, table)
	if err != nil {
		return err
	}
	t := wording.NewTable(w)
	fmt.Fprintln(t, "d\tβ\tN\tP(antipodal)\tby sides\timbalance\tone side won\tat time\t"+
		"slope\tpredicted\tdistance\tindependent\t")
	for _, series := range seriesOf(rows) {
		for _, r := range series {
			fmt.Fprintf(t, "%d\t%g\t%d\t%.3f\t%.3f\t%s\t%d\t%s\t%s\t%s\t%s\t%s\t\n", r.Dim, r.Beta, r.Tokens,
				r.PAntipodal, r.Sides, withError(r.Imbalance, r.ImbalanceStderr), r.Won,
				withError(r.Time, r.TimeStderr), withError(r.Slope, r.SlopeStderr),
				wording.OrNone(r.SlopePredicted), withError(r.Distance, r.DistanceStderr),
				wording.OrNone(r.Independent))
		}
	}
	text := ""
	for _, series := range seriesOf(rows) {
		text += "\n" + e.sentence(series)
	}
	return t.End(text)
}

// seriesOf groups the rows by dimension and β. The rows of a group are ordered by the number of tokens.
func seriesOf(rows []Row) [][]Row {
	rows = slices.Clone(rows)
	slices.SortFunc(rows, func(a, b Row) int {
		return cmp.Or(cmp.Compare(a.Dim, b.Dim), cmp.Compare(a.Beta, b.Beta), cmp.Compare(a.Tokens, b.Tokens))
	})
	type cell struct {
		dim  int32
		beta float64
	}
	return run.Groups(rows, func(r Row) cell { return cell{r.Dim, r.Beta} })
}

// sentence describes how the crowds of a dimension and a β evolve.
func (e *Experiment) sentence(series []Row) string {
	last := series[len(series)-1]
	where := fmt.Sprintf("d = %d, β = %s: ", last.Dim, parameter.FormatReal(last.Beta))
	switch {
	case attracts(int(last.Dim), last.Beta):
		return where + fmt.Sprintf("opposite clusters attract; with %s, %d of %s have two opposite "+
			"clusters at time %g.",
			wording.Count(last.Tokens, "token"), last.Antipodal,
			wording.Count(last.Trajectories, "trajectory"), e.Horizon)
	case math.IsNaN(last.Slope):
		return where + fmt.Sprintf("with %s, one side has won in %d of %s by time %g.",
			wording.Count(last.Tokens, "token"), last.Won, wording.Count(last.Trajectories, "trajectory"),
			e.Horizon)
	}
	sizes := e.sizes()
	before := sizes[max(0, slices.Index(sizes, int(last.Tokens))-1)]
	return where + fmt.Sprintf("one side wins; from %d to %d tokens the time until one side wins grows "+
		"by %s per unit of log N, and theory predicts %s.", before, last.Tokens,
		withError(last.Slope, last.SlopeStderr), wording.OrNone(last.SlopePredicted))
}

// withError returns a number with its standard error, which may be unknown, as text.
func withError(x, stderr float64) string {
	if math.IsNaN(x) || math.IsNaN(stderr) {
		return wording.OrNone(x)
	}
	return fmt.Sprintf("%.3g ± %.1g", x, stderr)
}
