package verify

import (
	"io"

	"antipode/data"
	"antipode/experiments/run"
)

// Follow implements run.Follower: it writes a line for each claim as soon as its verdict is known.
func (e *Experiment) Follow(w io.Writer) (rows data.Sink, end func() error, err error) {
	var all []Row
	columns := e.Columns()
	take := func(values ...data.Values) error {
		part := data.NewTable(data.Schema{Columns: columns})
		if err := part.Write(values...); err != nil {
			return err
		}
		more, err := data.RowsOf[Row](part)
		for _, row := range more {
			if err == nil {
				err = row.Describe(w)
			}
		}
		all = append(all, more...)
		return err
	}
	return data.SinkFunc(take), func() error { return Summarize(w, all) }, Head(w)
}

// Unwrap marks the error as a finding, so that the table counts as complete.
func (*Refuted) Unwrap() error { return run.ErrFinding }
