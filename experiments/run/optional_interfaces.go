package run

import (
	"context"
	"errors"
	"io"

	"antipode/data"
)

// Summarizer is an experiment whose report on a table is also available as JSON, which WriteJSON writes.
type Summarizer interface {
	WriteJSON(w io.Writer, table *data.Table) error
}

// Reproducer is an experiment that shows a figure of its source paper, which has other parameters than the
// default ones.
type Reproducer interface {
	// Paper changes the parameters to the full scale of the figure of the source paper.
	Paper()
}

// HasPaper reports whether an experiment is a Reproducer.
func HasPaper(e Experiment) bool {
	_, has := e.(Reproducer)
	return has
}

// Prompt is an experiment that takes no noticeable time. The command of a Prompt experiment writes a file
// only on request.
type Prompt interface {
	IsPrompt()
}

// Follower is an experiment whose report is written while the experiment runs. The command of a Follower
// writes a table only on request, and a Follower has no figure.
type Follower interface {
	// Follow begins the report of a run. The sink rows receives the rows of the table as they are computed,
	// and the function end writes the summary of all rows.
	Follow(w io.Writer) (rows data.Sink, end func() error, err error)
	// List writes the names of what the experiment would measure, without a measurement.
	List(w io.Writer) error
}

// ErrFinding is the error of a run that is complete and has written its whole table, but whose result is that
// something fails.
var ErrFinding = errors.New("something fails")

// Joint is an experiment that can write several different tables in one run. SaveParameter names the content
// of each table.
type Joint interface {
	RunTogether(ctx context.Context, options Options, outputs ...Output) error
}

// SaveParameter is the name of the parameter that selects the content of the table of a Joint experiment.
const SaveParameter = "save"

// Output is one of the tables of the run of a Joint experiment. Save is the content of the table, as a value
// of SaveParameter. Table receives the rows. Journal keeps the completed work of this table and may be nil.
type Output struct {
	Save    string
	Journal Journal
	Table   data.Sink
}
