package weak

import (
	"fmt"
	"io"
	"math"
	"slices"
	"text/tabwriter"

	"antipode/data"
)

// Describe implements Experiment: the fitted orders with their intervals.
func (*Experiment) Describe(out io.Writer, table *data.Table) error {
	fits, err := readWeak(table)
	if err != nil {
		return err
	}
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprint(t, "order of the error of the mean of\tlaw")
	for _, name := range statisticNames {
		fmt.Fprint(t, "\t"+name)
	}
	for k, f := range fits {
		if k%len(statisticNames) == 0 {
			fmt.Fprintf(t, "\n%s\t%s", f.scheme, f.law)
		}
		fmt.Fprint(t, "\t"+f.orderText())
	}
	fmt.Fprintln(t)
	if err := t.Flush(); err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "\nIn brackets the 95 %% interval; none: the error is lost in the noise, or no power of the depth.\n"+
		"Theory has order 1, and 2 for an extrapolation. The reference is %s.\n", referenceText(fits[0]))
	return err
}

func (f *weakFit) orderText() string {
	if math.IsNaN(f.order) {
		return "none"
	}
	return fmt.Sprintf("%.2f (%.2f to %.2f)", f.order, f.orderLow, f.orderUp)
}

// referenceText names the reference of a table by its first fit: a value that is the reference itself
// has no error.
func referenceText(f weakFit) string {
	if slices.ContainsFunc(f.error, math.IsNaN) {
		return "the value at the greatest depth"
	}
	return "the mean by the Fokker-Planck equation"
}
