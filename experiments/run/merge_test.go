package run

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"antipode/data"
	"antipode/sphere/must"
)

// numbered writes a file with one column of numbers, and returns a reader of the file and its path.
func numbered(t *testing.T, numbers []int64) (reader *data.Reader, path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "shard.arrow")
	table := data.NewTable(data.Schema{Columns: []data.Column{{Name: "number", Kind: data.Int64}}})
	must.Do(t, table.Write(data.Slice[int64](numbers)))
	must.Do(t, data.WriteFile(path, table))
	reader = must.Get(data.Open(path))(t)
	t.Cleanup(func() { reader.Close() })
	return reader, path
}

// Merged rows come by cell, and within a cell by trajectory, each from the shard that has its block: with 200
// trajectories a block has 3 of them, and the last one 2. Tables that lack a row or have one too many are
// refused with the name of the shard, and an error of the function that takes the rows ends the merge.
func TestMergedRows(t *testing.T) {
	const cells, trajectories, shards, rows, block = 2, 200, 3, 2, 3
	var all [shards][]int64
	var want []int64
	for cell := range int64(cells) {
		for trajectory := range int64(trajectories) {
			for row := range int64(rows) {
				number := 10_000*cell + 10*trajectory + row
				shard := trajectory / block % shards
				all[shard] = append(all[shard], number)
				want = append(want, number)
			}
		}
	}
	full := errors.New("full")
	last := len(all[1]) - 1
	for _, c := range []struct {
		of      []int64 // numbers of the second shard
		room    int     // rows that are taken before an error
		refused string
	}{
		{all[1], len(want), ""}, {all[1][:last], len(want), "shard 1/3: rows are missing"},
		{append(slices.Clone(all[1]), 7), len(want), "shard 1/3: has too many rows"},
		{all[1], 500, "full"},
	} {
		var got []int64
		var readers []*data.Reader
		for _, numbers := range [][]int64{all[0], c.of, all[2]} {
			reader, _ := numbered(t, numbers)
			readers = append(readers, reader)
		}
		err := MergeRows(readers, cells, trajectories, rows, func(cell int, part *data.Table) error {
			for _, number := range must.Get(data.ValuesOf[int64](part, "number"))(t) {
				if int(number/10_000) != cell {
					t.Errorf("%d as a row of cell %d", number, cell)
				}
				got = append(got, number)
			}
			if len(got) > c.room {
				return full
			}
			return nil
		})
		if c.refused == "" && (err != nil || !slices.Equal(got, want)) ||
			c.refused != "" && (err == nil || !strings.Contains(err.Error(), c.refused)) {
			t.Errorf("%v, want %q; rows %v", err, c.refused, got)
		}
	}
}

// A shard of which a later part cannot be read is refused, whether the part is due or too many. A part has up
// to 65,536 rows.
func TestShardsThatCannotBeRead(t *testing.T) {
	const rows = 65_536
	for _, c := range []struct {
		trajectories int64
		damaged      bool
		want         string
	}{
		{rows, false, "shard 0/1: has too many rows"}, {rows, true, "shard.arrow: "},
		{rows + 1, true, "shard 0/1: rows are missing: "},
	} {
		reader, path := numbered(t, make([]int64, rows+1))
		if c.damaged { // the first part has been read
			must.Do(t, os.Truncate(path, 100))
		}
		err := MergeRows([]*data.Reader{reader}, 1, c.trajectories, 1,
			func(int, *data.Table) error { return nil })
		if err == nil || !strings.Contains(err.Error(), c.want) ||
			c.damaged && strings.Contains(err.Error(), "too many") {
			t.Errorf("%+v: %v", c, err)
		}
	}
}
