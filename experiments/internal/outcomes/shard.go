package outcomes

import (
	"fmt"

	"antipode/data"
	"antipode/experiments/run"
)

// Counted is a row of a table of counts of trajectories. The table of a shard has the same rows as the
// complete table, but with the counts of the shard. The theory, and values computed from the counts, are null
// in a shard.
type Counted interface {
	// Tally returns the counts of trajectories in the row. The bound of the tally is NaN if no trajectory
	// ended early.
	Tally() Tally
}

// MergeTallies adds the counts in the tables of shards, which have a row for each cell and observation time,
// and passes the sums of each cell to write. If the table of a shard has too few or too many rows, the error
// names the shard.
func MergeTallies[Row Counted](
	shards []*data.Reader, cells, times int, trajectories int64,
	write func(cell int, tallies []Tally) error,
) error {
	streams := run.NewStreams(shards)
	for cell := range cells {
		tallies := newTallies(times)
		for k := range streams {
			if err := join[Row](tallies, &streams[k]); err != nil {
				return fmt.Errorf("cell %d: %w", cell, err)
			}
		}
		for k := range tallies {
			if n := tallies[k].Trajectories(); n != trajectories {
				return fmt.Errorf("the shards have %d trajectories of cell %d, not %d", n, cell, trajectories)
			}
		}
		if err := write(cell, tallies); err != nil {
			return err
		}
	}
	return run.EndAll(streams)
}

// join adds the counts in the next rows of a shard, one row for each tally, to the tallies.
func join[Row Counted](tallies []Tally, shard *run.Stream) error {
	return shard.Take(len(tallies), func(part *data.Table) error {
		rows, err := data.RowsOf[Row](part)
		if err != nil {
			return fmt.Errorf("%s: %w", shard.Name, err)
		}
		for k, row := range rows {
			tallies[k].join(row.Tally())
		}
		tallies = tallies[len(rows):]
		return nil
	})
}
