package threetokens

import (
	"math"

	"antipode/overlap"
	"antipode/sphere/elementary"
)

const (
	// firstStage is the length of the first stage of equal steps, in units of the result of clock.
	firstStage = 1
	// growth is the ratio of the length of the steps of a stage to that of the stage before.
	growth = 8
	// A step that ends at one of the given times is at most this time divided by leastSteps. Longer steps
	// would damp fast motions too little.
	leastSteps = 10
)

// A stage is a number of equal steps. asked says that it ends at one of the given times.
type stage struct {
	step  float64
	steps int
	asked bool
}

// stages divides the time up to the last of the given times into stages. Each of the given times is the end
// of a stage.
func (g *grid) stages(times []float64) []stage {
	var all []stage
	step, passed := firstStage*g.clock()/float64(g.steps), 0.0
	for _, until := range times {
		for passed < until {
			whole := float64(float64(g.steps) * step)
			if left := until - passed; left <= whole*(1+1e-12) {
				steps := int(math.Ceil(left/min(step, until/leastSteps) - 1e-9))
				all = append(all, stage{left / float64(steps), steps, true})
				passed = until
			} else {
				all = append(all, stage{step, g.steps, false})
				passed += whole
				step *= growth
			}
		}
	}
	return all
}

// continues reports whether the steps are as long as those of the stage before, up to rounding.
func (s stage) continues(before stage) bool {
	const rounding = 1e-9 // of times at equal distances
	return math.Abs(s.step-before.step) <= rounding*before.step
}

// work returns a number proportional to the operations for factoring the matrices of all stages.
func (g *grid) work(times []float64) float64 {
	lengths := 0
	var before stage
	for _, s := range g.stages(times) {
		if !s.continues(before) {
			lengths++
		}
		before = s
	}
	size := float64(g.size())
	return float64(lengths) * float64(g.rows) * size * size * size
}

// clock returns a time in which the tokens move little.
func (t *tokens) clock() float64 {
	speed := t.sigma * t.sigma * float64(t.dim+3)
	if t.attention == overlap.Unnormalized {
		speed *= 0.25 * elementary.Exp(2*t.beta)
	}
	return 1 / speed
}
