package stability

import (
	"fmt"
	"math"

	"antipode/data"
	"antipode/experiments/parameter"
	"antipode/overlap"
	"antipode/overlap/firstpassage"
	"antipode/sde"
	"antipode/sphere/elementary"
)

// life is the question how long the opposite clusters of a cell last until they merge. A life also holds the
// theoretical lifetime and decay time.
type life struct {
	job
	lifetime, decayTime float64
}

const (
	longestLife = 40      // in decay times; trajectories are longer with probability e^-40
	mostLayers  = 1 << 25 // greatest number of observed layers of a trajectory
)

// lifeOf returns the life of a cell, or an error if the opposite clusters of the cell last too long to be
// simulated.
func (s *Experiment) lifeOf(cell sde.Cell) (l life, err error) {
	times, err := s.timesOfCell(cell)
	if err != nil {
		return l, err
	}
	lifetime, decay := times[0], times[1]
	slower := lifetime
	if decay > lifetime { // decay is not NaN
		slower = decay
	}
	longest := longestLife * float64(s.Depth) * (1 + slower)
	if start := cell.Start.(sde.OppositeStart); !(longest <= mostLayers) {
		return l, parameter.Errorf("beta", cell.Beta, "opposite clusters of %d and %d tokens would last "+
			"for %s units of time; must be less than %.3g at this depth, or see overlap --masses for the "+
			"theory alone", start.First, start.Second, inTens(lifetime),
			mostLayers/longestLife/float64(s.Depth))
	}
	return life{job{s, cell, int64(longest)}, lifetime, decay}, nil
}

// share implements question. A trajectory stops long before the horizon.
func (l life) share() float64 { return 1. / longestLife }

// watch implements question. The overlap of the two clusters is observed at each layer.
func (l life) watch(e *sde.Ensemble[passage]) {
	e.Times = make([]int64, l.layers)
	for k := range e.Times {
		e.Times[k] = int64(k + 1)
	}
	near, first := elementary.Log(l.s.Tolerance), l.cell.Start.(sde.OppositeStart).First
	passed := func(v *sde.View) (zero, end bool) { // whether the overlap is ≥ 0, and ≥ 1-τ
		above, below := v.Logarithms(0, first)
		return above >= below, below <= near
	}
	e.Observer = func(int) func(*passage, *sde.View) {
		return func(p *passage, v *sde.View) {
			p.Within, p.Between = math.NaN(), math.NaN()
			zero, end := passed(v)
			if zero && p.Zero == 0 {
				p.Zero = v.Layer
			}
			if end {
				p.End = v.Layer
			}
		}
	}
	e.Stop = func(int) func(*sde.View) bool {
		return func(v *sde.View) bool {
			_, end := passed(v)
			return end
		}
	}
}

// ended implements question. A trajectory whose clusters have not merged at the horizon is an error.
func (l life) ended(trajectory int64, p passage) error {
	if p.End > 0 {
		return nil
	}
	return fmt.Errorf("β = %g: the clusters of trajectory %d had not come together by time %g: at this "+
		"depth they last much longer than in the limit", l.cell.Beta, trajectory,
		float64(l.layers)/float64(l.s.Depth))
}

// fill implements question. fill sets the lifetime and the decay time of the simulation and of the theory.
func (l life) fill(r *Row, passages []passage) error {
	r.LifetimeTheory, r.DecayTimeTheory = data.FiniteOrNaN(l.lifetime), l.decayTime
	r.Lifetime, r.LifetimeLow, r.LifetimeHigh = meanPassage(passages, l.s.Depth)
	r.DecayTime = finalDecay(passages, l.s.Depth)
	return nil
}

// timesOfCell returns the theoretical lifetime and decay time of the opposite clusters of a cell. It is an
// error if these clusters never merge.
func (s *Experiment) timesOfCell(cell sde.Cell) (times [2]float64, err error) {
	diffusion, err := s.diffusion(clustersOf(cell))
	if err != nil {
		return times, err
	}
	if diffusion.PlusOne() != overlap.Attracting {
		return times, parameter.Errorf("mlp", s.MLP.String(), "clusters do not come together for good in "+
			"dimension %d at β = %g; must be weaker, or see phase for where overlaps go", cell.Dim, cell.Beta)
	}
	if times, err = timesOf(diffusion); err != nil {
		err = parameter.Errorf("beta", cell.Beta, "must be such that the theory knows how long the "+
			"clusters last: %v", err)
	}
	return times, err
}

// inTens formats a time briefly. A time beyond the range of float64 becomes "more than 1e308".
func inTens(time float64) string {
	if math.IsInf(time, 0) {
		return "more than 1e308"
	}
	return fmt.Sprintf("about %.3g", time)
}

// timesOf returns the lifetime and the decay time of opposite clusters whose overlap follows a diffusion. A
// time is NaN if it is not known.
func timesOf(diffusion *overlap.Diffusion) (times [2]float64, err error) {
	lifetime, err := firstpassage.Lifetime(diffusion)
	if err != nil {
		return times, err
	}
	times = [2]float64{lifetime.Value, math.NaN()}
	// The decay time cannot be computed if the parameters are near those at which the spectrum is continuous.
	if decay, err := firstpassage.DecayTime(diffusion); err == nil {
		times[1] = data.FiniteOrNaN(decay.Value)
	}
	return times, nil
}
