package simulate

import (
	"context"
	"math"

	"antipode/data"
	"antipode/experiments/internal/splitting"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/experiments/theory"
	"antipode/sde"
	"antipode/sphere"
	"antipode/sphere/elementary"
)

// Splitting is the outcome at the horizon whose probability is estimated by multilevel splitting.
type Splitting = splitting.Event

const (
	// NoSplitting stands for plain simulation without multilevel splitting.
	NoSplitting = splitting.None
	// SplitAntipodal selects multilevel splitting for the probability of two opposite clusters.
	SplitAntipodal = splitting.Antipodal
	// SplitSingle selects multilevel splitting for the probability of a single cluster.
	SplitSingle = splitting.Single
)

// SplittingRow is a row of the table of a run with multilevel splitting.
type SplittingRow struct {
	Repetitions int64    `column:"repetitions" meaning:"number of independent repetitions of the splitting"`
	Levels      int64    `column:"levels" meaning:"number of levels at which trajectories were split"`
	_           struct{} `meaning:"probability of the outcome at the horizon, estimated without bias by"`
	_           struct{} `meaning:"splitting: mean over the repetitions"`
	P           float64  `column:"p_event"`
	_           struct{} `meaning:"lower end of the 95 % interval of p_event, from the scatter of the"`
	_           struct{} `meaning:"repetitions; null if all agree"`
	Low         float64  `column:"p_low,nullable"`
	_           struct{} `meaning:"upper end of the 95 % interval of p_event, from the scatter of the"`
	_           struct{} `meaning:"repetitions; null if all agree"`
	High        float64  `column:"p_high,nullable"`
	_           struct{} `meaning:"standard error of p_event; null if all repetitions agree"`
	Stderr      float64  `column:"stderr,nullable"`
	_           struct{} `meaning:"number of layers that were simulated, summed over trajectories, including"`
	_           struct{} `meaning:"those that served to choose the levels"`
	Layers      int64    `column:"layers" unit:"layers"`
	_           struct{} `meaning:"number of layers that simulation without splitting would need for an"`
	_           struct{} `meaning:"equal standard error of p_event"`
	PlainLayers float64  `column:"plain_layers,nullable" unit:"layers"`
	_           struct{} `meaning:"probability of the outcome at the horizon by the exact law at this depth;"`
	_           struct{} `meaning:"null where this law is not known, or where its error is not below a tenth"`
	_           struct{} `meaning:"of the probability"`
	Depth       float64  `column:"p_depth,nullable"`
}

const splitInstead = "--splitting has a table of its own, of the outcome at the horizon; must be left " +
	"out with it"

// splitParameters returns the parameters of multilevel splitting.
func (s *Experiment) splitParameters() []parameter.Parameter {
	return splitting.Parameters(&s.Splitting, "estimates the probability of this outcome at the "+
		"horizon, which may be rare, by multilevel splitting (with --start FILE the mean over the states "+
		"of the file)", &s.Repetitions, SplitAntipodal, SplitSingle)
}

func (s *Experiment) splits() bool { return s.Splitting != NoSplitting }

// checkSplitting returns an error for an experiment to which multilevel splitting cannot be applied.
func (s *Experiment) checkSplitting() error {
	switch {
	case !s.splits():
		return nil
	case s.Numbers.chosen:
		return parameter.Errorf("trajectory", s.Numbers.String(), "--splitting numbers its trajectories by "+
			"itself; must be left out with it")
	case s.Tokens < 2:
		return parameter.Errorf("splitting", s.Splitting.String(), "one token is a single cluster at once; "+
			"must be none")
	}
	return splitting.CheckCounts(s.Trajectories, s.Repetitions)
}

// score returns the function that measures, for multilevel splitting, how close the tokens of a trajectory
// are to the outcome, and the goal, the least value of this function at the outcome. For a single cluster the
// score is computed from the least overlap of two tokens. For two opposite clusters the score is computed
// from the least absolute overlap, or from the absolute value of the most negative overlap if that is
// smaller. The score is the inverse hyperbolic tangent of this overlap, because on this scale the noise of
// overlaps near ±1 is constant.
func (s *Experiment) score() (score func(v *sde.View) float64, goal float64) {
	const rounding = 1e-9 // amount by which the score may be below the goal
	goal = elementary.Log((2-s.Tolerance)/s.Tolerance)/2 - rounding
	if s.Splitting == SplitSingle {
		return leastScore, goal
	}
	return oppositeScore, goal
}

// leastScore returns the score of the least overlap of two tokens, for a single cluster.
func leastScore(v *sde.View) float64 {
	if v.Count() == 2 {
		return pairScore(v)
	}
	least := 1.
	for i := range v.Count() {
		for j := range i {
			least = min(least, v.Overlap(j, i))
		}
	}
	return scoreOf(least)
}

// oppositeScore returns the score of the tokens for two opposite clusters.
func oppositeScore(v *sde.View) float64 {
	if v.Count() == 2 {
		return -pairScore(v)
	}
	least, opposite := 1., -1.
	for i := range v.Count() {
		for j := range i {
			z := v.Overlap(j, i)
			least, opposite = min(least, math.Abs(z)), max(opposite, -z)
		}
	}
	return scoreOf(min(least, opposite))
}

// pairScore returns the inverse hyperbolic tangent of the overlap of two tokens.
func pairScore(v *sde.View) float64 {
	above, below := v.Logarithms(0, 1)
	return (above - below) / 2
}

// scoreOf returns the inverse hyperbolic tangent of an overlap, which may be beyond ±1 by rounding errors.
func scoreOf(z float64) float64 {
	const rounding = 0x1p-52
	return elementary.Log(max(1+z, rounding)/max(1-z, rounding)) / 2
}

// split returns the multilevel splitting of the experiment.
func (s *Experiment) split() (*sde.Splitting, error) {
	p, err := s.prepare()
	if err != nil {
		return nil, err
	}
	score, goal := s.score()
	wanted := sphere.Antipodal
	if s.Splitting == SplitSingle {
		wanted = sphere.Single
	}
	// looks is the number of evaluations of the score per unit of time. Between two evaluations an overlap
	// moves by some tenths.
	const looks = 50
	return &sde.Splitting{
		Cell: p.cell, Layers: p.horizon, Trajectories: int(s.Trajectories), Repetitions: s.Repetitions,
		Every: max(1, s.Depth/looks), Goal: goal,
		Score: func() func(*sde.View) float64 { return score },
		Event: func() func(*sde.View) bool {
			return func(v *sde.View) bool {
				outcome, _ := v.Outcome(s.Tolerance)
				return outcome == wanted
			}
		},
	}, nil
}

// runSplitting runs the multilevel splitting at each point of a sweep, and writes its row.
func (s *Experiment) runSplitting(ctx context.Context, options run.Options, table data.Sink) error {
	if err := s.Validate(); err != nil {
		return err
	}
	axes, points := s.axes(), s.points(options.Seed)
	return splitting.Cells[SplittingRow]{
		Count: len(points), Repetitions: s.Repetitions, Parameters: s.Parameters(), Size: "tokens",
		Split: func(cell int) (*sde.Splitting, uint64, error) {
			of, err := points[cell].split()
			return of, points[cell].seed, err
		},
		Row: func(
			cell int, of *sde.Splitting, levels sde.Levels, repetitions []sde.Repetition,
		) SplittingRow {
			return points[cell].splittingRow(of, levels, repetitions)
		},
		Sink: func(cell int) data.Sink { return points[cell].sink(axes, table) },
		Refused: func(err error) error {
			return parameter.Errorf("splitting", s.Splitting.String(), "%v; must be an outcome that can "+
				"happen by the horizon, or --trajectories larger", err)
		},
	}.Run(ctx, options)
}

// splittingRow returns the row of a point of a sweep from the results of its multilevel splitting.
func (p *point) splittingRow(
	of *sde.Splitting, levels sde.Levels, repetitions []sde.Repetition,
) SplittingRow {
	i := splitting.IntervalOf(repetitions)
	row := SplittingRow{Repetitions: int64(len(repetitions)), Levels: int64(len(levels.Scores)),
		P: i.Mean, Low: i.Low, High: i.High, Stderr: i.Stderr,
		Layers: levels.Layers + splitting.Layers(repetitions), PlainLayers: i.PlainLayers(of.Layers),
		Depth: math.NaN()}
	if _, uniform := of.Cell.Start.(sde.UniformStart); uniform {
		exact := theory.AtDepth(of.Cell, of.Layers, p.Tolerance)
		row.Depth = exact.Antipodal
		if p.Splitting == SplitSingle {
			row.Depth = exact.Single
		}
		if !(exact.Error < row.Depth/10) {
			row.Depth = math.NaN()
		}
	}
	return row
}
