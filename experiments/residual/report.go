package residual

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"text/tabwriter"

	"antipode/data"
	"antipode/experiments/run"
	"antipode/experiments/wording"
	"antipode/internal/lists"
)

// Describe implements run.Experiment. The report of experiment residual has a line for each regime and
// statistic of the tokens.
func (*Experiment) Describe(w io.Writer, table *data.Table) error {
	rows, err := run.ReadRows[Row](New(), table)
	if err != nil {
		return err
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "values\tscaling\tmean of\tat the smallest depth\tat the largest\tlimit\torder of "+
		"the error")
	for _, c := range curves(rows) {
		first, last := c[0], c[len(c)-1]
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n",
			first.Values.Labels()[first.Values], first.Scaling.Labels()[first.Scaling],
			first.Statistic.Labels()[first.Statistic], first.valueText(), last.valueText(),
			last.limitText(), orderText(c))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err = fmt.Fprintln(w,
		"\nWith identity value matrices, the scaling 1/L has the attention flow as its limit, and 1/√L has\n"+
			"no limit. With random value matrices, the scaling 1/√L has a stochastic differential equation\n"+
			"as its limit, and with 1/L tokens do not move.")
	return err
}

// curves groups the rows by regime and statistic. The rows of a group are ordered by depth.
func curves(rows []Row) (all [][]Row) {
	for _, of := range regimes {
		for statistic := range Statistic(kinds) {
			c := lists.Filter(rows, func(r Row) bool { return r.regime() == of && r.Statistic == statistic })
			if len(c) > 0 {
				slices.SortStableFunc(c, func(a, b Row) int { return cmp.Compare(a.Depth, b.Depth) })
				all = append(all, c)
			}
		}
	}
	return all
}

// orderText returns the order of the error in 1/L, estimated from the two least depths L, with the
// standard error that it would have if the errors at the two depths were independent. The text is "none" if
// no order can be estimated.
func orderText(c []Row) string {
	if len(c) < 2 {
		return "none"
	}
	a, b := c[0], c[1]
	apart := math.Log(float64(b.Depth) / float64(a.Depth))
	order := math.Log(math.Abs(a.Error/b.Error)) / apart
	stderr := math.Hypot(a.ErrorStderr/a.Error, b.ErrorStderr/b.Error) / apart
	if !(stderr < 0.5) { // or stderr is NaN or infinite, as one of the errors is 0
		return "none"
	}
	return fmt.Sprintf("%.2f ± %.2f", order, stderr)
}

// limitText returns the limit of the row. A limit that exists is unknown if the depths are too small.
func (r Row) limitText() string {
	if math.IsNaN(r.Limit) && r.regime() == (regime{Gaussian, InverseRoot}) {
		return "unknown"
	}
	return wording.OrNone(r.Limit)
}

// valueText returns the value of the row with its standard error.
func (r Row) valueText() string {
	if math.IsNaN(r.Value) {
		return "beyond float64"
	}
	return fmt.Sprintf("%.4f ± %.4f", r.Value, r.Stderr)
}
