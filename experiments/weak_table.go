package experiments

import (
	"antipode/data"
	"antipode/sde"
)

// weakFit is the rows of one scheme, law and statistic, in the order of depths.
type weakFit struct {
	scheme, law, statistic   string
	depth, error, stderr     []float64
	order, orderLow, orderUp float64
}

// readWeak returns the fits of a table of Weak in the order of their first rows.
func readWeak(table *data.Table) ([]weakFit, error) {
	c := columns{table: table}
	scheme, law, statistic := column[int8](&c, "scheme"), column[int8](&c, "law"), column[int8](&c, "statistic")
	depth, stderr, difference := column[int32](&c, "depth"), column[float64](&c, "stderr"), column[float64](&c, "error")
	order, low, high := column[float64](&c, "order"), column[float64](&c, "order_low"), column[float64](&c, "order_high")
	if c.err == nil && len(scheme) == 0 {
		c.err = errNoRows
	}
	if c.err != nil {
		return nil, c.err
	}
	var fits []weakFit
	at := map[[3]int8]int{}
	for k := range scheme {
		key := [3]int8{scheme[k], law[k], statistic[k]}
		i, ok := at[key]
		if !ok {
			i = len(fits)
			at[key] = i
			fits = append(fits, weakFit{
				scheme: weakSchemes()[scheme[k]], law: sde.LawNames[law[k]], statistic: statisticNames[statistic[k]],
				order: order[k], orderLow: low[k], orderUp: high[k],
			})
		}
		f := &fits[i]
		f.depth = append(f.depth, float64(depth[k]))
		f.error, f.stderr = append(f.error, difference[k]), append(f.stderr, stderr[k])
	}
	return fits, nil
}
