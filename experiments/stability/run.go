package stability

import (
	"context"

	"antipode/data"
	"antipode/experiments/run"
	"antipode/sde"
)

// question is what is measured for the opposite clusters of a cell. A life measures how long clusters that
// merge last. A displacement measures how fast small displacements of the tokens grow if the clusters stay
// opposite.
type question interface {
	at() job
	// share returns the fraction of the layers up to the horizon that a trajectory takes on average before it
	// stops.
	share() float64
	// watch sets up an ensemble to record the passage of each trajectory.
	watch(e *sde.Ensemble[passage])
	// ended returns an error if a trajectory has not reached a result at the horizon.
	ended(trajectory int64, p passage) error
	// fill sets the results of the simulation and of the theory in the row of a cell.
	fill(r *Row, passages []passage) error
}

// job is a cell of two opposite clusters, and the greatest number of layers of its trajectories.
type job struct {
	s      *Experiment
	cell   sde.Cell
	layers int64
}

func (j job) at() job { return j }

// questions returns what is measured in each cell.
func (s *Experiment) questions() (all []question, err error) {
	for _, cell := range s.cells() {
		var q question = displacement{job{s, cell, displacementTime * s.Depth}}
		if !s.stays(clustersOf(cell)) {
			if q, err = s.lifeOf(cell); err != nil {
				return nil, err
			}
		}
		all = append(all, q)
	}
	return all, nil
}

// Run implements run.Experiment. Run writes the row of a cell as soon as all trajectories of the cell are
// complete.
func (s *Experiment) Run(ctx context.Context, options run.Options, table data.Sink) error {
	if err := s.Validate(); err != nil {
		return err
	}
	if s.splits() {
		return s.runSplitting(ctx, options, table)
	}
	questions, err := s.questions()
	if err != nil {
		return err
	}
	if options.Shards != nil {
		return s.merge(options.Shards, questions, table)
	}
	total := int64(0)
	for _, q := range questions {
		total += q.at().layers * options.Part.Trajectories(s.Trajectories)
	}
	options, next := run.InSequence(options, total, len(questions))
	for k, q := range questions {
		first := int64(k) * sde.BlocksOf(s.Trajectories)
		trajectories, passages, err := s.simulate(ctx, q, options.From(first))
		if err != nil {
			return err
		}
		next()
		if options.Part.Of > 0 {
			err = writePassages(table, q.at().cell, trajectories, passages)
		} else {
			err = writeCell(table, q, passages)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// simulate runs the trajectories of a cell. simulate returns their indices and their passages.
func (s *Experiment) simulate(
	ctx context.Context, q question, options run.Options,
) (trajectories []int64, passages []passage, err error) {
	ensemble := &sde.Ensemble[passage]{Cells: []sde.Cell{q.at().cell}, Trajectories: s.Trajectories,
		Layers: q.at().layers}
	q.watch(ensemble)
	ensemble.Reduce = func(_ int, trajectory int64, p passage) error {
		trajectories, passages = append(trajectories, trajectory), append(passages, p)
		return q.ended(trajectory, p)
	}
	err = run.Simulation[passage]{
		Ensemble: ensemble, Codec: passageCodec, Parameters: s.Parameters(), Size: "masses",
		Share: q.share(), Rows: []float64{1}, KeptBytes: passageBytes,
	}.Run(ctx, options)
	return trajectories, passages, err
}

// writePassages writes the rows of a cell to the table of a shard, one for each trajectory.
func writePassages(table data.Sink, cell sde.Cell, trajectories []int64, passages []passage) error {
	rows := make([]shardRow, len(passages))
	for k, p := range passages {
		rows[k] = shardRow{clustersOf(cell), trajectories[k], p}
	}
	return data.WriteRows(table, rows...)
}

// merge writes the rows of all cells from the passages in the tables of shards.
func (s *Experiment) merge(shards []*data.Reader, questions []question, table data.Sink) error {
	passages := make([][]passage, len(questions))
	err := run.MergeRows(shards, len(questions), s.Trajectories, 1, func(cell int, part *data.Table) error {
		rows, err := data.RowsOf[shardRow](part)
		for _, row := range rows {
			passages[cell] = append(passages[cell], row.passage)
		}
		return err
	})
	for k, q := range questions {
		if err == nil {
			err = writeCell(table, q, passages[k])
		}
	}
	return err
}

// writeCell writes the row of a cell from the passages of its trajectories.
func writeCell(table data.Sink, q question, passages []passage) error {
	row := data.NullRow[Row]()
	row.Clusters, row.Trajectories = clustersOf(q.at().cell), q.at().s.Trajectories
	if err := q.fill(&row, passages); err != nil {
		return err
	}
	return data.WriteRows(table, row)
}
