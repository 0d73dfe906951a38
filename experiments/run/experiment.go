// Package run says what an experiment is and runs it: options, the schema of its table, work in
// parallel whose results come in order, and an estimate of what a run will need.
//
//	experiment := phase.New()
//	experiment.Dim, experiment.Beta = []int{4}, []float64{0.3, 1.5}
//	table := data.NewTable(run.Schema(experiment, 1)) // seed
//	err := experiment.Run(context.Background(), run.Options{Seed: 1}, table)
//	rows, err := data.RowsOf[phase.Row](table)
package run

import (
	"context"
	"io"
	"math"
	"strconv"

	"antipode/data"
	"antipode/experiments/figure"
	"antipode/experiments/parameter"
	"antipode/sde"
)

// Version of the program; files say which one wrote them.
const Version = "0.4.0"

// Experiment is a family of runs, one for each choice of its parameters. Its
// fields are the parameters, and its JSON repeats them.
type Experiment interface {
	// Name is the name of the command and of its table.
	Name() string
	// Help is one line on what the experiment shows, then a few lines, with an example of
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
	// Run validates, runs and writes the rows of the table, in order and as soon as they
	// are known.
	Run(ctx context.Context, options Options, table data.Sink) error
	// Describe writes a short text on what a table of this experiment shows.
	Describe(w io.Writer, table *data.Table) error
	// Draw makes the figure of a table of this experiment. The error is figure.ErrNone if
	// it has nothing to draw.
	Draw(table *data.Table) (*figure.Figure, error)
}

// SeedSweeper is an experiment that runs with several seeds, the first of which is that of the options.
type SeedSweeper interface {
	// SeedParameter sets the seeds, and the first.
	SeedParameter(first *uint64) parameter.Parameter
}

// ModelSaver is an experiment whose networks can be saved.
type ModelSaver interface {
	// ModelFiles says in a few words what the folder of Options.Models has in the end.
	ModelFiles() string
}

// Drawer is an experiment of which some runs have no figure.
type Drawer interface {
	// Drawable returns figure.ErrNone, with the reason, if Draw would return it for the table of any run.
	Drawable() error
}

// WithoutPaper is why the name of a figure whose parameters Paper sets is inapplicable.
const WithoutPaper = "says whose parameters --paper sets; must be left out without --paper"

// Options say how an experiment runs.
type Options struct {
	Seed    uint64
	Workers int // 0 for one per processor; changes no row
	// Brief says that what WriteJSON of a Summarizer does not need may be left out of the table.
	Brief bool
	// Progress, if not nil, is called now and then with the progress of the run.
	Progress func(State)
	// Notice, if not nil, is called before a long run.
	Notice func(text string)
	// Preflight, if not nil, may refuse what a simulation will need before any work.
	Preflight func(Needs) error
	// Journal, if not nil, has the blocks that earlier runs of the same experiment with
	// the same seed have finished, and gets those that this one does.
	Journal Journal
	// Unfinished, if not "", is a folder, which need not be there, in which the run may keep the states of
	// unfinished pieces, which a journal does not hold. Whoever gives it removes it with the journal.
	Unfinished string
	// Models, if not "", is a folder, which need not be there, in which a ModelSaver saves its models.
	Models string
	// Part is the shard that is run, of a Divisible experiment; the zero value is all.
	Part sde.Part
	// Shards, if not nil, are the tables of all shards in their order: they are merged,
	// and nothing is simulated.
	Shards []*data.Reader
}

// State is the progress of a run.
type State struct {
	// The work that is done, in some unit; what of it was restored from earlier runs; and all of it.
	Done, Restored, Total int64
	// Of a simulation of trajectories, whose work is counted in their layers.
	Cells, AllCells int           // done, and in all
	Theory          int           // cells of which the theory is computed,
	AllTheory       int           // and in all, before the first trajectory
	Outcome         func() string // what was seen of the present cell in a few words; nil for nothing
}

// Share is the share of the work that is done.
func (s State) Share() float64 { return float64(s.Done) / float64(max(s.Total, 1)) }

// SecondsLeft predicts how long a run will still take that has taken some seconds so far. What earlier runs
// had done says nothing of how fast this one is; the prediction is not known while there is nothing else.
func (s State) SecondsLeft(elapsed float64) (left float64, known bool) {
	worked := s.Done - s.Restored
	if worked <= 0 {
		return 0, false
	}
	return elapsed * float64(s.Total-s.Done) / float64(worked), true
}

// Report calls Progress, if it is not nil.
func (o Options) Report(s State) {
	if o.Progress != nil {
		o.Progress(s)
	}
}

// Needs is what a simulation will need, as predicted.
type Needs struct {
	Rows    float64 // of the table
	Cells   int     // of which these are the needs
	Layers  float64 // of all trajectories; 0 of what is no ensemble of trajectories
	Bytes   float64 // of the table and of finished work that is kept on the way
	Kept    float64 // of these bytes, those of finished work
	Seconds float64 // on this machine
}

// Of is what a part of a run needs, if the whole run needs n and is in that number of pieces, of which the
// part has every part.Of-th. Its table has a row for each number that these pieces return.
func (n Needs) Of(part sde.Part, pieces int64) Needs {
	if part.Of == 0 || pieces <= 0 {
		return n
	}
	own := max(0, (pieces-part.Number+part.Of-1)/part.Of)
	share := float64(own) / float64(pieces)
	n.Bytes, n.Kept, n.Seconds = n.Bytes*share, n.Kept*share, n.Seconds*share
	n.Rows = math.Round(n.Kept / numberBytes)
	return n
}

const numberBytes = 8

// Schema describes the table of a run: its columns, and metadata that say what was
// computed and are enough to run it again.
func Schema(e Experiment, seed uint64) data.Schema {
	s := data.Schema{
		Columns: e.Columns(),
		Metadata: []data.Entry{
			{Key: data.KeyCommand, Value: e.Name()},
			{Key: data.KeyParameters, Value: ParametersJSON(e)},
			{Key: data.KeySeed, Value: strconv.FormatUint(seed, 10)},
			{Key: data.KeyVersion, Value: Version},
			{Key: data.KeyTable, Value: e.Name()},
		},
		Attributes: attributes(e, seed),
	}
	if a, is := e.(Approximate); is {
		s.Metadata = append(s.Metadata, a.Accuracy()...)
	}
	return s
}

// Approximate is an experiment whose tables say how accurate it computes what it does.
type Approximate interface {
	// Accuracy returns further metadata of the table, from valid parameters.
	Accuracy() []data.Entry
}
