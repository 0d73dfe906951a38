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
// with new noise until they reach the next level or the horizon. Each trajectory that has reached a level is
// continued as often as needed for the fixed number of trajectories. The product of the fractions of
// trajectories that reach each level, and of the fraction of the last trajectories in which the event
// happens, is an unbiased estimate of the probability of the event, whatever the score and the levels
// (Garvels, The splitting method in rare event simulation, 2000, Sect. 2.3; Cérou and Guyader, Stoch. Anal.
// Appl. 25 (2007) 417). Repetitions of the splitting are independent given the levels, so that the mean and
// the variance of several repetitions give a confidence interval.
//
// If the start is a StatesStart, the probability is the mean over its states. Each repetition starts from
// states at equal distances, from a random one on, and not from the states with the indices of the
// trajectories.
type Splitting struct {
	Cell         Cell
	Layers       int64 // the horizon in layers, at least 1
	Trajectories int   // number between one level and the next, from 2 to 10^6
	Repetitions  int64 // number of repetitions, at least 1; times Trajectories at most 10^9
	Seed         uint64
	Workers      int   // number of goroutines, each for a repetition at a time; 0 for one per processor
	Every        int64 // layers between two evaluations of the score before the horizon, at least 1

	// Score returns the function that measures how close a trajectory is to the event; a larger score means
	// closer. Goal is a score below which the event does not happen. Score is called once for each worker.
	Score func() func(v *View) float64
	Goal  float64
	// Drift is the expected loss of the score per layer; Drift is negative for a gain. The score is compared
	// with the levels after Drift times the number of remaining layers has been subtracted from the score. A
	// Drift is meant for an event at the horizon. Splitting.Measure estimates the drift.
	Drift float64
	// Event returns the function that says whether the event has happened. The function is called for a
	// trajectory that has reached the goal: at the horizon or, with AtGoal, as soon as the goal is reached.
	Event  func() func(v *View) bool
	AtGoal bool

	// Reduce receives the repetitions in order, from one goroutine. An error of Reduce ends the run.
	Reduce func(repetition int64, r Repetition) error
	// Progress, if not nil, is called with the number of completed repetitions, and the number of completed
	// repetitions that were restored from the Checkpoint. Progress is called from the goroutine that calls
	// Reduce.
	Progress func(done, restored int64)

	Part       Part                   // selects the repetitions to run; zero selects all repetitions
	Checkpoint Checkpoint[Repetition] // stores each repetition as a block; may be nil
}

// Repetition is the result of one repetition of a Splitting.
type Repetition struct {
	Probability float64 // unbiased estimate of the probability; 0 if no trajectory reached one of the levels
	Levels      int64   // number of levels that trajectories reached, including the goal
	Layers      int64   // number of layers of all simulated trajectories
}

// Levels are the scores at which the trajectories of a Splitting are split.
type Levels struct {
	Scores []float64 // ascending scores; the last is the goal
	Layers int64     // number of layers simulated to choose the levels
	// Variance approximates the relative variance of the estimate of a repetition, times the number of
	// trajectories; the approximation treats the trajectories as independent. Variance is infinite if the
	// event did not happen while the levels were chosen.
	Variance float64
}

const (
	mostLevels   = 1000 // indices of trajectories are reserved for this many levels
	mostSplit    = 1e9  // largest number of trajectories between two levels, of all repetitions together
	shareOfLevel = 0.2  // fraction of trajectories that reach the next level; nearly the most efficient one
)

// ErrNoProgress says that no trajectory comes closer to the event of a Splitting, so that no levels can be
// chosen.
var ErrNoProgress = errors.New("no trajectory comes nearer to the event")

// Ensemble returns an ensemble with about the work and the memory of a splitting with the given number of
// levels, to predict the time and the memory of the splitting.
func (s *Splitting) Ensemble(levels int) *Ensemble[struct{}] {
	const ofChoosing = 2 // times as much work as a repetition
	return &Ensemble[struct{}]{Cells: []Cell{s.Cell}, Layers: s.Layers, Workers: s.Workers,
		Trajectories: int64(s.Trajectories) * int64(levels+1) * (s.Repetitions + ofChoosing)}
}

// Memory returns the memory, in bytes, of the trajectories of the splitting.
func (s *Splitting) Memory() float64 {
	return s.Cell.bytes(float64(2*s.Trajectories+16), 1) * float64(min(int64(s.workers()), s.Repetitions))
}

func (s *Splitting) workers() int {
	if s.Workers == 0 {
		return runtime.GOMAXPROCS(0)
	}
	return s.Workers
}

// Validate returns an error that says why the splitting cannot run, if it cannot.
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
	return CheckMemory(s.Memory())
}

// Choose chooses the levels of the splitting, from trajectories of which Run makes no use. About a fifth of
// the trajectories from one level will reach the next. If no trajectory exceeds some score below the goal,
// the error is ErrNoProgress with this score.
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
// trajectories that have just reached the goal. The second result is the number of layers that Measure has
// simulated. The change is NaN if no trajectory has reached the goal before the horizon. The levels are those
// of Choose or others, as in Run.
func (s *Splitting) Measure(ctx context.Context, levels Levels, during int64) (change float64, layers int64,
	err error) {
	if err := s.Validate(); err != nil {
		return 0, 0, err
	}
	if err := s.checkLevels(levels); err != nil {
		return 0, 0, err
	}
	split := newSplitter(s)
	for stage, level := range levels.Scores {
		split.stage(0, int64(stage))
		if err := split.toLevel(ctx, level); err != nil {
			return 0, 0, err
		}
		if len(split.reached) == 0 {
			return math.NaN(), split.layers, nil
		}
	}
	split.stage(0, int64(len(levels.Scores)))
	change, err = split.change(ctx, during)
	return change, split.layers, err
}

// Run runs the repetitions of the splitting. The levels may be those of Choose or others; their scores must
// ascend and end with the goal. The arguments of Reduce depend only on the splitting and the levels, neither
// on Workers nor on the machine.
func (s *Splitting) Run(ctx context.Context, levels Levels) error {
	if err := s.Validate(); err != nil {
		return err
	}
	if err := s.checkLevels(levels); err != nil {
		return err
	}
	if s.Reduce == nil {
		return errNoReduce
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

// checkLevels returns an error if the scores of the levels do not ascend, or do not end with the goal.
func (s *Splitting) checkLevels(levels Levels) error {
	n := len(levels.Scores)
	if n == 0 || n >= mostLevels || levels.Scores[n-1] != s.Goal {
		return fmt.Errorf("%d levels: must be from 1 to %d, the last one the goal "+
			"%v", n, mostLevels-1, s.Goal)
	}
	for i, score := range levels.Scores[1:] {
		if before := levels.Scores[i]; !(before < score) {
			return fmt.Errorf("levels must ascend: %v before %v", before, score)
		}
	}
	return nil
}

// repetition returns the index, among all repetitions, of a repetition that is counted within the part.
func (s *Splitting) repetition(item int64) int64 { return s.Part.Trajectory(item, s.Repetitions) }

// checkpoint returns the checkpoint of the repetitions of the part; nil if the splitting has no checkpoint.
func (s *Splitting) checkpoint() ordered.Checkpoint[Repetition] {
	if s.Checkpoint == nil {
		return nil
	}
	return repetitionCheckpoint{s.Checkpoint, s.repetition}
}

// repetitionCheckpoint is a checkpoint whose blocks are single repetitions. The callers of a
// repetitionCheckpoint count the repetitions from 0 within the part that runs.
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

// finite returns the score, or -∞ in place of a score that is NaN.
func finite(score float64) float64 {
	if math.IsNaN(score) {
		return math.Inf(-1)
	}
	return score
}
