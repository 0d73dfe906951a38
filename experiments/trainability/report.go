package trainability

import (
	"fmt"
	"io"

	"antipode/data"
	"antipode/experiments/internal/networks"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/experiments/wording"
	"antipode/overlap/propagation"
)

// Describe implements run.Experiment: what fails where, and the recommended initialisation.
func (*Experiment) Describe(w io.Writer, table *data.Table) error {
	t := New()
	rows, err := run.ReadRows[Row](t, table)
	if err != nil {
		return err
	}
	counts := make([]int, len(propagation.VerdictNames))
	for _, r := range rows {
		counts[r.Verdict]++
	}
	text := fmt.Sprintf("%s, %s: of %s", t.Block, wording.Count(t.Depth, "layer"),
		wording.Count(len(rows), "cell"))
	for v, name := range propagation.VerdictNames {
		separator := []string{" ", ", ", " and "}[v]
		text += fmt.Sprintf("%s%d %s", separator, counts[v], name)
	}
	best, exists, err := propagation.Recommend(t.block(0, 0), t.start(), int(t.Depth), t.Collapse)
	switch {
	case err != nil:
		text += ".\nThere is no recommendation: " + networks.Reason(err)
	case !exists:
		text += fmt.Sprintf(".\nNo strength α_SA keeps the cosine at or below %s",
			parameter.FormatReal(t.Collapse))
	default:
		text += fmt.Sprintf(".\nRecommended: α_SA ≥ %.6g, so that the cosine stays at or below %s, "+
			"and β ≤ %.6g, half of the least critical β,\n"+
			"that is query and key weights of variance at most %.6g √log T / d", best.AlphaSA,
			parameter.FormatReal(t.Collapse), best.Beta, best.Beta)
	}
	_, err = fmt.Fprintln(w, text+".")
	return err
}
