package stablerank

import (
	"fmt"
	"io"
	"math"

	"antipode/data"
	"antipode/overlap/spectrum"
	"antipode/sde/matrices"
)

// Describe implements run.Experiment. The report of experiment stable-rank has a line for each kind of
// network and layer, or for each Transformer and number of tokens.
func (*Experiment) Describe(w io.Writer, table *data.Table) error {
	if ofModels(table) {
		return describeModels(w, table)
	}
	s := New()
	curves, err := readCurves(s, table)
	if err != nil {
		return err
	}
	for _, c := range curves {
		last := c.Last()
		text := fmt.Sprintf("%v, layer %d: stable rank %.6g at T = %g", c.Kind, c.Layer, 1+last.Value,
			last.Tokens)
		if c.Gap != matrices.KeepGap {
			text += ", proportional to " + c.Plus(1).Rate(2./3).String()
			if !math.IsNaN(last.Limit) {
				text += fmt.Sprintf("; over T it is %.4g, in the limit %.4g", (1+last.Value)/last.Tokens,
					(1+last.Limit)/last.Tokens)
			}
		} else {
			text += ", its excess over 1 proportional to " + c.Rate(1).String()
			if !math.IsNaN(last.Limit) {
				exponent, factor := spectrum.StableRankExcess(c.Layer, s.Ratio, s.Law.Deviation())
				text += fmt.Sprintf("; it is 1 + %.4g T^%d, in the limit 1 + %.4g T^%d",
					last.Value*math.Pow(last.Tokens, float64(-exponent)), exponent, factor, exponent)
			}
		}
		if _, err := fmt.Fprintln(w, text+"."); err != nil {
			return err
		}
	}
	return nil
}
