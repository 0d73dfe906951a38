package outcomes

import (
	"fmt"

	"antipode/data"
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
// and passes the sums of each cell to write.
func MergeTallies[Row Counted](
	shards []*data.Reader, cells, times int, trajectories int64,
	write func(cell int, tallies []Tally) error,
) error {
	streams := make([]*rowStream[Row], len(shards))
	for k, reader := range shards {
		streams[k] = &rowStream[Row]{reader: reader}
	}
	for cell := range cells {
		tallies := newTallies(times)
		for k := range tallies {
			for n, s := range streams {
				row, err := s.next()
				if err != nil {
					return fmt.Errorf("shard %d/%d, cell %d: %w", n, len(streams), cell, err)
				}
				tallies[k].join(row.Tally())
			}
			if n := tallies[k].Trajectories(); n != trajectories {
				return fmt.Errorf("the shards have %d trajectories of cell %d, not %d", n, cell, trajectories)
			}
		}
		if err := write(cell, tallies); err != nil {
			return err
		}
	}
	return nil
}

// rowStream reads the table of a shard row by row.
type rowStream[Row any] struct {
	reader *data.Reader
	rows   []Row
}

func (s *rowStream[Row]) next() (row Row, err error) {
	for len(s.rows) == 0 {
		table, err := s.reader.Next()
		if err != nil {
			return row, fmt.Errorf("its row is missing: %w", err)
		}
		if s.rows, err = data.RowsOf[Row](table); err != nil {
			return row, err
		}
	}
	row, s.rows = s.rows[0], s.rows[1:]
	return row, nil
}
