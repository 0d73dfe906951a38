package simulate

import "slices"

// snapshots are the rows of the first trajectory by increasing time, those of a time together, and only where
// there are as many as the size says. The function says of a row its trajectory and time, and whether it
// counts.
func snapshots[Row any](
	rows []Row, size int, of func(Row) (trajectory int64, time float64, counts bool),
) (all [][]Row) {
	var first int64
	var last float64
	for k, r := range rows {
		trajectory, time, counts := of(r)
		if k == 0 {
			first = trajectory
		}
		if trajectory != first || !counts {
			continue
		}
		if len(all) == 0 || time != last {
			all, last = append(all, nil), time
		}
		all[len(all)-1] = append(all[len(all)-1], r)
	}
	return slices.DeleteFunc(all, func(rows []Row) bool { return len(rows) != size })
}
