package simulate

import (
	"math"

	"antipode/experiments/figure"
	"antipode/experiments/theory"
	"antipode/internal/lists"
)

// theoryText explains the dotted lines of the theory in a caption.
const theoryText = "; dotted: theory"

// lineAccuracy is the required accuracy of a theoretical probability in a figure. The accuracy is a quarter
// of the width of a line.
const lineAccuracy = 1e-3

// addLaw adds to a plot the theoretical probabilities of the outcomes of two tokens against time, at infinite
// depth. The lines are dotted and have the colours of the simulated fractions. The argument time must have
// ascending times. The result drawn is false if the theory does not apply.
func (s *Experiment) addLaw(p *figure.Plot, time []float64) (drawn bool, err error) {
	for len(time) > 0 && time[0] <= 0 {
		time = time[1:]
	}
	laws, err := s.laws(time, lineAccuracy)
	if len(laws) == 0 {
		return false, err
	}
	return addChances(p, time, lists.Map(laws, s.chancesOf)), nil
}

// addChances adds lines of theoretical probabilities of the outcomes to a plot, with gaps where a probability
// is not known. The result drawn reports whether any probability is known.
func addChances(p *figure.Plot, x []float64, chances []Chances) (drawn bool) {
	of := []func(c Chances) float64{ // in the order of the method fractions
		func(c Chances) float64 { return c.Single },
		func(c Chances) float64 { return c.Antipodal },
		func(c Chances) float64 { return 1 - c.Single - c.Antipodal },
	}
	for i, probability := range of {
		y := make([]float64, len(chances))
		for k, c := range chances {
			y[k] = probability(c)
			drawn = drawn || !math.IsNaN(y[k])
		}
		p.BrokenLine(x, y, figure.Stroke{Color: figure.SeriesColors[i], Width: 0.7, Dashes: figure.Dotted})
	}
	return drawn
}

// chances returns the theoretical probabilities of the outcomes at the horizon of a point. The probabilities
// hold at the simulated depth if its exact law can be computed, and otherwise at infinite depth. The
// probabilities are NaN if the theory does not apply, or if it is less accurate than a quarter of the width
// of a line.
func (s *Experiment) chances() (Chances, error) {
	p, applies, err := s.prepareLaw()
	if err != nil || !applies {
		return unknownChances, err
	}
	recursion, err := theory.Recursion(p.cell)
	if err != nil {
		return unknownChances, nil // a layer may turn a token around
	}
	if recursion == nil {
		if shares, at, err := s.LawOf([]float64{s.Horizon}, 1); shares != nil {
			return at, err
		}
		return unknownChances, nil
	}
	o, err := recursion.Uniform(int(p.horizon), s.Tolerance, lineAccuracy)
	if err != nil {
		return unknownChances, nil
	}
	return Chances{theory.Known(o.Antipodal).Value, theory.Known(o.Single).Value}, nil
}

// addChancesOfGrid adds to a plot the theoretical probabilities of the outcomes along the only axis of a
// sweep, at the simulated points. The result drawn is false if the theory does not apply.
func (s *Experiment) addChancesOfGrid(p *figure.Plot, ends []gridEnd) (drawn bool, err error) {
	at := map[float64]Chances{}
	place := s.drawnAxes()[0]
	axis := s.axes()[place]
	for _, point := range s.points(0) {
		x := axis.number(point.at[place])
		if _, known := at[x]; known { // computed already for another seed
			continue
		}
		if at[x], err = point.chances(); err != nil {
			return false, err
		}
	}
	x := lists.Map(ends, func(end gridEnd) float64 { return end.at.X })
	chances := lists.Map(ends, func(end gridEnd) Chances { return at[end.at.X] })
	return addChances(p, x, chances), nil
}
