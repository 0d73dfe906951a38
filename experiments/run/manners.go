package run

import (
	"context"
	"errors"
	"io"

	"antipode/data"
)

// Summarizer is an experiment whose report there is as JSON too.
type Summarizer interface {
	WriteJSON(w io.Writer, table *data.Table) error
}

// Prompt is an experiment that answers at once: its command writes a file only where one is asked for.
type Prompt interface {
	IsPrompt()
}

// Follower is an experiment whose report is written while it runs. Its command writes a table only where one
// is asked for, and there is no figure.
type Follower interface {
	// Follow begins the report. The sink takes the rows as they come; end writes what is said of all of them.
	Follow(w io.Writer) (rows data.Sink, end func() error, err error)
	// List names what would be measured.
	List(w io.Writer) error
}

// ErrFinding says that a run has come to its end and its table is whole, but what it has found is that
// something fails.
var ErrFinding = errors.New("something fails")

// Joint is an experiment that can write several of its tables in one run: those that SaveParameter names.
type Joint interface {
	RunTogether(ctx context.Context, options Options, outputs ...Output) error
}

// SaveParameter is the name of the parameter that says what the table of a Joint experiment holds.
const SaveParameter = "save"

// Output is a table of a run: what it holds, as SaveParameter says, where its rows go, and where finished
// work of it is kept, nil for nowhere.
type Output struct {
	Save    string
	Journal Journal
	Table   data.Sink
}
