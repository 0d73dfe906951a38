package run

import (
	"context"
	"fmt"

	"antipode/data"
	"antipode/sde/ordered"
)

// Pieces is the work of an experiment that consists of independent pieces, each of which yields numbers. A
// piece is, for example, a random network or a cell of a grid. A Journal stores the results of completed
// pieces. If the work is divided into n shards, each shard computes every n-th piece.
type Pieces struct {
	Count int
	// Steps is the number of steps of a piece; the computation reports completed steps by Advance. 0 stands
	// for 1.
	Steps int64
	// Length returns how many numbers the piece with the given index yields.
	Length func(piece int) int
	// Worker returns a function that computes pieces in one goroutine and may reuse memory from piece to
	// piece. The numbers that the function returns must be finite or NaN, and must depend only on the piece.
	Worker func() func(ctx context.Context, piece int) ([]float64, error)
	// Take receives the numbers of all pieces in order, in the goroutine that called Run.
	Take func(piece int, numbers []float64) error
	// Forget, if not nil, is called in any goroutine after the journal has stored the result of a piece.
	// Forget can remove files with unfinished states of that piece.
	Forget func(piece int) error
}

// Shared returns a Worker for Pieces whose computation keeps nothing from piece to piece, so that all
// goroutines can call the same function.
func Shared(
	compute func(ctx context.Context, piece int) ([]float64, error),
) func() func(ctx context.Context, piece int) ([]float64, error) {
	return func() func(context.Context, int) ([]float64, error) { return compute }
}

// Gathered returns a Take function for Pieces that form consecutive groups of count pieces. After the last
// piece of a group, the function calls take with the index of the group, from 0, and the numbers of each
// piece of the group.
func Gathered(
	count int64, take func(group int, results [][]float64) error,
) func(piece int, numbers []float64) error {
	var results [][]float64
	return func(piece int, numbers []float64) error {
		if results = append(results, numbers); int64(len(results)) < count {
			return nil
		}
		group := results
		results = nil
		return take(piece/int(count), group)
	}
}

// pieceRow is a row of the table of a shard, and holds one number. A piece of the work that yields several
// numbers has several rows.
type pieceRow struct {
	Piece int64   `column:"piece" meaning:"piece of the work, from 0, of which a shard has every n-th"`
	Value float64 `column:"value,nullable" meaning:"one of the numbers that the piece yields, in order"`
}

// PieceColumns returns the columns of the table of a shard of Pieces: the index of a piece, and one of its
// numbers.
func PieceColumns() []data.Column { return data.ColumnsOf[pieceRow]() }

// Run computes all pieces and passes their results to Take. If options.Part selects a shard, Run computes
// only the pieces of this shard and writes their numbers, in PieceColumns, to the table. If options.Shards is
// given, Run computes nothing and reads the results of all pieces from these tables. The error is that of the
// first piece that fails.
func (p Pieces) Run(ctx context.Context, options Options, table data.Sink) error {
	if options.Shards != nil {
		return p.merge(options.Shards)
	}
	first, step, take := 0, 1, p.Take
	if options.Part.Of > 0 {
		first, step = int(options.Part.Number), int(options.Part.Of)
		take = func(piece int, numbers []float64) error {
			rows := make([]pieceRow, len(numbers))
			for k, value := range numbers {
				rows[k] = pieceRow{Piece: int64(piece), Value: value}
			}
			return data.WriteRows(table, rows...)
		}
	}
	count := int64(max(0, (p.Count-first+step-1)/step))
	counted := &counter{options: options, steps: max(p.Steps, 1)}
	counted.state.Total = count * counted.steps
	return ordered.Each(ctx, options.Workers, count, nil,
		func() func(ctx context.Context, k int64) (finishedPiece, error) {
			compute := p.Worker()
			return func(ctx context.Context, k int64) (finishedPiece, error) {
				return p.finish(ctx, first+int(k)*step, options.Journal, counted, compute)
			}
		},
		func(k int64, f finishedPiece) error {
			if err := take(first+int(k)*step, f.numbers); err != nil {
				return err
			}
			f.work.finish()
			return nil
		})
}

// finishedPiece holds the numbers of a completed piece of work, and the progress that the piece has reported.
type finishedPiece struct {
	numbers []float64
	work    *pieceWork
}

// finish returns the result of a piece of work. If the journal has the result, finish reads it; otherwise
// finish computes the result and stores it in the journal. The journal may be nil.
func (p Pieces) finish(
	ctx context.Context, piece int, journal Journal, counted *counter,
	compute func(ctx context.Context, piece int) ([]float64, error),
) (f finishedPiece, err error) {
	f.work = &pieceWork{counter: counted}
	restored := journal != nil && journal.Has(int64(piece))
	if restored {
		checkpoint := checkpoint[[]float64]{journal: journal, codec: Floats}
		f.numbers, err = checkpoint.one(int64(piece))
		f.work.restored = counted.steps
	} else {
		f.numbers, err = compute(f.work.within(ctx), piece)
	}
	if n := p.Length(piece); err == nil && len(f.numbers) != n {
		err = fmt.Errorf("piece %d has %d numbers, not %d", piece, len(f.numbers), n)
	}
	if err == nil && journal != nil && !restored {
		err = journal.Append(int64(piece), Floats.Append(nil, f.numbers))
	}
	if err == nil && p.Forget != nil {
		err = p.Forget(piece)
	}
	return f, err
}

// merge reads the numbers of all pieces from the tables of shards, and passes them to Take.
func (p Pieces) merge(shards []*data.Reader) error {
	streams := NewStreams(shards)
	for piece := range p.Count {
		s := &streams[piece%len(streams)]
		numbers := make([]float64, 0, p.Length(piece))
		err := s.Take(p.Length(piece), func(part *data.Table) error {
			rows, err := data.RowsOf[pieceRow](part)
			for _, row := range rows {
				if row.Piece != int64(piece) {
					return fmt.Errorf("%s: has piece %d where %d should be", s.Name, row.Piece, piece)
				}
				numbers = append(numbers, row.Value)
			}
			return err
		})
		if err == nil {
			err = p.Take(piece, numbers)
		}
		if err != nil {
			return err
		}
	}
	return EndAll(streams)
}
