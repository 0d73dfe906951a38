package clustering

import (
	"fmt"
	"io"
	"math"
	"text/tabwriter"

	"antipode/data"
)

// Describe implements Experiment: the fitted orders with their intervals.
func (w *Weak) Describe(out io.Writer, table *data.Table) error {
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
		"Theory has order 1, and 2 for an extrapolation. The reference is %s.\n", w.referenceText())
	return err
}

func (f *weakFit) orderText() string {
	if math.IsNaN(f.order) {
		return "none"
	}
	return fmt.Sprintf("%.2f (%.2f to %.2f)", f.order, f.orderLow, f.orderUp)
}

func (w *Weak) referenceText() string {
	if w.Tokens == 2 {
		return "the mean by the Fokker-Planck equation"
	}
	return "the value at the greatest depth"
}
