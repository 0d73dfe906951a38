// Package run defines what an experiment is and how an experiment runs. The package has the options of a run,
// the schema of its table, the division of work among goroutines and shards, the journal of completed work,
// and an estimate of the time and memory of a run.
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
	"runtime"
	"strconv"

	"antipode/data"
	"antipode/experiments/figure"
	"antipode/experiments/parameter"
	"antipode/sde"
)

// Version is the version of the program antipode, which every table records.
const Version = "0.4.0"

// Experiment is a command of the program together with its parameters. The fields of an implementation are
// the parameters, and its JSON contains these fields. Each choice of the parameters defines one run.
type Experiment interface {
	// Name returns the name of the experiment, which is also the name of its command and is recorded in its
	// tables.
	Name() string
	// Help returns a summary of one line, which says what the experiment shows, and a description of a few
	// lines that ends with an example of the command.
	Help() (summary, description string)
	// Parameters returns the experiment's own parameters, the most important first. Setting a Value changes
	// the experiment.
	Parameters() []parameter.Parameter
	// Validate returns a *parameter.Error for the first parameter whose value is invalid, by itself or in
	// combination with the values of other parameters.
	Validate() error
	// Columns returns the names, types and meanings of the columns of the experiment's table.
	Columns() []data.Column
	// Run validates the parameters, runs the experiment and writes the rows of the table in order, each as
	// soon as it is known.
	Run(ctx context.Context, options Options, table data.Sink) error
	// Describe writes a report of a few lines that says what a table of this experiment shows.
	Describe(w io.Writer, table *data.Table) error
	// Draw returns the figure of a table of this experiment. The error is figure.ErrNone if the table has no
	// figure.
	Draw(table *data.Table) (*figure.Figure, error)
}

// SeedSweeper is an experiment that runs with several seeds of its random numbers. The first seed is the Seed
// of the Options.
type SeedSweeper interface {
	// SeedParameter returns the parameter that lists the seeds. Setting this parameter also sets *first to
	// the first seed of the list.
	SeedParameter(first *uint64) parameter.Parameter
}

// ModelSaver is an experiment whose trained networks can be saved in the folder Options.Models.
type ModelSaver interface {
	// ModelFiles describes in a few words what files the folder Options.Models has after a run.
	ModelFiles() string
}

// Drawer is an experiment whose tables have no figure for some choices of the parameters.
type Drawer interface {
	// Drawable returns figure.ErrNone, with the reason, if Draw would return figure.ErrNone for every table
	// with the experiment's parameters. Otherwise Drawable returns nil.
	Drawable() error
}

// WithoutPaper is the reason why a parameter that only names a figure of the paper has no effect without the
// switch --paper.
const WithoutPaper = "says whose parameters --paper sets; must be left out without --paper"

// Options determine how an experiment runs: the seed, the goroutines, the folders and journals, and the
// functions that are called during the run.
type Options struct {
	Seed    uint64
	Workers int // number of goroutines; 0 for one per processor; does not affect the rows
	// Brief allows a run to leave out table columns that WriteJSON of a Summarizer does not need.
	Brief bool
	// Progress, if not nil, is called from time to time with the progress of the run, also while rows are
	// computed.
	Progress func(State)
	// Notice, if not nil, is called before a run longer than a minute with a text that states the predicted
	// time.
	Notice func(text string)
	// Preflight, if not nil, is called before a simulation starts with its predicted needs of time and
	// storage. An error of Preflight rejects the simulation.
	Preflight func(Needs) error
	// Journal, if not nil, holds the completed blocks of work of earlier runs of the same experiment with the
	// same seed, and receives the blocks that this run completes.
	Journal Journal
	// Unfinished, if not "", is a folder, which need not exist, in which a run may store the states of pieces
	// of work that are not yet complete; a Journal holds only complete pieces. The caller removes the folder
	// together with the Journal.
	Unfinished string
	// Models, if not "", is a folder, which need not exist, in which a ModelSaver saves its networks.
	Models string
	// Part is the shard of a Divisible experiment that a run computes; the zero value stands for the complete
	// run.
	Part sde.Part
	// Shards, if not nil, are the tables of all shards of a Divisible experiment, in order. The run merges
	// these tables and simulates nothing.
	Shards []*data.Reader
}

// WorkerCount returns the number of goroutines: Workers, or the number of processors if Workers is 0.
func (o Options) WorkerCount() int {
	if o.Workers > 0 {
		return o.Workers
	}
	return runtime.GOMAXPROCS(0)
}

// WorkersFor returns the number of goroutines that a given number of tasks can occupy: the smaller of the
// numbers of goroutines and of tasks.
func (o Options) WorkersFor(tasks int64) float64 { return float64(min(int64(o.WorkerCount()), tasks)) }

// State is the progress of a run, which Options.Progress receives.
type State struct {
	// Done is the completed work in a unit that depends on the experiment, Restored is the part of Done that
	// was read from the journal of earlier runs, and Total is the work of the complete run.
	Done, Restored, Total int64
	// The fields below are set only for a simulation of trajectories, whose unit of work is a layer.
	Cells, AllCells int           // completed cells of the grid, and all cells
	Theory          int           // cells for which the theory has been computed,
	AllTheory       int           // and all such cells; theory comes before simulation
	Outcome         func() string // describes results of the current cell so far; may be nil
}

// Share returns the fraction of the work of a run that is complete.
func (s State) Share() float64 { return float64(s.Done) / float64(max(s.Total, 1)) }

// SecondsLeft predicts the remaining time of a run, in seconds, from the elapsed seconds since its start.
// Work that was restored from earlier runs does not count, because restored work says nothing about the
// speed. If a run has done no work except restored work, known is false.
func (s State) SecondsLeft(elapsed float64) (left float64, known bool) {
	worked := s.Done - s.Restored
	if worked <= 0 {
		return 0, false
	}
	return elapsed * float64(s.Total-s.Done) / float64(worked), true
}

// Report passes the progress of a run to the function Progress of the options, if Progress is not nil.
func (o Options) Report(s State) {
	if o.Progress != nil {
		o.Progress(s)
	}
}

// Needs are the predicted needs of a run: its time, and the sizes of its table and of its journal.
type Needs struct {
	Rows    float64   // rows of all tables together
	Tables  []float64 // rows of each table; nil if a run writes a single table
	Cells   int       // cells of the grid of the simulation
	Layers  float64   // layers of all trajectories; 0 without trajectories
	Kept    float64   // bytes of completed work, which is stored in the journal until the table is complete
	Seconds float64   // predicted time on this machine
}

// Of returns the needs of a shard of a run. The needs n are those of the complete run, whose work consists of
// the given number of pieces. The shard computes every part.Of-th piece. The table of a shard has one row for
// each number that its pieces yield.
func (n Needs) Of(part sde.Part, pieces int64) Needs {
	if part.Of == 0 || pieces <= 0 {
		return n
	}
	own := max(0, (pieces-part.Number+part.Of-1)/part.Of)
	share := float64(own) / float64(pieces)
	n.Kept, n.Seconds = n.Kept*share, n.Seconds*share
	n.Rows = math.Round(n.Kept / numberBytes)
	return n
}

// Bytes predicts how many bytes a run writes: the files of its tables, whose schemas are given, and its
// completed work. It is an error if a schema cannot be written.
func (n Needs) Bytes(tables ...data.Schema) (float64, error) {
	rows := n.Tables
	if rows == nil {
		rows = []float64{n.Rows}
	}
	bytes := n.Kept
	for k, table := range tables {
		file, err := table.FileBytes(rows[k])
		if err != nil {
			return 0, err
		}
		bytes += file
	}
	return bytes, nil
}

const numberBytes = 8

// Schema describes the table of a run: the columns of the table, and metadata that record what was computed
// and suffice to repeat the run.
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

// Approximate is an experiment whose tables record the accuracy of its numerical approximations.
type Approximate interface {
	// Accuracy returns metadata entries that state the accuracy of a table with the present parameters, which
	// must be valid.
	Accuracy() []data.Entry
}
