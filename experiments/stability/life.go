package stability

import (
	"fmt"
	"math"

	"antipode/data"
	"antipode/experiments/parameter"
	"antipode/overlap"
	"antipode/overlap/firstpassage"
	"antipode/sde"
)

// life is a cell and what the theory says of it.
type life struct {
	cell                sde.Cell
	lifetime, decayTime float64
	horizon             int64 // layers within which all trajectories will have ended
}

const (
	longestLife = 40      // decay times; the chance of a trajectory to last for so many is e^-40
	mostLayers  = 1 << 25 // the largest horizon of a trajectory that is seen at each layer
)

// lifeOf refuses a cell whose clusters last for too long.
func (s *Experiment) lifeOf(cell sde.Cell) (l life, err error) {
	start := cell.Start.(sde.OppositeStart)
	diffusion, err := s.diffusion(clustersOf(cell))
	if err != nil {
		return l, err
	}
	if s.stays(clustersOf(cell)) {
		nan := math.NaN()
		return life{cell: cell, lifetime: nan, decayTime: nan, horizon: equalClustersTime * s.Depth}, nil
	}
	if diffusion.PlusOne() != overlap.Attracting {
		return l, &parameter.Error{Parameter: "mlp", Value: s.MLP.String(),
			Problem: fmt.Sprintf("clusters do not come together for good in dimension %d at β = %g; "+
				"must be weaker, or see phase for where overlaps go", cell.Dim, cell.Beta)}
	}
	times, err := timesOf(diffusion)
	if err != nil {
		return l, &parameter.Error{Parameter: "beta", Value: parameter.FormatReal(cell.Beta),
			Problem: "must be such that the theory knows how long the clusters last: " + err.Error()}
	}
	if s.splits() {
		return s.splitLife(cell, times)
	}
	longest := longestLife * float64(s.Depth) * (1 + max(times[0], finiteOr(times[1], 0)))
	if !(longest <= mostLayers) {
		return l, &parameter.Error{Parameter: "beta", Value: parameter.FormatReal(cell.Beta),
			Problem: fmt.Sprintf("opposite clusters of %d and %d tokens would last for %s units of time; "+
				"must be less than %.3g at this depth, or see overlap --masses for the theory alone",
				start.First, start.Second, inTens(times[0]), mostLayers/longestLife/float64(s.Depth))}
	}
	return life{cell: cell, lifetime: times[0], decayTime: times[1], horizon: int64(longest)}, nil
}

// inTens is a time in short, also one beyond float64.
func inTens(time float64) string {
	if math.IsInf(time, 0) {
		return "more than 1e308"
	}
	return fmt.Sprintf("about %.3g", time)
}

// timesOf are the lifetime and the decay time of a diffusion, NaN where they are not
// known.
func timesOf(diffusion *overlap.Diffusion) (times [2]float64, err error) {
	lifetime, err := firstpassage.Lifetime(diffusion)
	if err != nil {
		return times, err
	}
	times = [2]float64{lifetime.Value, math.NaN()}
	// Where the decay time is refused, near a continuous spectrum, it is not known.
	if decay, err := firstpassage.DecayTime(diffusion); err == nil {
		times[1] = data.FiniteOrNaN(decay.Value)
	}
	return times, nil
}

func finiteOr(x, otherwise float64) float64 {
	if math.IsNaN(x) {
		return otherwise
	}
	return x
}
