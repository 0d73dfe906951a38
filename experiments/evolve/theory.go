package evolve

import (
	"math"
	"slices"

	"antipode/experiments/internal/outcomes"
	"antipode/experiments/setting"
	"antipode/experiments/theory"
	"antipode/experiments/wording"
	"antipode/overlap/fokkerplanck"
	"antipode/sde"
)

// hasTheory reports whether the theory of the overlap of two tokens applies to the cells.
func (e *Experiment) hasTheory() bool {
	return e.Tokens == 2 && (e.Interaction.Identity() || e.Interaction.HasTheory() &&
		!slices.ContainsFunc(e.Model, func(m setting.Model) bool { return m != setting.Transformer }))
}

// threeTokens reports whether the theory of three tokens is requested and applies to the cells.
func (e *Experiment) threeTokens() bool { return e.Theory && e.Tokens == 3 }

// addThreeTokens sets the theory of three tokens in the rows of a cell, if threeTokens is true.
func (e *Experiment) addThreeTokens(c sde.Cell, rows []Row) {
	if !e.threeTokens() {
		return
	}
	var times []float64
	var of []*Row
	for k := range rows {
		if r := &rows[k]; r.Time > 0 {
			times, of = append(times, r.Time), append(of, r)
		}
	}
	for k, three := range theory.ThreeTokensAt(c, times, e.Tolerance) {
		of[k].ThreeTokens = three
	}
}

// theory returns the laws of the overlap of two tokens in the cell of a row, at the given times above 0. The
// result is nil if the time of the diffusion is out of the range of the theory.
func (e *Experiment) theory(r Row, times []float64, accuracy float64) ([]fokkerplanck.Distribution, error) {
	cell := e.cell(setting.Model(r.Model), int(r.Dim), r.Beta)
	cell.Resampling = e.Interaction.Resampling()
	return theory.UniformLaws(cell, times, accuracy)
}

// atHorizon returns the theoretical antipodal probability of each cell at the last time. A probability is NaN
// if there is no theory. The other result collects the differences between the simulated cells and their
// theory.
func (e *Experiment) atHorizon(
	cells []evolution,
) (probability []float64, difference wording.Difference, err error) {
	probability = make([]float64, len(cells))
	for i, c := range cells {
		probability[i] = math.NaN()
		last := c.last()
		if e.threeTokens() {
			probability[i] = last.ThreeTokens.Antipodal
			difference.Add(outcomes.Deviation(last.Antipodal, last.Trajectories, probability[i]))
		}
		if !e.hasTheory() {
			continue
		}
		law, err := e.theory(last, []float64{last.Time}, 1e-5)
		if err != nil {
			return nil, difference, err
		}
		if len(law) > 0 {
			probability[i] = theory.Known(law[0].Antipodal(e.Tolerance)).Value
		}
		difference.Add(outcomes.Deviation(last.Antipodal, last.Trajectories, probability[i]))
	}
	return probability, difference, nil
}
