package weak

import (
	"antipode/data"
	"antipode/experiments/columns"
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
	c := columns.Reader{Table: table}
	scheme, law, statistic := columns.Of[int8](&c, "scheme"), columns.Of[int8](&c, "law"), columns.Of[int8](&c, "statistic")
	depth, stderr, difference := columns.Of[int32](&c, "depth"), columns.Of[float64](&c, "stderr"), columns.Of[float64](&c, "error")
	order, low, high := columns.Of[float64](&c, "order"), columns.Of[float64](&c, "order_low"), columns.Of[float64](&c, "order_high")
	if c.Err == nil && len(scheme) == 0 {
		c.Err = columns.ErrNoRows
	}
	if c.Err != nil {
		return nil, c.Err
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
