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

// Splitting selects what is estimated by multilevel splitting.
type Splitting = splitting.Event

const (
	// NoSplitting is plain simulation.
	NoSplitting = splitting.None
	// SplitLifetime estimates lifetimes that are too long for plain simulation.
	SplitLifetime = splitting.Lifetime
)

// splitRow is a row of the table with splitting.
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

// checkSplitting returns an error for an experiment that cannot be split.
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

// lives returns the life of each cell. Its theoretical times are known.
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

// settling returns the time, in units of time, after which the rate of reaching 0 is taken as constant. The
// rate is then measured for another such time. The result is the sum of some relaxation times of the overlap
// near -1 and of the time of an excursion from there to 0. The logarithm of 1+Z relaxes within a few units of
// time, and moves by about 2 per unit of time. The time of an excursion is of the order of minus the
// logarithm of its probability. The lifetime is at least a power of the inverse of this probability.
func settling(lifetime float64) float64 { return math.Ceil(20 + 2*math.Log(1+lifetime)) }

// splitLife returns the life of a cell. It is an error if the lifetime is too short to split, or not known.
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

// split returns the splitting for a life. It estimates the probability of first reaching 0 in the second half
// of the horizon.
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

// runSplitting writes the row of each cell.
func (s *Experiment) runSplitting(ctx context.Context, options run.Options, table data.Sink) error {
	lives, err := s.lives()
	if err != nil {
		return err
	}
	return splitting.Cells[splitRow]{
		Count: len(lives), Repetitions: s.Repetitions, Size: s.masses(), Number: s.trajectories(),
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

// splitRow returns the row of a cell.
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
	if relative := i.Stderr / i.Mean; relative > 0 { // for n exponential lifetimes the relative error is 1/√n
		row.Plain = row.Lifetime * float64(s.Depth) / (relative * relative)
	}
	return row
}

// meanLife returns the mean lifetime if a fraction p of the clusters ends in the second of two windows of
// equal length. It assumes that lifetimes are exponential. In the first window at least no clusters and at
// most a fraction p end; p/2 is assumed. The relative error of the mean is at most p/2. The mean is NaN if no
// cluster ends, as p = 0 gives no finite mean.
func meanLife(p, window float64) float64 { return data.FiniteOrNaN(-window / math.Log1p(-p/(1-p/2))) }
