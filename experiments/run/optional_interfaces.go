package run

import (
	"context"
	"errors"
	"io"

	"antipode/data"
)

// Summarizer is an experiment whose report is also available as JSON.
type Summarizer interface {
	WriteJSON(w io.Writer, table *data.Table) error
}

// Prompt is an experiment that takes no noticeable time: its command writes a file only on request.
type Prompt interface {
	IsPrompt()
}

// Follower is an experiment whose report is written while it runs. Its command writes a table only on
// request, and there is no figure.
type Follower interface {
	// Follow begins the report. The sink receives the rows as they are computed; end writes the summary of
	// all rows.
	Follow(w io.Writer) (rows data.Sink, end func() error, err error)
	// List names what would be measured.
	List(w io.Writer) error
}

// ErrFinding says that a run is complete, and its table too, but that its result is a failure.
var ErrFinding = errors.New("something fails")

// Joint is an experiment that can write several of its tables, named by SaveParameter, in one run.
type Joint interface {
	RunTogether(ctx context.Context, options Options, outputs ...Output) error
}

// SaveParameter is the name of the parameter that selects the content of the table of a Joint experiment.
const SaveParameter = "save"

// Output is a table of a run. It has the content of the table in the terms of SaveParameter, the destination
// of the rows, and the journal of completed work, which may be nil.
type Output struct {
	Save    string
	Journal Journal
	Table   data.Sink
}
