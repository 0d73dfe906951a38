package outcomes

import (
	"fmt"
	"math"

	"antipode/data"
	"antipode/experiments/columns"
	"antipode/sphere"
)

// A shard of a table of counts has the same rows, with what it has counted; what follows
// from the counts, and the theory, is null.

// Nulls are the values of columns that a shard leaves out, for one row.
func Nulls(n int) []data.Values {
	values := make([]data.Values, n)
	for k := range values {
		values[k] = data.Slice[float64]{math.NaN()}
	}
	return values
}

// Reals are the values of columns of real numbers, for one row.
func Reals(numbers ...float64) []data.Values {
	values := make([]data.Values, len(numbers))
	for k, x := range numbers {
		values[k] = data.Slice[float64]{x}
	}
	return values
}

// MergeTallies adds the counts of shards, which have a row for each cell and time.
func MergeTallies(shards []*data.Reader, cells, times int, trajectories int64, write func(cell int, tallies []Tally) error) error {
	streams := make([]*tallyStream, len(shards))
	for k, reader := range shards {
		streams[k] = &tallyStream{reader: reader}
	}
	for cell := range cells {
		tallies := newTallies(times)
		for k := range tallies {
			for n, s := range streams {
				t, err := s.next()
				if err != nil {
					return fmt.Errorf("shard %d/%d, cell %d: %w", n, len(streams), cell, err)
				}
				tallies[k].join(t)
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

// tallyStream reads the tallies of a shard row by row.
type tallyStream struct {
	reader  *data.Reader
	tallies []Tally
}

func (s *tallyStream) next() (t Tally, err error) {
	if len(s.tallies) == 0 {
		table, err := s.reader.Next()
		if err != nil {
			return t, fmt.Errorf("its row is missing: %w", err)
		}
		if s.tallies, err = readTallies(table); err != nil {
			return t, err
		}
	}
	t, s.tallies = s.tallies[0], s.tallies[1:]
	return t, nil
}

// readTallies reads the rows of a table of counts. Not all tables have pairs or bounds.
func readTallies(table *data.Table) ([]Tally, error) {
	tallies := newTallies(table.Rows())
	r := columns.Reader{Table: table}
	for name, field := range map[string]func(t *Tally) *int64{
		"single":         func(t *Tally) *int64 { return &t.Outcomes[sphere.Single] },
		"antipodal":      func(t *Tally) *int64 { return &t.Outcomes[sphere.Antipodal] },
		"unclustered":    func(t *Tally) *int64 { return &t.Outcomes[sphere.Unclustered] },
		"antipodal_pair": func(t *Tally) *int64 { return &t.Pair },
	} {
		if name == "antipodal_pair" && table.Schema.Index(name) < 0 {
			continue
		}
		for k, n := range columns.Of[int64](&r, name) {
			*field(&tallies[k]) = n
		}
	}
	if table.Schema.Index("stop_bound") >= 0 {
		for k, x := range columns.Of[float64](&r, "stop_bound") {
			tallies[k].raise(x)
		}
	}
	return tallies, r.Err
}
