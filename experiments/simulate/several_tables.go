package simulate

import (
	"context"
	"errors"
	"math"
	"slices"

	"antipode/experiments/run"
	"antipode/internal/lists"
	"antipode/sde"
)

// RunTogether implements run.Joint. RunTogether writes one or more tables of the same trajectories, and
// simulates each trajectory only once. The tables and journals have the same content as those of separate
// runs. The Save of the experiment and the Journal of the options are ignored. It is an error if some tables
// have times between layers and others do not.
func (s *Experiment) RunTogether(ctx context.Context, options run.Options, outputs ...run.Output) error {
	options.Journal = nil
	experiments := make([]*Experiment, len(outputs))
	for k, o := range outputs {
		experiments[k] = s.saving(o.Save)
		if err := experiments[k].Validate(); err != nil {
			return err
		}
	}
	axes := s.axes()
	if len(axes) == 0 {
		return runAlong(ctx, options, experiments, outputs)
	}
	all := s.points(options.Seed)
	total := int64(0)
	for _, p := range all {
		total += p.layers(options.Part)
	}
	options, next := run.InSequence(options, total, len(all))
	for n, p := range all {
		options.Seed = p.seed
		points, sinks := make([]*Experiment, len(outputs)), slices.Clone(outputs)
		for k, o := range outputs {
			points[k] = p.saving(o.Save)
			sinks[k].Journal = run.JournalFrom(o.Journal, int64(n)*sde.BlocksOf(s.Trajectories))
			sinks[k].Table = p.sink(axes, o.Table)
		}
		if err := runAlong(ctx, options, points, sinks); err != nil {
			return err
		}
		next()
	}
	return nil
}

// layers returns the number of layers of all trajectories of a shard. The depth and the horizon must be
// valid.
func (s *Experiment) layers(part sde.Part) int64 {
	return part.Trajectories(s.Trajectories) * int64(math.Round(float64(s.Depth)*s.Horizon))
}

// saving returns a copy of the experiment whose table has the given content.
func (s *Experiment) saving(content string) *Experiment {
	one := *s
	one.Save = content
	return &one
}

// runAlong writes the tables of experiments that differ only in Save. No parameter may vary in these
// experiments.
func runAlong(
	ctx context.Context, options run.Options, experiments []*Experiment, outputs []run.Output,
) error {
	tables := make(tablesInOne, len(outputs))
	for k, e := range experiments {
		p, err := e.prepare()
		if err != nil {
			return err
		}
		if k > 0 && !slices.Equal(p.moments, tables[0].moments) {
			return errors.New("simulate: tables of one run with times between layers and without")
		}
		tables[k] = tableInOne{Experiment: e, prepared: p, writer: p.table.writer(outputs[k].Table)}
	}
	return tables.run(ctx, options, keptIn(outputs))
}

// tablesInOne are the tables that are written from one ensemble of trajectories.
type tablesInOne []tableInOne

type tableInOne struct {
	*Experiment
	prepared
	writer rowWriter
}

// run runs the ensemble of trajectories from which the tables are written. The result of a trajectory has one
// entry for each table.
func (t tablesInOne) run(ctx context.Context, options run.Options, checkpoint sde.Checkpoint[[]saved]) error {
	s := t[0]
	ensemble := &sde.Ensemble[[]saved]{
		Cells: []sde.Cell{s.prepared.cell}, Trajectories: s.Trajectories, First: s.Numbers.first,
		Layers: s.horizon,
		Times:  layersOf(s.moments), Observer: t.observer, Reduce: t.write, Finish: t.flush,
		Checkpoint: checkpoint,
	}
	// When the tokens of a trajectory coincide, all later outcomes are known. But coinciding tokens separate
	// again under independent noise and, because of rounding, beside an MLP.
	if len(t) == 1 && s.savesOutcomes() && s.Noise != sde.IndependentNoise && s.prepared.cell.Plain() {
		ensemble.Merge = sde.MergePaths
		ensemble.Stop = func(int) func(*sde.View) bool { return (*sde.View).Together }
	}
	simulation := run.Simulation[[]saved]{Ensemble: ensemble, Parameters: s.Parameters(), Size: "dim"}
	if s.Tokens > s.Dim {
		simulation.Size = "tokens"
	}
	trajectories := s.Trajectories
	if options.Part.Of > 0 {
		trajectories = options.Part.Trajectories(trajectories)
	}
	for _, one := range t {
		rows := float64(trajectories) * float64(len(one.moments)) * one.table.rowsPerTime()
		simulation.Rows = append(simulation.Rows, rows)
		simulation.KeptBytes += float64(len(s.moments)) * one.table.bytesKept()
	}
	options.Workers = s.affordable(options.Workers, simulation.KeptBytes)
	return simulation.Run(ctx, options)
}

func (t tablesInOne) observer(int) func(row *[]saved, v *sde.View) {
	keepers := lists.Map(t, func(one tableInOne) func(*saved, *sde.View) {
		if one.interpolates() {
			return interpolated(one.table.keep, one.moments, int(one.Dim))
		}
		return one.table.keep
	})
	return func(row *[]saved, v *sde.View) {
		if *row == nil {
			*row = lists.Map(t, func(one tableInOne) saved { return one.table.room(len(one.moments)) })
		}
		for k, keep := range keepers {
			keep(&(*row)[k], v)
		}
	}
}

// write writes the rows of a trajectory to all tables.
func (t tablesInOne) write(_ int, trajectory int64, row []saved) error {
	for n, m := range t[0].moments {
		at := Moment{Trajectory: trajectory, Time: m.time(t[0].Depth)}
		for k, one := range t {
			if err := one.writer.add(at, n, row[k]); err != nil {
				return err
			}
		}
	}
	return nil
}

func (t tablesInOne) flush(int) error {
	for _, one := range t {
		if err := one.writer.flush(); err != nil {
			return err
		}
	}
	return nil
}

// checkpoints store the completed blocks of trajectories of several tables. The checkpoint of each table
// stores only the entries of that table.
type checkpoints []sde.Checkpoint[saved]

// keptIn returns the common checkpoint of several tables, which is nil if the tables have no journals. Either
// all tables or none must have a journal.
func keptIn(outputs []run.Output) sde.Checkpoint[[]saved] {
	var c checkpoints
	for _, o := range outputs {
		if o.Journal == nil {
			return nil
		}
		c = append(c, run.NewCheckpoint(o.Journal, savedCodec))
	}
	return c
}

// Has implements sde.Checkpoint. A block that only some of the tables have does not count, and is computed
// again.
func (c checkpoints) Has(block int64) bool {
	return !slices.ContainsFunc(c, func(one sde.Checkpoint[saved]) bool { return !one.Has(block) })
}

// Read implements sde.Checkpoint.
func (c checkpoints) Read(block int64) ([][]saved, error) {
	var rows [][]saved
	for k, one := range c {
		of, err := one.Read(block)
		if err == nil && k > 0 && len(of) != len(rows) {
			err = errors.New("the unfinished runs of the tables do not fit together")
		}
		if err != nil {
			return nil, err
		}
		for i, row := range of {
			if k == 0 {
				rows = append(rows, make([]saved, len(c)))
			}
			rows[i][k] = row
		}
	}
	return rows, nil
}

// Keep implements sde.Checkpoint.
func (c checkpoints) Keep(block int64, rows [][]saved) error {
	for k, one := range c {
		if one.Has(block) {
			continue
		}
		of := lists.Map(rows, func(row []saved) saved { return row[k] })
		if err := one.Keep(block, of); err != nil {
			return err
		}
	}
	return nil
}
