package experiments

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"

	"antipode/data"
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
	Parameters() []Parameter
	// Paper changes the parameters to the full scale of the source figure; nothing if
	// there is no such figure, or it has the default parameters.
	Paper()
	// Validate returns a *ParameterError for the first value that is not allowed, by
	// itself or together with others.
	Validate() error
	// Columns describe the table.
	Columns() []data.Column
	// Run validates, runs and hands the rows of the table to write, in order and as
	// soon as they are known: one slice for each column, which write may not keep.
	Run(ctx context.Context, options Options, write func(columns ...any) error) error
	// Describe writes a short text on what a table of this experiment shows.
	Describe(w io.Writer, table *data.Table) error
	// Draw makes the figure of a table of this experiment. The error is ErrNoFigure if
	// it has nothing to draw.
	Draw(table *data.Table) (*Figure, error)
}

// ErrNoFigure says that there is nothing to draw.
var ErrNoFigure = errors.New("there is no figure of this table")

// Options say how an experiment is run.
type Options struct {
	Seed    uint64
	Workers int // 0 for one per processor; changes no row
	// Progress, if not nil, is told now and then how much of the work is done.
	Progress func(done, total int64)
	// Notice, if not nil, is told before a run that will take long.
	Notice func(text string)
}

// All returns the experiments, each with its default parameters. Commands and tests
// come from here.
func All() []Experiment {
	return []Experiment{NewPhase(), NewOverlap(), NewSimulate(), NewWeak(), NewField(), NewHybrid(), NewTokens(), NewEvolve(), NewStability()}
}

// HasPaper reports whether Paper changes the default parameters of the experiment of
// that name.
func HasPaper(name string) bool {
	e, err := ByName(name)
	if err != nil {
		return false
	}
	before := parametersJSON(e)
	e.Paper()
	return parametersJSON(e) != before
}

// ByName returns the experiment of that name with its default parameters.
func ByName(name string) (Experiment, error) {
	for _, e := range All() {
		if e.Name() == name {
			return e, nil
		}
	}
	return nil, fmt.Errorf("no experiment is called %q", name)
}

// Schema describes the table of a run: its columns, and metadata that say what was
// computed and are enough to run it again.
func Schema(e Experiment, seed uint64) data.Schema {
	return data.Schema{
		Columns: e.Columns(),
		Metadata: []data.Entry{
			{Key: data.KeyCommand, Value: e.Name()},
			{Key: data.KeyParameters, Value: parametersJSON(e)},
			{Key: data.KeySeed, Value: strconv.FormatUint(seed, 10)},
			{Key: data.KeyVersion, Value: Version},
			{Key: data.KeyTable, Value: e.Name()},
		},
	}
}
