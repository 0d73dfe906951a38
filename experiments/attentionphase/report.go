package attentionphase

import (
	"fmt"
	"io"

	"antipode/data"
	"antipode/experiments/figure"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/experiments/wording"
	"antipode/overlap/propagation"
)

// Describe implements run.Experiment. The report says how a row of attention changes with β, for up to six ρ.
func (*Experiment) Describe(w io.Writer, table *data.Table) error {
	a := New()
	rows, err := run.ReadRows[Row](a, table)
	if err != nil {
		return err
	}
	setting := "many tokens"
	if a.Tokens != nil {
		setting = fmt.Sprintf("%d tokens", *a.Tokens)
	}
	for _, rho := range figure.Spread(rhosOf(rows), 6) {
		critical := "no β_c"
		if rho < 1 {
			critical = fmt.Sprintf("β_c = %.6g", propagation.CriticalBeta(1, rho))
		}
		line := fmt.Sprintf("ρ = %s: %s", parameter.FormatReal(rho), critical)
		var last Row
		for _, v := range rows {
			if v.Rho == rho && v.Beta >= last.Beta {
				last = v
			}
		}
		attended := "all"
		if last.Y2 > 0 {
			attended = fmt.Sprintf("%.4g", 1/last.Y2)
		}
		line += fmt.Sprintf("; at β = %s a token attends to %s of %s, and the cosine after the layer is %s",
			parameter.FormatReal(last.Beta), attended, setting, wording.OrNone(last.Cosine))
		if _, err := fmt.Fprintln(w, line+"."); err != nil {
			return err
		}
	}
	return nil
}
