package run

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"antipode/data"
	"antipode/sde"
)

// Divisible is an experiment whose work can be distributed over several runs, called shards. Each of n shards
// has every n-th block of trajectories of each cell of the grid, or every n-th network or matrix. If
// Options.Part selects a shard, Run writes a table with ShardColumns. If Options.Shards has the tables of all
// shards, Run writes the table of the complete run without any simulation.
type Divisible interface {
	Experiment
	// ShardColumns returns the columns of the table of a shard.
	ShardColumns() []data.Column
}

// KeyShard is the metadata key of the table of a shard. The value of KeyShard says which shard the table
// contains, in the form of FormatShard. Tables of complete runs do not have this key.
const KeyShard = "antipode.shard"

// MostShards is the largest number of shards of a run.
const MostShards = 100_000

// FormatShard returns the text k/n for shard k of n, with k from 0 to n-1.
func FormatShard(p sde.Part) string { return fmt.Sprintf("%d/%d", p.Number, p.Of) }

// ParseShard reads the text k/n of a shard, which FormatShard writes.
func ParseShard(text string) (sde.Part, error) {
	first, second, found := strings.Cut(text, "/")
	number, err := strconv.ParseUint(first, 10, 32)
	of, ofErr := strconv.ParseUint(second, 10, 32)
	if !found || err != nil || ofErr != nil || number >= of || of > MostShards {
		return sde.Part{}, fmt.Errorf("must be k/n with k from 0 to n-1 and n at most %d", MostShards)
	}
	return sde.Part{Number: int64(number), Of: int64(of)}, nil
}

// ShardSchema describes the table of a shard of a run: the columns, and the metadata of Schema with KeyShard.
func ShardSchema(e Divisible, seed uint64, part sde.Part) data.Schema {
	schema := Schema(e, seed)
	schema.Columns = e.ShardColumns()
	schema.Metadata = append(schema.Metadata, data.Entry{Key: KeyShard, Value: FormatShard(part)})
	return schema
}

// MergeRows passes the rows of the tables of all shards to the function take, in the order of a run without
// shards: by cell of the grid, and within a cell by trajectory. The argument rows is the number of rows that
// the table of a shard has for each trajectory. The table part that take receives is valid only during the
// call. If the table of a shard has too few or too many rows, the error names the shard.
func MergeRows(
	shards []*data.Reader, cells int, trajectories int64, rows int, take func(cell int,
		part *data.Table) error,
) error {
	streams := NewStreams(shards)
	blocks, size := sde.BlocksOf(trajectories), sde.BlockOf(trajectories)
	for cell := range cells {
		for block := range blocks {
			count := min(size, trajectories-block*size)
			s := &streams[block%int64(len(shards))]
			if err := s.Take(int(count)*rows,
				func(part *data.Table) error { return take(cell, part) }); err != nil {
				return err
			}
		}
	}
	return EndAll(streams)
}

// Stream reads the rows of the table of a shard in order, as many rows at a time as the caller asks for.
type Stream struct {
	Name   string // of the shard, such as "shard 0/3", for messages
	reader *data.Reader
	table  *data.Table // the current part; nil before the first and after the last part
	next   int         // the next row of the current part
}

// NewStreams returns streams of the rows of the tables of all shards, in the order of the shards.
func NewStreams(shards []*data.Reader) []Stream {
	streams := make([]Stream, len(shards))
	for k, reader := range shards {
		streams[k] = Stream{Name: fmt.Sprintf("shard %d/%d", k, len(shards)), reader: reader}
	}
	return streams
}

// EndAll returns an error that names a shard if its table still has rows that have not been read.
func EndAll(streams []Stream) error {
	for k := range streams {
		if err := streams[k].end(); err != nil {
			return err
		}
	}
	return nil
}

// Take passes the given number of further rows to visit, in one or more parts, which are valid only during
// the call. If the table has fewer rows left, the error names the shard.
func (s *Stream) Take(rows int, visit func(part *data.Table) error) error {
	for rows > 0 {
		if s.table == nil || s.next == s.table.Rows() {
			table, err := s.reader.Next()
			if err != nil {
				return fmt.Errorf("%s: rows are missing: %w", s.Name, err)
			}
			s.table, s.next = table, 0
		}
		n := min(rows, s.table.Rows()-s.next)
		if err := visit(s.table.Slice(s.next, s.next+n)); err != nil {
			return err
		}
		s.next += n
		rows -= n
	}
	return nil
}

// end returns an error if the table still has rows that have not been read.
func (s *Stream) end() error {
	if s.table != nil && s.next < s.table.Rows() {
		return fmt.Errorf("%s: has too many rows", s.Name)
	}
	switch table, err := s.reader.Next(); {
	case err == io.EOF:
		return nil
	case err != nil:
		return err
	case table.Rows() > 0:
		return fmt.Errorf("%s: has too many rows", s.Name)
	}
	return nil
}
