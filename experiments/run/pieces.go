package run

import (
	"context"
	"fmt"

	"antipode/data"
	"antipode/sde/ordered"
)

// Pieces is the work of an experiment in independent pieces, each of which leaves numbers: a
// random network, or a cell of a grid. A journal keeps what finished pieces have left, and of
// n shards each computes every n-th piece.
type Pieces struct {
	Count int
	// Steps is the number of steps of a piece, whose progress Advance reports; 0 for 1.
	Steps int64
	// Length is how many numbers a piece leaves.
	Length func(piece int) int
	// Worker returns what computes pieces on one goroutine, so that it may keep memory. The
	// numbers, of which none is infinite, depend only on the piece.
	Worker func() func(ctx context.Context, piece int) ([]float64, error)
	// Take is handed the numbers of all pieces in order, from the goroutine of Run.
	Take func(piece int, numbers []float64) error
	// Forget, if not nil, is called after each piece once the journal keeps it, on any goroutine.
	Forget func(piece int) error
}

// pieceRow is a row of the table of a shard: one of the numbers that a piece has left.
type pieceRow struct {
	Piece int64   `column:"piece" meaning:"piece of the work, from 0, of which a shard has every n-th"`
	Value float64 `column:"value,nullable" meaning:"the numbers that it has left, one after the other"`
}

// PieceColumns describe the table of a shard of an experiment in pieces: what each has left.
func PieceColumns() []data.Column { return data.ColumnsOf[pieceRow]() }

// Run computes all pieces and hands what they leave to Take; or those of the options' Part,
// whose rows of PieceColumns it writes to the table; or reads what the options' Shards have left.
// The error is that of the first piece that has one.
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

// finishedPiece is the result of a piece, and its work.
type finishedPiece struct {
	numbers []float64
	work    *pieceWork
}

// finish restores a piece from the journal, which may be nil, or else computes and keeps it.
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

// merge takes the numbers from shards.
func (p Pieces) merge(shards []*data.Reader) error {
	streams := newStreams(shards)
	for piece := range p.Count {
		s := &streams[piece%len(streams)]
		numbers := make([]float64, 0, p.Length(piece))
		err := s.take(p.Length(piece), func(part *data.Table) error {
			rows, err := data.RowsOf[pieceRow](part)
			for _, row := range rows {
				if row.Piece != int64(piece) {
					return fmt.Errorf("%s: has piece %d where %d should be", s.name, row.Piece, piece)
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
	return endAll(streams)
}
