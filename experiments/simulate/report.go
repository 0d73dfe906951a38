package simulate

import (
	"fmt"
	"io"
	"slices"

	"antipode/data"
	"antipode/experiments/internal/outcomes"
	"antipode/experiments/parameter"
	"antipode/experiments/wording"
	"antipode/sphere"
)

// Describe implements run.Experiment. The report says what the table contains and how the trajectories ended
// or, for attention matrices, what the tokens of the first trajectory attend to.
func (s *Experiment) Describe(w io.Writer, table *data.Table) error {
	s, err := simulationOf(table.Schema)
	if err != nil {
		return err
	}
	if s.splits() {
		text, err := s.describeSplitting(table)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintln(w, text)
		return err
	}
	digest, err := s.digestOf(table)
	if err != nil {
		return err
	}
	if len(s.axes()) > 0 {
		return s.describeSweep(w, digest)
	}
	describe := s.describeFirst
	if s.savesOutcomes() {
		describe = describeOutcomes
	} else if e := ensembleOf(digest); e != nil && e.End.Trajectories > 1 {
		describe = e.describe
	}
	switch s.Save {
	case saveAttention:
		describe = s.describeAttention
	case saveDensity:
		describe = s.describeDensity
	}
	text, err := describe(digest)
	if err != nil {
		return err
	}
	if end := s.endOf(digest); end != nil {
		text += s.separationText(*end)
	}
	_, err = fmt.Fprintf(w, "%s of the %s model, %s of dimension %d, β = %s, to time %s.\n%s\n",
		wording.Count(s.Trajectories, "trajectory"), s.Model, wording.Count(s.Tokens, "token"), s.Dim,
		parameter.FormatReal(s.Beta), parameter.FormatReal(s.Horizon), text)
	return err
}

// endOf returns how many trajectories of a digest ended with each outcome, or nil if this is not known.
func (s *Experiment) endOf(digest *data.Table) *fractionRow {
	if e := ensembleOf(digest); e != nil {
		return &e.End
	}
	if rows, err := someRows[fractionRow](digest); err == nil && s.savesOutcomes() {
		return &rows[len(rows)-1]
	}
	return nil
}

func describeOutcomes(digest *data.Table) (string, error) {
	rows, err := someRows[fractionRow](digest)
	if err != nil {
		return "", err
	}
	return rows[len(rows)-1].describe(), nil
}

// describe states in words how many of the trajectories have each outcome.
func (last fractionRow) describe() string {
	text := fmt.Sprintf("At time %s:", parameter.FormatReal(last.Time))
	for _, event := range []struct {
		name  string
		count int64
	}{
		{"single", last.Single}, {"antipodal", last.Antipodal}, {"unclustered", last.Unclustered},
		{"an antipodal pair", last.Pair},
	} {
		k, n := event.count, last.Trajectories
		low, high := outcomes.Wilson(k, n)
		text += fmt.Sprintf("\n  %-18s %d of %d, %.4f (95 %% interval %.4f to %.4f)", event.name, k, n,
			float64(k)/float64(n), low, high)
	}
	return text
}

// describeFirst describes in words how the first trajectory ended. The tolerance of the experiment defines
// the outcome.
func (s *Experiment) describeFirst(digest *data.Table) (string, error) {
	if !hasOverlaps(digest.Schema) {
		states, err := readFirstStates(digest)
		if err != nil {
			return "", err
		}
		last := len(states.Times) - 1
		x := states.Tokens[last]
		outcome, _ := sphere.NewClassifier(len(x), s.Tolerance).Classify(slices.Concat(x...), len(x[0]))
		return endText(Moment{Trajectory: states.Trajectory, Time: states.Times[last]}, outcome), nil
	}
	o, err := readOverlaps(digest)
	if err != nil {
		return "", err
	}
	last := len(o.time) - 1
	outcome := sphere.Single
	for _, l := range o.lines {
		switch z := l.z[last]; {
		case l.trajectory != o.lines[0].trajectory || z >= 1-s.Tolerance:
		case z <= -1+s.Tolerance && outcome != sphere.Unclustered:
			outcome = sphere.Antipodal
		default:
			outcome = sphere.Unclustered
		}
	}
	return endText(Moment{Trajectory: o.lines[0].trajectory, Time: o.time[last]}, outcome), nil
}

func endText(at Moment, outcome sphere.Outcome) string {
	return fmt.Sprintf("At time %s trajectory %d is %v.", parameter.FormatReal(at.Time), at.Trajectory,
		outcome)
}
