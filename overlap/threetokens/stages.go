package threetokens

import (
	"math"

	"antipode/overlap"
	"antipode/sphere/elementary"
)

const (
	// firstStage is the length of the first stage of equal steps in time, in units of the time that clock
	// returns.
	firstStage = 1
	// growth is the ratio of the length of the steps in a stage to the length of the steps in the stage
	// before.
	growth = 8
	// leastSteps is the least ratio of a requested time to the length of a step that ends at this time.
	// Longer steps would damp fast motions too little.
	leastSteps = 10
)

// A stage is a number of equal steps in time. The field asked tells whether the stage ends at one of the
// requested times.
type stage struct {
	step  float64
	steps int
	asked bool
}

// stages divides the time up to the last of the requested times into stages. Each of the requested times is
// the end of a stage.
func (g *grid) stages(times []float64) []stage {
	var all []stage
	step, passed := firstStage*g.clock()/float64(g.steps), 0.0
	for _, until := range times {
		for passed < until {
			whole := float64(float64(g.steps) * step)
			if left := until - passed; left <= whole*(1+1e-12) {
				steps := int(math.Ceil(max(left/step, leastSteps*(left/until)) - 1e-9))
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

// continues reports whether the steps of the stage s are as long as those of the stage before, up to
// rounding.
func (s stage) continues(before stage) bool {
	const rounding = 1e-9 // relative rounding errors of times at equal distances
	return math.Abs(s.step-before.step) <= rounding*before.step
}

// work returns a number proportional to the operations for factoring the matrices of all stages up to the
// requested times.
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

// clock returns a time in which the three tokens move little: the inverse of a bound of their speed.
func (t *tokens) clock() float64 {
	speed := t.sigma * t.sigma * float64(t.dim+3)
	if t.attention == overlap.Unnormalized {
		speed *= 0.25 * elementary.Exp(2*t.beta)
	}
	return 1 / speed
}
