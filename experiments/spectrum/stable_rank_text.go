package spectrum

import (
	"fmt"
	"io"
	"math"

	"antipode/data"
	"antipode/experiments/columns"
	"antipode/experiments/run"
	"antipode/overlap/spectrum"
)

// widths are a quantity against the number of tokens, for one kind of network and one layer
// (of one depth).
type widths struct {
	kind
	layers, layer       int
	tokens, mean, error []float64
	limit, bound        []float64 // NaN where there is none
}

// curvesOf puts the rows of a table of a grid in curves, in the order of their first rows.
func curvesOf(r *columns.Reader, layers, layer []int32, mean, errors, limit, bound []float64) (curves []*widths) {
	kinds, tokens := readKinds(r)
	if r.Err == nil && len(kinds) == 0 {
		r.Err = columns.ErrNoRows
	}
	if r.Err != nil {
		return nil
	}
	type key struct {
		kind
		layers, layer int32
	}
	found := map[key]*widths{}
	for k := range kinds {
		at := key{kinds[k], layers[k], layer[k]}
		c := found[at]
		if c == nil {
			c = &widths{kind: kinds[k], layers: int(layers[k]), layer: int(layer[k])}
			found[at], curves = c, append(curves, c)
		}
		c.tokens, c.mean, c.error = append(c.tokens, float64(tokens[k])), append(c.mean, mean[k]), append(c.error, errors[k])
		c.limit, c.bound = append(c.limit, limit[k]), append(c.bound, bound[k])
	}
	return curves
}

// last is the row of the most tokens.
func (c *widths) last() int {
	best := 0
	for k, t := range c.tokens {
		if t > c.tokens[best] {
			best = k
		}
	}
	return best
}

func readStableRank(table *data.Table) (*StableRank, []*widths, error) {
	s := NewStableRank()
	if err := run.ReadParameters(s, table); err != nil {
		return nil, nil, err
	}
	r := columns.Reader{Table: table}
	layer, excess := columns.Of[int32](&r, "layer"), columns.Of[float64](&r, "excess")
	errors, limit := columns.Of[float64](&r, "excess_stderr"), columns.Of[float64](&r, "limit")
	curves := curvesOf(&r, repeat(int32(s.Layers), len(layer)), layer, excess, errors, limit, limit)
	return s, curves, r.Err
}

// ranks are the stable ranks of a curve.
func (c *widths) ranks() (ranks []float64) {
	for _, excess := range c.mean {
		ranks = append(ranks, 1+excess)
	}
	return ranks
}

// Describe implements Experiment: a line for each kind of network and layer.
func (*StableRank) Describe(w io.Writer, table *data.Table) error {
	s, curves, err := readStableRank(table)
	if err != nil {
		return err
	}
	for _, c := range curves {
		k := c.last()
		text := fmt.Sprintf("%v, layer %d: stable rank %.6g at T = %g", c.kind, c.layer, 1+c.mean[k], c.tokens[k])
		if c.gap == remove {
			text += ", " + rateText(fitRate(c.tokens, c.ranks(), c.error, 2./3))
			if !math.IsNaN(c.limit[k]) {
				text += fmt.Sprintf("; over T it is %.4g, in the limit %.4g", (1+c.mean[k])/c.tokens[k], (1+c.limit[k])/c.tokens[k])
			}
		} else {
			text += ", above 1 as " + rateText(fitRate(c.tokens, c.mean, c.error, 1))
			if !math.IsNaN(c.limit[k]) {
				exponent, factor := spectrum.StableRankExcess(c.layer, s.Ratio, lawOf(s.Law).Deviation())
				text += fmt.Sprintf("; it is 1 + %.4g T^%d, in the limit 1 + %.4g T^%d",
					c.mean[k]*math.Pow(c.tokens[k], float64(-exponent)), exponent, factor, exponent)
			}
		}
		if _, err := fmt.Fprintln(w, text+"."); err != nil {
			return err
		}
	}
	return nil
}
