package run

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"antipode/data"
	"antipode/sde"
	"antipode/sphere/must"
)

// five returns five pieces of work, of which piece k has k numbers 10k as its result. The results are
// appended to taken.
func five(taken *[][]float64) Pieces {
	return Pieces{
		Count: 5, Length: func(piece int) int { return piece },
		Worker: Shared(func(_ context.Context, piece int) ([]float64, error) {
			return slices.Repeat([]float64{float64(10 * piece)}, piece), nil
		}),
		Take: func(piece int, numbers []float64) error {
			if piece != len(*taken) {
				return fmt.Errorf("piece %d comes where %d is due", piece, len(*taken))
			}
			*taken = append(*taken, slices.Clone(numbers))
			return nil
		},
	}
}

// shardFile writes the table of a shard of five, after change has changed its columns, and returns a reader
// of it.
func shardFile(
	t *testing.T, part sde.Part, change func(places []int64, values []float64) ([]int64, []float64),
) *data.Reader {
	t.Helper()
	var places []int64
	var values []float64
	var none [][]float64
	err := five(&none).Run(t.Context(), Options{Part: part},
		data.SinkFunc(func(columns ...data.Values) error {
			places, values = append(places, columns[0].(data.Slice[int64])...),
				append(values, columns[1].(data.Slice[float64])...)
			return nil
		}))
	if err != nil || len(none) > 0 {
		t.Fatalf("%v; of a shard %d pieces are taken", err, len(none))
	}
	if change != nil {
		places, values = change(places, values)
	}
	table := data.NewTable(data.Schema{Columns: PieceColumns()})
	must.Do(t, table.Write(data.Slice[int64](places), data.Slice[float64](values)))
	path := filepath.Join(t.TempDir(), "shard.arrow")
	must.Do(t, data.WriteFile(path, table))
	reader := must.Get(data.Open(path))(t)
	t.Cleanup(func() { reader.Close() })
	return reader
}

// Merged shards give the results of a whole run, also if a shard has no piece.
func TestPiecesOfShards(t *testing.T) {
	var want [][]float64
	if err := five(&want).Run(t.Context(), Options{}, nil); err != nil || len(want) != 5 {
		t.Fatal(want, err)
	}
	for _, n := range []int64{1, 2, 3, 7} {
		var got [][]float64
		var shards []*data.Reader
		for k := range n {
			shards = append(shards, shardFile(t, sde.Part{Number: k, Of: n}, nil))
		}
		if err := five(&got).Run(t.Context(), Options{Shards: shards}, nil); err != nil ||
			fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%d shards give %v, %v; want %v", n, got, err, want)
		}
	}
}

// Shards whose rows do not fit their pieces are refused; the error names the shard.
func TestPiecesThatDoNotFit(t *testing.T) {
	for want, change := range map[string]func(places []int64, values []float64) ([]int64, []float64){
		"shard 1/2: rows are missing": func(p []int64, v []float64) ([]int64, []float64) {
			return p[:3],
				v[:3]
		},
		"shard 1/2: has too many rows": func(p []int64, v []float64) ([]int64, []float64) {
			return append(p, 5), append(v, 1)
		},
		"shard 1/2: has piece 0 where 1 should be": func(p []int64, v []float64) ([]int64, []float64) {
			p[0] = 0
			return p, v
		},
		"shard 1/2: has piece 3 where 1 should be": func(p []int64, v []float64) ([]int64, []float64) {
			slices.Reverse(p)
			return p, v
		},
	} {
		var got [][]float64
		shards := []*data.Reader{shardFile(t, sde.Part{Number: 0, Of: 2}, nil),
			shardFile(t, sde.Part{Number: 1, Of: 2}, change)}
		if err := five(&got).Run(t.Context(), Options{Shards: shards}, nil); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

// Pieces that earlier runs have finished are restored from the journal, not computed again, and counted as
// restored.
func TestPiecesAreRestored(t *testing.T) {
	journal := memory{}
	var got [][]float64
	if err := five(&got).Run(t.Context(), Options{Workers: 1, Journal: journal}, nil); err != nil ||
		len(journal) != 5 {
		t.Fatalf("%v, %d pieces are kept", err, len(journal))
	}
	delete(journal, 1)
	delete(journal, 4)
	kept := len(journal)
	got = nil
	p := five(&got)
	computed := 0
	work := p.Worker()
	p.Worker = func() func(context.Context, int) ([]float64, error) {
		return func(ctx context.Context, piece int) ([]float64, error) {
			computed++
			return work(ctx, piece)
		}
	}
	var last State
	err := p.Run(t.Context(), Options{Workers: 1, Journal: journal, Progress: func(s State) { last = s }},
		nil)
	if err != nil || computed != 5-kept || last.Done != 5 || last.Total != 5 || int(last.Restored) != kept ||
		len(got) != 5 {
		t.Errorf("%v: %d computed of %d, %+v", err, computed, 5-kept, last)
	}
	journal[3] = Floats.Append(nil, []float64{1})
	if err := five(&[][]float64{}).Run(t.Context(), Options{Journal: journal}, nil); err == nil ||
		!strings.Contains(err.Error(), "piece 3 has 1 numbers, not 3") {
		t.Errorf("a piece of another length: %v", err)
	}
}

// memory is a journal in memory, to be used by one worker.
type memory map[int64][]byte

func (m memory) Has(block int64) bool               { return m[block] != nil }
func (m memory) Read(block int64) ([]byte, error)   { return m[block], nil }
func (m memory) Append(block int64, b []byte) error { m[block] = b; return nil }

// Pieces in groups are passed on once a group is whole.
func TestGathered(t *testing.T) {
	var got []string
	take := Gathered(2, func(group int, results [][]float64) error {
		got = append(got, fmt.Sprint(group, results))
		return nil
	})
	for piece := range 5 {
		must.Do(t, take(piece, []float64{float64(10 * piece)}))
	}
	if want := []string{"0 [[0] [10]]", "1 [[20] [30]]"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
