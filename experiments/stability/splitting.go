package stability

import (
	"context"
	"fmt"
	"math"

	"antipode/data"
	"antipode/experiments/internal/splitting"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/sde"
)

// Splitting selects the time of opposite clusters that is estimated by multilevel splitting, if any.
type Splitting = splitting.Event

const (
	// NoSplitting stands for plain simulation without multilevel splitting.
	NoSplitting = splitting.None
	// SplitLifetime selects multilevel splitting for lifetimes that are too long for plain simulation.
	SplitLifetime = splitting.Lifetime
)

// splitRow is a row of the table of a run with multilevel splitting.
type splitRow struct {
	Row
	Levels int64    `column:"levels" meaning:"number of levels at which trajectories were split"`
	_      struct{} `meaning:"number of layers that were simulated, summed over trajectories, including"`
	_      struct{} `meaning:"those that served to choose the levels"`
	Layers int64    `column:"layers" unit:"layers"`
	_      struct{} `meaning:"number of layers that simulation of whole lifetimes, without splitting, would"`
	_      struct{} `meaning:"need for an equal relative standard error of the lifetime"`
	Plain  float64  `column:"plain_layers,nullable" unit:"layers"`
}

// splitParameters returns the parameters of multilevel splitting.
func (s *Experiment) splitParameters() []parameter.Parameter {
	return splitting.Parameters(&s.Splitting, "estimates the lifetime by multilevel splitting, from the "+
		"rate at which the overlap reaches 0", &s.Repetitions, SplitLifetime)
}

func (s *Experiment) splits() bool { return s.Splitting != NoSplitting }

// checkSplitting returns an error for an experiment to which multilevel splitting cannot be applied.
func (s *Experiment) checkSplitting() error {
	if !s.splits() {
		return nil
	}
	for _, m := range s.Masses {
		if s.stays(Clusters{First: int32(m[0]), Second: int32(m[1])}) {
			return parameter.Errorf("masses", fmt.Sprintf("%d,%d", m[0], m[1]), "clusters of equal size "+
				"have no lifetime; must differ with --splitting")
		}
	}
	if err := splitting.CheckCounts(s.Trajectories, s.Repetitions); err != nil {
		return err
	}
	if err := s.beside().Check(s.cells()); err != nil {
		return err
	}
	_, err := s.lives()
	return err
}

// lives returns the life of each cell, for multilevel splitting. The theoretical times of lives for splitting
// are known.
func (s *Experiment) lives() (lives []life, err error) {
	for _, cell := range s.cells() {
		l, err := s.splitLife(cell)
		if err != nil {
			return nil, err
		}
		lives = append(lives, l)
	}
	return lives, nil
}

// settling returns the time, in units of time, after which the rate at which the overlap reaches 0 is taken
// as constant. The rate is then measured for another such time. The result is the sum of some relaxation
// times of the overlap near -1 and of the time of an excursion of the overlap from -1 to 0. The logarithm of
// 1+Z, for the overlap Z, relaxes within a few units of time, and moves by about 2 per unit of time. The time
// of an excursion is of the order of minus the logarithm of its probability. The lifetime is at least a power
// of the inverse of this probability.
func settling(lifetime float64) float64 { return math.Ceil(20 + 2*math.Log(1+lifetime)) }

// splitLife returns the life of a cell for multilevel splitting. It is an error if the lifetime is not known,
// or too short for splitting.
func (s *Experiment) splitLife(cell sde.Cell) (l life, err error) {
	const rare = 20 // least lifetime in units of the simulated time
	times, err := s.timesOfCell(cell)
	if err != nil {
		return l, err
	}
	window := settling(times[0])
	switch {
	case !(times[0] >= 2*rare*window):
		return l, parameter.Errorf("beta", cell.Beta, "the clusters would last for %s units of time; must "+
			"be at least %.4g with --splitting, or be simulated without", inTens(times[0]), 2*rare*window)
	case !(times[0] <= math.MaxFloat64):
		return l, parameter.Errorf("beta", cell.Beta, "the clusters would last for more than 1e308 units "+
			"of time; must be less")
	}
	return life{job{s, cell, int64(2*window) * s.Depth}, times[0], times[1]}, nil
}

// split returns the multilevel splitting for a life. The splitting estimates the probability that the overlap
// first reaches 0 in the second half of the horizon.
func (s *Experiment) split(l life) *sde.Splitting {
	first := l.cell.Start.(sde.OppositeStart).First
	return &sde.Splitting{
		Cell: l.cell, Layers: l.layers, Trajectories: int(s.Trajectories), Repetitions: s.Repetitions,
		Every: 1, Goal: 0, AtGoal: true,
		Score: func() func(*sde.View) float64 {
			return func(v *sde.View) float64 {
				above, below := v.Logarithms(0, first)
				return above - below
			}
		},
		Event: func() func(*sde.View) bool {
			return func(v *sde.View) bool { return v.Layer > l.layers/2 }
		},
	}
}

// runSplitting runs the multilevel splitting of each cell, and writes the row of the cell.
func (s *Experiment) runSplitting(ctx context.Context, options run.Options, table data.Sink) error {
	lives, err := s.lives()
	if err != nil {
		return err
	}
	return splitting.Cells[splitRow]{
		Count: len(lives), Repetitions: s.Repetitions, Parameters: s.Parameters(), Size: "masses",
		Split: func(cell int) (*sde.Splitting, uint64, error) {
			return s.split(lives[cell]), options.Seed, nil
		},
		Row: func(cell int, _ *sde.Splitting, levels sde.Levels, repetitions []sde.Repetition) splitRow {
			return s.splitRow(lives[cell], levels, repetitions)
		},
		Sink: func(int) data.Sink { return table },
		Refused: func(err error) error {
			return parameter.Errorf("trajectories", s.Trajectories, "%v; must be more", err)
		},
	}.Run(ctx, options)
}

// splitRow returns the row of a cell from the results of its multilevel splitting.
func (s *Experiment) splitRow(l life, levels sde.Levels, repetitions []sde.Repetition) splitRow {
	row := splitRow{Row: data.NullRow[Row](), Levels: int64(len(levels.Scores)),
		Layers: levels.Layers + splitting.Layers(repetitions), Plain: math.NaN()}
	row.Clusters, row.Trajectories = clustersOf(l.cell), s.Trajectories
	row.LifetimeTheory, row.DecayTimeTheory = data.FiniteOrNaN(l.lifetime), l.decayTime
	i := splitting.IntervalOf(repetitions)
	window := float64(l.layers/2) / float64(s.Depth)
	row.Lifetime = meanLife(i.Mean, window)
	row.LifetimeLow = meanLife(i.High, window)
	row.LifetimeHigh = meanLife(i.Low, window)
	if relative := i.Stderr / i.Mean; relative > 0 { // 1/√n for n exponential lifetimes
		row.Plain = row.Lifetime * float64(s.Depth) / (relative * relative)
	}
	return row
}

// meanLife returns the mean lifetime of clusters if a fraction p of them ends in the second of two windows of
// equal length. meanLife assumes that lifetimes are exponential. The fraction of clusters that end in the
// first window is between 0 and p; p/2 is assumed. The relative error of the mean is at most p/2. The mean is
// NaN if p = 0, because then no finite mean follows.
func meanLife(p, window float64) float64 { return data.FiniteOrNaN(-window / math.Log1p(-p/(1-p/2))) }
