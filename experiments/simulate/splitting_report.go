package simulate

import (
	"fmt"
	"math"
	"strings"

	"antipode/data"
	"antipode/experiments/parameter"
	"antipode/experiments/wording"
)

// describeSplitting reports the estimated probability at each point of a sweep with multilevel splitting.
func (s *Experiment) describeSplitting(table *data.Table) (string, error) {
	rows, err := data.RowsOf[SplittingRow](table)
	if err != nil {
		return "", err
	}
	at, err := s.pointReader()(table)
	if err != nil {
		return "", err
	}
	points := s.points(0)
	var text strings.Builder
	for k, r := range rows {
		for n, a := range s.axes() {
			fmt.Fprintf(&text, "%s %s: ", a.column.Name, a.text(points[at[k]].at[n]))
		}
		fmt.Fprintf(&text, "probability of the outcome %s at time %s: %.4g (%s)%s.\n",
			s.Splitting, parameter.FormatReal(s.Horizon), r.P, r.interval(), r.beside())
		fmt.Fprintf(&text, "%s of %s at %s simulated %.3g layers%s.\n",
			wording.Count(r.Repetitions, "repetition"), wording.Count(s.Trajectories, "trajectory"),
			wording.Count(r.Levels, "level"), float64(r.Layers), r.cost())
	}
	return strings.TrimSuffix(text.String(), "\n"), nil
}

// interval states the 95 % interval of the probability, or why it is not known.
func (r SplittingRow) interval() string {
	if math.IsNaN(r.Stderr) {
		return "all repetitions agree, so that its error is not known"
	}
	return fmt.Sprintf("95 %% interval %.4g to %.4g", r.Low, r.High)
}

// beside states the probability under the exact law at the simulated depth. The text is "" if this
// probability is not known.
func (r SplittingRow) beside() string {
	if math.IsNaN(r.Depth) {
		return ""
	}
	return fmt.Sprintf(", by the exact law %.4g", r.Depth)
}

// cost compares the number of layers of multilevel splitting with that of plain simulation.
func (r SplittingRow) cost() string {
	if math.IsNaN(r.PlainLayers) {
		return ""
	}
	return fmt.Sprintf("; plain simulation would need %.3g for the same interval, %.3g times as many",
		r.PlainLayers, r.PlainLayers/float64(r.Layers))
}
