package simulate

import (
	"fmt"
	"slices"

	"antipode/data"
	"antipode/experiments/figure"
	"antipode/experiments/run"
)

// snapshots returns the rows of the first trajectory of a digest, grouped by time in ascending order. Times
// whose number of rows is not size are left out. If no time is left, the error names the content of the
// table, which is the argument what. The function of returns the trajectory and time of a row, and whether
// the row counts.
func snapshots[Row any](
	digest *data.Table, what string, size int, of func(Row) (at Moment, counts bool),
) (all [][]Row, err error) {
	rows, err := run.RowsOf[Row](digest)
	if err != nil {
		return nil, err
	}
	var first, last Moment
	for k, r := range rows {
		at, counts := of(r)
		if k == 0 {
			first = at
		}
		if at.Trajectory != first.Trajectory || !counts {
			continue
		}
		if len(all) == 0 || at != last {
			all, last = append(all, nil), at
		}
		all[len(all)-1] = append(all[len(all)-1], r)
	}
	all = slices.DeleteFunc(all, func(rows []Row) bool { return len(rows) != size })
	if len(all) == 0 {
		err = fmt.Errorf("%w: no %s is whole", run.ErrNoRows, what)
	}
	return all, err
}

// drawMaps arranges heat maps in rows of up to three maps, with their common colour scale beside them.
func drawMaps(maps []*figure.Plot, bar figure.ColorBar, caption string) (*figure.Figure, error) {
	const columns = 3
	var rows []figure.Row
	for some := range slices.Chunk(maps, columns) {
		row := figure.Row{Columns: min(columns, len(maps))}
		for _, p := range some {
			row.Panels = append(row.Panels, figure.Panel{Plot: p, ToScale: true})
		}
		rows = append(rows, row)
	}
	return figure.Stack(figure.Width, height, rows, &bar, caption)
}
