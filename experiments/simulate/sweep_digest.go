package simulate

import (
	"fmt"
	"io"
	"strings"

	"antipode/data"
	"antipode/experiments/internal/outcomes"
	"antipode/experiments/parameter"
	"antipode/experiments/wording"
	"antipode/sphere"
)

// sweptRow is a row of the digest of a sweep: the outcomes at the horizon at one point of the sweep, which is
// given by its index.
type sweptRow struct {
	Point int64 `column:"point"`
	fractionRow
}

// digestSweep returns the digest of the table of a sweep, which counts the outcomes at the horizon at each
// point. The digest of a digest is the digest itself.
func (s *Experiment) digestSweep(schema data.Schema, next func() (*data.Table, error)) (*data.Table, error) {
	if schema.Index("point") >= 0 {
		return next()
	}
	rows, numbers := s.sweptRows()
	for part, err := range data.Parts(next) {
		if err != nil {
			return nil, err
		}
		at, err := s.pointsOf(part)
		if err != nil {
			return nil, err
		}
		time, err := data.ValuesOf[float64](part, "time")
		if err != nil {
			return nil, err
		}
		var outcome []sphere.Outcome
		var pair []int32
		var imbalance []float64
		if part.Schema.Index("outcome") >= 0 {
			if outcome, pair, imbalance, err = outcomesOf(part); err != nil {
				return nil, err
			}
		}
		for row, values := range at {
			k, known := numbers[values]
			if !known {
				return nil, fmt.Errorf("row %d is of none of the %d points of its parameters", row, len(rows))
			}
			rows[k].Time = max(rows[k].Time, time[row])
			if outcome != nil && time[row] >= s.Horizon {
				rows[k].count(outcome[row], pair[row] > 0)
				rows[k].Imbalance += imbalance[row]
			}
		}
	}
	return digestFrom(schema, rows)
}

// pointValues are the values of the varying parameters at a point of a sweep. Unused entries are 0.
type pointValues [mostAxes]float64

// sweptRows returns rows without counts for all points of a sweep, and the index of each point.
func (s *Experiment) sweptRows() (rows []sweptRow, numbers map[pointValues]int) {
	numbers = map[pointValues]int{}
	for k, p := range s.points(0) {
		var values pointValues
		copy(values[:], p.values)
		numbers[values] = k
		rows = append(rows, sweptRow{Point: int64(k)})
	}
	return rows, numbers
}

// pointsOf returns the point of the sweep to which each row of a part of a table belongs.
func (s *Experiment) pointsOf(part *data.Table) ([]pointValues, error) {
	at := make([]pointValues, part.Rows())
	for k, a := range s.axes() {
		values, err := a.read(part)
		if err != nil {
			return nil, err
		}
		for row, value := range values {
			at[row][k] = value
		}
	}
	return at, nil
}

// describeSweep describes in words how the trajectories at up to twenty points of a sweep ended.
func (s *Experiment) describeSweep(w io.Writer, digest *data.Table) error {
	rows, err := someRows[sweptRow](digest)
	if err != nil {
		return err
	}
	points, axes := s.points(0), s.axes()
	text := fmt.Sprintf("%s of the %s model at each of %d points, to time %s",
		wording.Count(s.Trajectories, "trajectory"), s.Model, len(points), parameter.FormatReal(s.Horizon))
	if s.savesOutcomes() {
		text += "; 95 % intervals of probabilities in brackets"
	}
	text += "."
	const most = 20
	for k, r := range rows {
		if !s.savesOutcomes() || k == most {
			break
		}
		var at []string
		for i, a := range axes {
			at = append(at, fmt.Sprintf("%s = %s", a.column.Name, parameter.FormatReal(points[k].values[i])))
		}
		text += fmt.Sprintf("\n  %s: %s", strings.Join(at, ", "), r.fractionsText())
	}
	if n := len(rows) - most; s.savesOutcomes() && n > 0 {
		text += fmt.Sprintf("\n  and %d more", n)
		if s.Save != saveSummary {
			text += "; --save summary writes a table of all of them"
		}
	}
	_, err = fmt.Fprintln(w, text)
	return err
}

// fractionsText states how many trajectories have each outcome, with confidence intervals of the
// probabilities of the outcomes.
func (r fractionRow) fractionsText() string {
	text := ""
	for _, event := range []struct {
		name  string
		count int64
	}{{"single", r.Single}, {", antipodal", r.Antipodal}, {", unclustered", r.Unclustered}} {
		low, high := outcomes.Wilson(event.count, r.Trajectories)
		text += fmt.Sprintf("%s %d (%.3f to %.3f)", event.name, event.count, low, high)
	}
	return text
}
