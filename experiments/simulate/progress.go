package simulate

import (
	"math"

	"antipode/experiments/run"
	"antipode/sde"
)

// gridProgress adds up the progress of the ensembles of a sweep, which run one after another.
type gridProgress struct {
	whole   func(run.State) // receives the progress of all ensembles together
	before  run.State       // sums over the ensembles that are complete
	present run.State
	total   int64 // layers of all ensembles
	count   int   // number of ensembles
}

// along returns options whose progress function reports the progress of the whole sweep. Each ensemble of the
// sweep must run with these options.
func (g *gridProgress) along(options run.Options) run.Options {
	if options.Progress != nil {
		g.whole, options.Progress = options.Progress, g.report
	}
	return options
}

func (g *gridProgress) report(s run.State) {
	g.present = s
	s.Done += g.before.Done
	s.Restored += g.before.Restored
	s.Cells += g.before.Cells
	s.Total, s.AllCells = g.total, g.count
	g.whole(s)
}

// next records that the current ensemble of the sweep, with the given number of layers, is complete.
func (g *gridProgress) next(layers int64) {
	g.before.Done += layers
	g.before.Restored += g.present.Restored
	g.before.Cells++
	g.present = run.State{}
}

// progressOf returns the progress of a sweep over the given points at its start.
func (s *Experiment) progressOf(points []point, part sde.Part) *gridProgress {
	g := &gridProgress{count: len(points)}
	for _, p := range points {
		g.total += p.layers(part)
	}
	return g
}

// layers returns the number of layers of all trajectories of a shard. The depth and the horizon must be
// valid.
func (s *Experiment) layers(part sde.Part) int64 {
	return part.Trajectories(s.Trajectories) * int64(math.Round(float64(s.Depth)*s.Horizon))
}
