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

// Describe implements run.Experiment: what the table holds, and how the trajectories
// ended, or the first of them where the table has no outcomes.
func (s *Experiment) Describe(w io.Writer, table *data.Table) error {
	s, err := simulationOf(table.Schema)
	if err != nil {
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
	if s.Save == saveOutcomes {
		describe = describeOutcomes
	}
	if s.Save == saveAttention {
		describe = s.describeAttention
	}
	text, err := describe(digest)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s of the %s model, %s of dimension %d, β = %s, to time %s.\n%s\n",
		wording.Count(s.Trajectories, "trajectory"), s.Model, wording.Count(s.Tokens, "token"), s.Dim,
		parameter.FormatReal(s.Beta),
		parameter.FormatReal(s.Horizon), text)
	return err
}

func describeOutcomes(digest *data.Table) (string, error) {
	rows, err := readFractions(digest)
	if err != nil {
		return "", err
	}
	last := rows[len(rows)-1]
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
	return text, nil
}

// describeFirst says how trajectory 0 ended, within the tolerance.
func (s *Experiment) describeFirst(digest *data.Table) (string, error) {
	if digest.Schema.Index("z") < 0 {
		states, err := readStates(digest, 0)
		if err != nil {
			return "", err
		}
		last := states.rows[len(states.rows)-1]
		x := slices.Concat(last.Tokens...)
		outcome, _ := sphere.NewClassifier(states.tokens, s.Tolerance).Classify(x, states.dim)
		return firstEnds(last.Time, outcome), nil
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
	return firstEnds(o.time[last], outcome), nil
}

func firstEnds(time float64, outcome sphere.Outcome) string {
	return fmt.Sprintf("At time %s trajectory 0 is %v.", parameter.FormatReal(time), outcome)
}
