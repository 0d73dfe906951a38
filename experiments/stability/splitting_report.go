package stability

import (
	"fmt"
	"io"

	"antipode/data"
	"antipode/experiments/wording"
)

// describeSplitting writes a line for each cell, with the estimated lifetime and the number of layers that
// the estimate took.
func (s *Experiment) describeSplitting(w io.Writer, table *data.Table) error {
	rows, err := data.RowsOf[splitRow](table)
	if err != nil {
		return err
	}
	t := wording.NewTable(w)
	fmt.Fprintln(t, "masses\td\tβ\tlifetime\t95 % interval\ttheory\tlevels\tlayers\tplain layers\t")
	for _, r := range rows {
		time := wording.TimeOrNone
		fmt.Fprintf(t, "%d,%d\t%d\t%g\t%s\t%s to %s\t%s\t%d\t%.3g\t%s\t\n", r.First, r.Second, r.Dim, r.Beta,
			time(r.Lifetime), time(r.LifetimeLow), time(r.LifetimeHigh),
			time(r.LifetimeTheory), r.Levels, float64(r.Layers), wording.OrNone(r.Plain))
	}
	return t.End(fmt.Sprintf("\nA lifetime is the inverse of the rate at which the overlap reaches 0, "+
		"from multilevel splitting with %s of %s from one level to the next. Plain layers are the layers "+
		"that plain simulation would need for the same relative standard error. The theory is for "+
		"infinite depth.",
		wording.Count(s.Repetitions, "repetition"),
		wording.Count(s.Trajectories, "trajectory")))
}
