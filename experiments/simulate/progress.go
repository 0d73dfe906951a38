package simulate

import (
	"math"

	"antipode/experiments/run"
	"antipode/sde"
)

// gridProgress makes one progress of those of ensembles that run one after the other.
type gridProgress struct {
	whole   func(run.State) // takes the progress of all ensembles
	before  run.State       // of the ensembles that are done
	present run.State
	total   int64 // layers of all ensembles
	count   int   // of ensembles
}

// along returns the options with which each of the ensembles is to run.
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

// next counts the present ensemble, with its number of layers, among those that are done.
func (g *gridProgress) next(layers int64) {
	g.before.Done += layers
	g.before.Restored += g.present.Restored
	g.before.Cells++
	g.present = run.State{}
}

// progressOf begins the progress of the ensembles of a grid.
func (s *Experiment) progressOf(points []point, part sde.Part) *gridProgress {
	g := &gridProgress{count: len(points)}
	for _, p := range points {
		g.total += p.layers(part)
	}
	return g
}

// layers is the number of layers of all trajectories of a part, of a depth and a horizon that are valid.
func (s *Experiment) layers(part sde.Part) int64 {
	return part.Trajectories(s.Trajectories) * int64(math.Round(float64(s.Depth)*s.Horizon))
}
