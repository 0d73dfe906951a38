// Package run says what an experiment is and runs it: options, the schema of its table, work in
// parallel whose results come in order, and a look at what a run will need.
package run

import (
	"context"
	"io"
	"strconv"

	"antipode/data"
	"antipode/experiments/figure"
	"antipode/experiments/parameter"
)

// Version of the program; files say which one wrote them.
const Version = "0.1.0"

// Experiment is a family of runs, one for each choice of its parameters. Its
// fields are the parameters, and its JSON repeats them.
type Experiment interface {
	// Name is the name of the command and of its table.
	Name() string
	// Help is a line on what the experiment shows, and some lines, with an example of
	// the command at the end.
	Help() (summary, description string)
	// Parameters are the experiment's own, in the order of importance. Setting a
	// Value changes the experiment.
	Parameters() []parameter.Parameter
	// Paper changes the parameters to the full scale of the source figure; nothing if
	// there is no such figure, or it has the default parameters.
	Paper()
	// Validate returns a *parameter.Error for the first value that is not allowed, by
	// itself or together with others.
	Validate() error
	// Columns describe the table.
	Columns() []data.Column
	// Run validates, runs and hands the rows of the table to write, in order and as
	// soon as they are known: one slice for each column, which write may not keep.
	Run(ctx context.Context, options Options, write func(columns ...any) error) error
	// Describe writes a short text on what a table of this experiment shows.
	Describe(w io.Writer, table *data.Table) error
	// Draw makes the figure of a table of this experiment. The error is figure.ErrNone if
	// it has nothing to draw.
	Draw(table *data.Table) (*figure.Figure, error)
}

// Options say how an experiment is run.
type Options struct {
	Seed    uint64
	Workers int // 0 for one per processor; changes no row
	// Progress, if not nil, is told now and then how much of the work is done.
	Progress func(done, total int64)
	// Notice, if not nil, is told before a run that will take long.
	Notice func(text string)
}

// Schema describes the table of a run: its columns, and metadata that say what was
// computed and are enough to run it again.
func Schema(e Experiment, seed uint64) data.Schema {
	return data.Schema{
		Columns: e.Columns(),
		Metadata: []data.Entry{
			{Key: data.KeyCommand, Value: e.Name()},
			{Key: data.KeyParameters, Value: ParametersJSON(e)},
			{Key: data.KeySeed, Value: strconv.FormatUint(seed, 10)},
			{Key: data.KeyVersion, Value: Version},
			{Key: data.KeyTable, Value: e.Name()},
		},
	}
}
