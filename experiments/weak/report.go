package weak

import (
	"fmt"
	"io"
	"math"
	"slices"
	"text/tabwriter"

	"antipode/data"
	"antipode/experiments/run"
	"antipode/sde"
)

// Describe implements run.Experiment. The report of experiment weak has the fitted orders of convergence with
// their intervals.
func (*Experiment) Describe(out io.Writer, table *data.Table) error {
	rows, err := run.ReadRows[Row](New(), table)
	if err != nil {
		return err
	}
	fits := fitsOf(rows)
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprint(t, "order of the error of the mean of\tlaw")
	for _, name := range statisticNames {
		fmt.Fprint(t, "\t"+name)
	}
	for k, fit := range fits {
		if k > 0 && fit[0].Scheme == fits[k-1][0].Scheme && fit[0].Law == fits[k-1][0].Law {
			continue
		}
		fmt.Fprintf(t, "\n%s\t%s", fit[0].Scheme, fit[0].Law)
		for statistic := range Statistic(len(statisticNames)) {
			fmt.Fprint(t, "\t"+orderOf(fits, fit[0].Scheme, fit[0].Law, statistic))
		}
	}
	fmt.Fprintln(t)
	if err := t.Flush(); err != nil {
		return err
	}
	_, err = fmt.Fprintf(out,
		"\nBrackets contain the 95 %% interval. none: the error is smaller than its statistical error, "+
			"or is not a power of the depth.\nTheory predicts order 1, and order 2 for an extrapolation. "+
			"The reference is %s.\n", referenceText(fits[0]))
	return err
}

// orderOf returns the fitted order of convergence of a scheme, law and statistic as text. A table may lack
// the statistic.
func orderOf(fits [][]Row, scheme Scheme, law sde.Law, statistic Statistic) string {
	for _, fit := range fits {
		if r := fit[0]; r.Scheme == scheme && r.Law == law && r.Statistic == statistic {
			return r.orderText()
		}
	}
	return "left out"
}

// orderText returns the fitted order of convergence in a row, with its interval, as text.
func (r Row) orderText() string {
	if math.IsNaN(r.Order) {
		return "none"
	}
	return fmt.Sprintf("%.2f (%.2f to %.2f)", r.Order, r.OrderLow, r.OrderHigh)
}

// referenceText names the value to which the errors in a table refer, as its first group of rows shows. A row
// with that value itself has no error.
func referenceText(fit []Row) string {
	if slices.ContainsFunc(fit, func(r Row) bool { return math.IsNaN(r.Error) }) {
		return "the value at the largest depth"
	}
	return "the mean from the Fokker-Planck equation"
}
