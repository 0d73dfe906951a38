package sde

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"antipode/sde/internal/lanes"
)

// splitter advances the trajectories of a Splitting, one stage after another. The first lanes of a splitter
// hold the trajectories that run. The lanes from index kept on hold the trajectories that have reached the
// previous level; the kept lanes never share a vector with running lanes.
type splitter struct {
	of    *Splitting
	lanes lanes.Lanes
	view  View
	score func(v *View) float64
	event func(v *View) bool

	running  []lanes.Lane
	best     []float64 // largest score so far of each trajectory of the stage
	task     []int     // index in the stage of the trajectory that each running lane holds
	kept     int       // index of the first kept lane
	reached  []int64   // numbers of layers after which the kept trajectories reached the level
	layers   int64     // number of simulated layers
	happened int       // number of trajectories of the last stage in which the event has happened
}

func newSplitter(s *Splitting) *splitter {
	vectors := (s.Trajectories + lanes.PerVector - 1) / lanes.PerVector
	p := &splitter{of: s, kept: vectors * lanes.PerVector, score: s.Score(), event: s.Event()}
	p.lanes = newLanes(s.Cell, s.Seed, p.kept+s.Trajectories, KeepApart, 1)
	p.view = newView(s.Cell, p.lanes)
	p.best = make([]float64, s.Trajectories)
	return p
}

// stage begins the trajectories of a stage of a repetition; repetition 0 is the one that chooses the levels.
// In stage 0 trajectories begin at the start of the cell; in later stages they continue trajectories that
// have reached the previous level. A stage may be begun several times, with the same random numbers.
func (p *splitter) stage(repetition, stage int64) {
	n := p.of.Trajectories
	p.running, p.task, p.happened = p.running[:0], p.task[:0], 0
	first := (repetition*mostLevels + stage) * int64(n)
	random := rand.New(rand.NewPCG(p.of.Seed^p.of.Cell.ID(), uint64(first)))
	start := p.starts(first, random)
	// The numbers of times that two kept trajectories are continued differ by at most one. Every kept
	// trajectory has the same expected number of continuations.
	offset := 0
	if stage > 0 {
		offset = random.IntN(len(p.reached))
	}
	for k := range n {
		at := lanes.Lane{Trajectory: first + int64(k)}
		if stage == 0 {
			at.Err = p.lanes.Start(k, start(int64(k)))
		} else {
			from := (k + offset) % len(p.reached)
			p.lanes.Copy(k, p.kept+from)
			at.Layer = p.reached[from]
		}
		p.running, p.task = append(p.running, at), append(p.task, k)
		p.best[k] = math.Inf(-1)
	}
}

// starts returns the function that returns the number with which trajectory k of a repetition is started. Of
// a StatesStart the trajectories take states at equal distances, from a random state on: every state has the
// same expected number of trajectories, also if there are more states than trajectories. With other starts,
// the number is that of the random numbers of the trajectory.
func (p *splitter) starts(first int64, random *rand.Rand) func(k int64) int64 {
	states, are := p.of.Cell.Start.(*StatesStart)
	if !are {
		return func(k int64) int64 { return first + k }
	}
	count := int64(states.count())
	from := random.Int64N(count)
	return func(k int64) int64 { return from + k*count/int64(p.of.Trajectories) }
}

// toHorizon advances the trajectories of a stage to the horizon, and keeps no trajectory. toHorizon records
// the largest score of each trajectory, and counts the trajectories in which the event has happened.
func (p *splitter) toHorizon(ctx context.Context) error {
	return p.run(ctx, func(k int) (ended bool) {
		if p.running[k].Layer < p.of.Layers {
			return false
		}
		if p.event(&p.view) {
			p.happened++
		}
		return true
	})
}

// toLevel advances the trajectories of a stage until they reach a level or the horizon. Trajectories that
// reach the level are kept in other lanes, to be continued in the next stage.
func (p *splitter) toLevel(ctx context.Context, level float64) error {
	p.reached = p.reached[:0]
	return p.run(ctx, func(k int) (ended bool) {
		at := &p.running[k]
		if p.best[p.task[k]] < level {
			return at.Layer == p.of.Layers
		}
		if level == p.of.Goal && p.of.AtGoal && p.event(&p.view) {
			p.happened++
		}
		p.lanes.Copy(p.kept+len(p.reached), k)
		p.reached = append(p.reached, at.Layer)
		return true
	})
}

// run advances the running trajectories of a splitter until all of them have ended. At each evaluation of the
// score of lane k it calls arrive(k), which reports whether the trajectory ends.
func (p *splitter) run(ctx context.Context, arrive func(k int) (ended bool)) error {
	for {
		for k := len(p.running) - 1; k >= 0; k-- {
			if err := p.running[k].Err; err != nil {
				return fmt.Errorf("trajectory %d: %w", p.running[k].Trajectory, err)
			}
			if !p.looksAt(p.running[k].Layer) {
				continue
			}
			p.view.at(k, p.running[k])
			best := &p.best[p.task[k]]
			*best = max(*best, p.near())
			if arrive(k) {
				p.drop(k)
			}
		}
		if len(p.running) == 0 {
			return nil
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		layers := p.untilLook()
		p.lanes.Advance(p.running, layers)
		p.layers += layers * int64(len(p.running))
	}
}

// near returns the score of the trajectory that the splitter views, minus the expected loss of the score
// until the horizon.
func (p *splitter) near() float64 {
	return finite(p.score(&p.view)) - float64(p.of.Drift*float64(p.of.Layers-p.view.Layer))
}

// change returns the mean change of the score per layer, averaged over the trajectories of the stage, during
// the given number of layers.
func (p *splitter) change(ctx context.Context, during int64) (float64, error) {
	first := make([]lanes.Lane, len(p.running))
	scores := make([]float64, len(p.running))
	changes, layers := 0., int64(0)
	err := p.run(ctx, func(k int) (ended bool) {
		at, score := p.running[k], finite(p.score(&p.view))
		begun := &first[p.task[k]]
		if begun.Trajectory == 0 { // the trajectory has just begun: none has the number 0
			*begun, scores[p.task[k]] = at, score
		}
		if at.Layer < min(p.of.Layers, begun.Layer+during) {
			return false
		}
		changes += score - scores[p.task[k]]
		layers += at.Layer - begun.Layer
		return true
	})
	return changes / float64(layers), err
}

// looksAt reports whether the score of a trajectory is evaluated in a layer.
func (p *splitter) looksAt(layer int64) bool { return layer%p.of.Every == 0 || layer == p.of.Layers }

// untilLook returns the number of layers until the next evaluation of the score of any running trajectory.
func (p *splitter) untilLook() int64 {
	layers := p.of.Every
	for _, at := range p.running {
		layers = min(layers, p.of.Every-at.Layer%p.of.Every, p.of.Layers-at.Layer)
	}
	return layers
}

// drop ends the trajectory of lane k.
func (p *splitter) drop(k int) {
	last := len(p.running) - 1
	if k != last {
		p.lanes.Copy(k, last)
		p.running[k], p.task[k] = p.running[last], p.task[last]
	}
	p.running, p.task = p.running[:last], p.task[:last]
}

// nextLevel returns the score that a fifth of the trajectories of the stage have reached. The next level is
// above all previous levels. If a fifth of the trajectories have reached the goal, the next level is the
// goal.
func (p *splitter) nextLevel(before []float64) (float64, error) {
	last := math.Inf(-1)
	if len(before) > 0 {
		last = before[len(before)-1]
	}
	best := slices.Clone(p.best)
	slices.Sort(best)
	share := int(math.Ceil(shareOfLevel * float64(len(best))))
	level := best[len(best)-share]
	for _, score := range best {
		if level > last {
			break
		}
		level = max(level, score) // the least score above the level
	}
	switch {
	case level >= p.of.Goal:
		return p.of.Goal, nil
	case level <= last:
		return 0, fmt.Errorf("%w than a score of %.6g, where %.6g is needed", ErrNoProgress, last, p.of.Goal)
	}
	return level, nil
}

// last simulates the stage from the goal to the horizon, where the event is evaluated. With AtGoal the event
// is evaluated as soon as the goal is reached, and the stage from the goal is omitted.
func (p *splitter) last(ctx context.Context, repetition, stage int64) error {
	if p.of.AtGoal {
		return nil
	}
	p.stage(repetition, stage)
	return p.toHorizon(ctx)
}

// variance returns the relative variance of the fraction successes/n, times n, where successes is the number
// of the n trajectories of a stage that reached its level.
func (p *splitter) variance(successes int) float64 {
	return float64(p.of.Trajectories)/float64(successes) - 1
}

// repeat simulates a repetition with the given levels; repetition 0 is the one that chooses the levels.
func (p *splitter) repeat(ctx context.Context, repetition int64, levels []float64) (r Repetition, err error) {
	n := float64(p.of.Trajectories)
	p.layers = 0
	probability := 1.
	for stage, level := range levels {
		p.stage(repetition, int64(stage))
		if err := p.toLevel(ctx, level); err != nil {
			return r, err
		}
		if r.Layers = p.layers; len(p.reached) == 0 {
			return r, nil
		}
		r.Levels++
		if stage < len(levels)-1 {
			probability *= float64(len(p.reached)) / n
		}
	}
	if !p.of.AtGoal {
		probability *= float64(len(p.reached)) / n
	}
	if err := p.last(ctx, repetition, int64(len(levels))); err != nil {
		return r, err
	}
	r.Probability, r.Layers = probability*float64(p.happened)/n, p.layers
	return r, nil
}
