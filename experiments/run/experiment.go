// Package run defines what an experiment is and runs it. It has options, the schema of the table, parallel
// work whose results are delivered in order, and an estimate of the needs of a run.
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

// Version is the version of the program, which every file records.
const Version = "0.4.0"

// Experiment is a family of runs, one for each choice of its parameters. Its fields are the parameters, and
// its JSON contains them.
type Experiment interface {
	// Name returns the name of the command and of its table.
	Name() string
	// Help returns one line on what the experiment shows, and a description of a few lines that ends with an
	// example of the command.
	Help() (summary, description string)
	// Parameters returns the experiment's own parameters, the most important first. Setting a Value changes
	// the experiment.
	Parameters() []parameter.Parameter
	// Paper changes the parameters to the full scale of the source figure. It does nothing if there is no
	// such figure, or if the figure has the default parameters.
	Paper()
	// Validate returns a *parameter.Error for the first value that is invalid, by itself or in combination
	// with others.
	Validate() error
	// Columns describe the table.
	Columns() []data.Column
	// Run validates the parameters, runs the experiment and writes the rows of the table in order, as soon as
	// they are known.
	Run(ctx context.Context, options Options, table data.Sink) error
	// Describe writes a short description of what a table of this experiment shows.
	Describe(w io.Writer, table *data.Table) error
	// Draw returns the figure of a table of this experiment. The error is figure.ErrNone if there is nothing
	// to draw.
	Draw(table *data.Table) (*figure.Figure, error)
}

// SeedSweeper is an experiment that runs with several seeds. The first of them is the seed of the options.
type SeedSweeper interface {
	// SeedParameter returns the parameter of the seeds, which also sets the first seed.
	SeedParameter(first *uint64) parameter.Parameter
}

// ModelSaver is an experiment whose networks can be saved.
type ModelSaver interface {
	// ModelFiles describes in a few words the content of the folder Options.Models after a run.
	ModelFiles() string
}

// Drawer is an experiment for which some choices of parameters have no figure.
type Drawer interface {
	// Drawable returns figure.ErrNone, with the reason, if Draw would return it for every table with these
	// parameters.
	Drawable() error
}

// WithoutPaper is the reason why a parameter that names a figure for Paper has no effect.
const WithoutPaper = "says whose parameters --paper sets; must be left out without --paper"

// Options determine how an experiment runs.
type Options struct {
	Seed    uint64
	Workers int // 0 for one per processor; does not affect the rows
	// Brief says that columns may be left out if WriteJSON of a Summarizer does not need them.
	Brief bool
	// Progress, if not nil, is called from time to time with the progress of the run.
	Progress func(State)
	// Notice, if not nil, is called before a long run.
	Notice func(text string)
	// Preflight, if not nil, is called with the predicted needs of a simulation before it starts, and may
	// reject it.
	Preflight func(Needs) error
	// Journal, if not nil, holds the completed blocks of earlier runs of the same experiment with the same
	// seed, and receives the blocks that this run completes.
	Journal Journal
	// Unfinished, if not "", is a folder in which the run may store the states of unfinished pieces; a
	// journal holds only completed work. The folder need not exist. The caller removes it together with the
	// journal.
	Unfinished string
	// Models, if not "", is a folder, which need not exist, in which a ModelSaver saves its models.
	Models string
	// Part is the shard of a Divisible experiment that is run; the zero value stands for the complete run.
	Part sde.Part
	// Shards, if not nil, are the tables of all shards in order: they are merged, and nothing is simulated.
	Shards []*data.Reader
}

// WorkerCount returns Workers, or the number of processors if that is 0.
func (o Options) WorkerCount() int {
	if o.Workers > 0 {
		return o.Workers
	}
	return runtime.GOMAXPROCS(0)
}

// WorkersFor returns the number of goroutines that the given number of tasks can occupy.
func (o Options) WorkersFor(tasks int64) float64 { return float64(min(int64(o.WorkerCount()), tasks)) }

// State is the progress of a run.
type State struct {
	// The completed work, in some unit; how much of it was restored from earlier runs; and the total work.
	Done, Restored, Total int64
	// For a simulation of trajectories, whose work is counted in layers:
	Cells, AllCells int           // completed, and in total
	Theory          int           // cells whose theory has been computed,
	AllTheory       int           // and their total, before the first trajectory
	Outcome         func() string // describes results of the current cell so far; may be nil
}

// Share returns the fraction of the work that is completed.
func (s State) Share() float64 { return float64(s.Done) / float64(max(s.Total, 1)) }

// SecondsLeft predicts the remaining time of a run after the given elapsed time, in seconds. Work that was
// restored from earlier runs does not count, because it says nothing about the speed. Without other work
// there is no prediction.
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

// Needs are the predicted needs of a simulation.
type Needs struct {
	Rows    float64   // of the table, or of all tables together if there are several
	Tables  []float64 // rows of each table if there are several; otherwise nil
	Cells   int       // number of cells
	Layers  float64   // of all trajectories; 0 if it is not an ensemble of trajectories
	Kept    float64   // bytes of completed work, which is stored until the table is complete
	Seconds float64   // on this machine
}

// Of returns the needs of a part of a run. The argument n holds the needs of the complete run, which consists
// of the given number of pieces. The part computes every part.Of-th piece. The table of a part has a row for
// each number that the pieces of the part return.
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

// Schema describes the table of a run: its columns, and metadata that record what was computed and suffice to
// repeat the run.
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

// Approximate is an experiment whose tables record the accuracy of their computations.
type Approximate interface {
	// Accuracy returns additional metadata of the table; the parameters must be valid.
	Accuracy() []data.Entry
}
