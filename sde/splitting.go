package sde

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"

	"antipode/internal/instructionset"
	"antipode/sde/internal/kernels"
	"antipode/sde/ordered"
)

// Splitting estimates the probability of a rare event by multilevel splitting, with fixed levels and a fixed
// number of trajectories between two levels. Trajectories that reach a level before the horizon are continued
// with new noise until they reach the next level or the horizon. Each of them is continued as often as needed
// for the fixed number. Take the fraction of trajectories that reach each level, and the fraction of the last
// trajectories in which the event happens. The product of all these fractions is an unbiased estimate of the
// probability, whatever the score and the levels (Garvels, The splitting method in rare event simulation,
// 2000, Sect. 2.3; Cérou and Guyader, Stoch. Anal. Appl. 25 (2007) 417). Repetitions are independent given
// the levels, so that the mean and the variance of several repetitions give a confidence interval.
type Splitting struct {
	Cell         Cell
	Layers       int64 // the horizon, at least 1
	Trajectories int   // between one level and the next, from 2 to 10^6
	Repetitions  int64 // at least 1; times Trajectories at most 10^9
	Seed         uint64
	Workers      int   // goroutines, each for a repetition at a time; 0 for one per processor
	Every        int64 // layers between two evaluations of the score, at least 1, besides the horizon

	// Score returns the function that measures how close a trajectory is to the event; larger means closer.
	// Goal is a score below which the event does not happen. Score is called once for each worker.
	Score func() func(v *View) float64
	Goal  float64
	// Drift is the expected loss of the score per layer; it is negative for a gain. The score is compared
	// with the levels after Drift times the number of remaining layers has been subtracted from it. So Drift
	// is meant for an event at the horizon. See Measure.
	Drift float64
	// Event returns the function that says whether the event has happened. It is called for a trajectory that
	// has reached the goal: at the horizon or, with AtGoal, as soon as the goal is reached.
	Event  func() func(v *View) bool
	AtGoal bool

	// Reduce receives the repetitions in order, from one goroutine. An error ends the run.
	Reduce func(repetition int64, r Repetition) error
	// Progress, if not nil, is called with the number of completed repetitions, and the number of these that
	// were restored from the Checkpoint. It is called from the goroutine of Reduce.
	Progress func(done, restored int64)

	Part       Part                   // the part of the repetitions to run; the zero value is all of them
	Checkpoint Checkpoint[Repetition] // each repetition is a block; may be nil
}

// Repetition is the result of one repetition of a Splitting.
type Repetition struct {
	Probability float64 // unbiased estimate; 0 if no trajectory reached one of the levels
	Levels      int64   // number of levels that were reached, including the goal
	Layers      int64   // of all simulated trajectories
}

// Levels are the scores at which trajectories are split.
type Levels struct {
	Scores []float64 // ascending, the last is the goal
	Layers int64     // number of layers simulated to choose the levels
	// Variance approximates the relative variance of the estimate of a repetition, times the number of
	// trajectories; it treats the trajectories as independent. It is infinite if the event did not happen
	// while the levels were chosen.
	Variance float64
}

const (
	mostLevels   = 1000 // indices of trajectories are reserved for this many levels
	mostSplit    = 1e9  // trajectories between two levels, of all repetitions
	shareOfLevel = 0.2  // fraction of trajectories that reach the next level; nearly the most efficient one
)

// ErrNoProgress says that no trajectory comes closer to the event, so that there are no levels.
var ErrNoProgress = errors.New("no trajectory comes nearer to the event")

// Ensemble returns an ensemble with about the work and the memory of a splitting with the given number of
// levels, to predict its needs.
func (s *Splitting) Ensemble(levels int) *Ensemble[struct{}] {
	const ofChoosing = 2 // times as much work as a repetition
	return &Ensemble[struct{}]{Cells: []Cell{s.Cell}, Layers: s.Layers, Workers: s.Workers,
		Trajectories: int64(s.Trajectories) * int64(levels+1) * (s.Repetitions + ofChoosing)}
}

// Memory returns the memory of the trajectories, in bytes.
func (s *Splitting) Memory() float64 {
	return s.Cell.bytes(float64(2*s.Trajectories+16), 1) * float64(min(int64(s.workers()), s.Repetitions))
}

func (s *Splitting) workers() int {
	if s.Workers == 0 {
		return runtime.GOMAXPROCS(0)
	}
	return s.Workers
}

// Validate returns an error for a splitting that cannot run.
func (s *Splitting) Validate() error {
	switch {
	case instructionset.Err != nil:
		return instructionset.Err
	case s.Trajectories < 2 || s.Trajectories > 1e6:
		return fmt.Errorf("trajectories %d: must be from 2 to 10^6", s.Trajectories)
	case s.Repetitions < 1 || s.Repetitions > int64(mostSplit/float64(s.Trajectories)):
		return fmt.Errorf("repetitions %d: must be from 1 to 10^9 divided by the trajectories", s.Repetitions)
	case s.Layers < 1 || s.Layers >= kernels.MaxSteps:
		return fmt.Errorf("layers %d: must be from 1 to 2^44", s.Layers)
	case s.Workers < 0:
		return fmt.Errorf("workers %d: must be at least 0", s.Workers)
	case s.Every < 1:
		return fmt.Errorf("layers between two looks %d: must be at least 1", s.Every)
	case !(math.Abs(s.Drift) <= math.MaxFloat64):
		return fmt.Errorf("drift %v: must be finite", s.Drift)
	case s.Score == nil || s.Event == nil:
		return errors.New("score or event: missing")
	case s.Cell.Tangent:
		return errors.New("tangent vectors have no levels")
	}
	if err := s.Part.Validate(); err != nil {
		return err
	}
	if err := s.Cell.Validate(); err != nil {
		return err
	}
	if bytes := s.Memory(); bytes > LargestMemory {
		return fmt.Errorf("the run would need %.3g GiB of memory; must be at most %d GiB",
			bytes/(1<<30), LargestMemory>>30)
	}
	return nil
}

// Choose chooses the levels from separate trajectories. About a fifth of the trajectories from one level will
// reach the next. If no trajectory exceeds some score, the error is ErrNoProgress with this score.
func (s *Splitting) Choose(ctx context.Context) (levels Levels, err error) {
	if err := s.Validate(); err != nil {
		return levels, err
	}
	split := newSplitter(s)
	defer func() { levels.Layers = split.layers }()
	for len(levels.Scores) < mostLevels-1 {
		stage := int64(len(levels.Scores))
		split.stage(0, stage)
		if err := split.toHorizon(ctx); err != nil {
			return levels, err
		}
		level, err := split.nextLevel(levels.Scores)
		if err != nil {
			return levels, err
		}
		levels.Scores = append(levels.Scores, level)
		split.stage(0, stage)
		if err := split.toLevel(ctx, level); err != nil {
			return levels, err
		}
		levels.Variance += split.variance(len(split.reached))
		if level == s.Goal {
			err := split.last(ctx, 0, stage+1)
			levels.Variance += split.variance(split.happened)
			return levels, err
		}
	}
	return levels, fmt.Errorf("%w than in %d levels", ErrNoProgress, mostLevels)
}

// Measure returns the mean change of the score per layer during the given number of layers, for the
// trajectories that have just reached the goal. It also returns the number of layers that it has simulated.
// The change is NaN if no trajectory has reached the goal before the horizon.
func (s *Splitting) Measure(ctx context.Context, levels Levels, during int64) (change float64, layers int64,
	err error) {
	if err := s.Validate(); err != nil {
		return 0, 0, err
	}
	split := newSplitter(s)
	for stage, level := range levels.Scores {
		split.stage(0, int64(stage))
		if err := split.toLevel(ctx, level); err != nil {
			return 0, 0, err
		}
	}
	split.stage(0, int64(len(levels.Scores)))
	change, err = split.change(ctx, during)
	return change, split.layers, err
}

// Run runs the repetitions. The levels may be those of Choose or others; they must ascend and end with the
// goal. The arguments of Reduce depend only on the splitting and the levels, neither on Workers nor on the
// machine.
func (s *Splitting) Run(ctx context.Context, levels Levels) error {
	if err := s.Validate(); err != nil {
		return err
	}
	n := len(levels.Scores)
	if n == 0 || n >= mostLevels || levels.Scores[n-1] != s.Goal {
		return fmt.Errorf("%d levels: must be from 1 to %d, the last one the goal "+
			"%v", n, mostLevels-1, s.Goal)
	}
	restored := int64(0)
	return ordered.Each(ctx, s.workers(), s.Part.Trajectories(s.Repetitions), s.checkpoint(),
		func() func(ctx context.Context, item int64) (Repetition, error) {
			split := newSplitter(s)
			return func(ctx context.Context, item int64) (Repetition, error) {
				repetition := s.repetition(item)
				r, err := split.repeat(ctx, 1+repetition, levels.Scores)
				if err != nil && ctx.Err() == nil {
					err = fmt.Errorf("repetition %d: %w", repetition, err)
				}
				return r, err
			}
		},
		func(item int64, r Repetition) error {
			repetition := s.repetition(item)
			if err := s.Reduce(repetition, r); err != nil {
				return err
			}
			if s.Checkpoint != nil && s.Checkpoint.Has(repetition) {
				restored++
			}
			if s.Progress != nil {
				s.Progress(item+1, restored)
			}
			return nil
		})
}

// repetition returns the index of the repetition that is an item of the part.
func (s *Splitting) repetition(item int64) int64 { return s.Part.Trajectory(item, s.Repetitions) }

// checkpoint returns the checkpoint of the items of a part; nil if there is none.
func (s *Splitting) checkpoint() ordered.Checkpoint[Repetition] {
	if s.Checkpoint == nil {
		return nil
	}
	return repetitionCheckpoint{s.Checkpoint, s.repetition}
}

// repetitionCheckpoint is a checkpoint whose blocks are single repetitions. Its callers number the
// repetitions of the part that runs from 0.
type repetitionCheckpoint struct {
	blocks     Checkpoint[Repetition]
	repetition func(item int64) int64
}

func (c repetitionCheckpoint) Has(item int64) bool { return c.blocks.Has(c.repetition(item)) }

func (c repetitionCheckpoint) Read(item int64) (r Repetition, err error) {
	rows, err := c.blocks.Read(c.repetition(item))
	if err == nil && len(rows) != 1 {
		err = fmt.Errorf("repetition %d of the checkpoint has %d rows, not 1", c.repetition(item), len(rows))
	}
	if err != nil {
		return r, err
	}
	return rows[0], nil
}

func (c repetitionCheckpoint) Keep(item int64, r Repetition) error {
	return c.blocks.Keep(c.repetition(item), []Repetition{r})
}

// finite returns a score, with NaN replaced by the least score, -∞.
func finite(score float64) float64 {
	if math.IsNaN(score) {
		return math.Inf(-1)
	}
	return score
}
