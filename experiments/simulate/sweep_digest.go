package simulate

import (
	"fmt"
	"io"
	"strings"

	"antipode/data"
	"antipode/experiments/internal/outcomes"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/experiments/setting"
	"antipode/experiments/wording"
	"antipode/internal/lists"
	"antipode/sphere"
)

// sweptRow is a row of the digest of a sweep: the outcomes at the horizon at one point of the sweep, which is
// given by its index.
type sweptRow struct {
	Point int64 `column:"point"`
	fractionRow
}

// digestSweep returns the digest of the table of a sweep, which counts the outcomes at the horizon at each
// point that the table has. The digest of a digest is the digest itself.
func (s *Experiment) digestSweep(schema data.Schema, next func() (*data.Table, error)) (*data.Table, error) {
	if schema.Index("point") >= 0 {
		return next()
	}
	rows, err := s.noEnds()
	if err != nil {
		return nil, err
	}
	pointsOf := s.pointReader()
	for part, err := range data.Parts(next) {
		if err != nil {
			return nil, err
		}
		at, err := pointsOf(part)
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
		for row, k := range at {
			if outcome != nil && time[row] >= rows[k].Time {
				rows[k].count(outcome[row], pair[row] > 0)
				rows[k].Imbalance += imbalance[row]
			}
		}
	}
	if s.savesOutcomes() {
		return digestOfEnds(schema, rows)
	}
	return digestFrom(schema, rows)
}

// noEnds returns a row without trajectories for each point of a sweep, with the last time that is saved. This
// time may differ from the horizon by rounding errors.
func (s *Experiment) noEnds() ([]sweptRow, error) {
	var rows []sweptRow
	for k, p := range s.points(0) {
		layers, err := setting.Layers(p.Depth, p.Horizon)
		if err != nil {
			return nil, err
		}
		last := moment{layer: layers}.time(p.Depth)
		rows = append(rows, sweptRow{Point: int64(k), fractionRow: fractionRow{Time: last}})
	}
	return rows, nil
}

// digestOfEnds returns the digest of a sweep from rows with the outcomes at the horizon. Rows without
// trajectories are left out. It is an error if all rows are.
func digestOfEnds(schema data.Schema, rows []sweptRow) (*data.Table, error) {
	ends := lists.Filter(rows, func(r sweptRow) bool { return r.Trajectories > 0 })
	if len(ends) == 0 {
		return nil, fmt.Errorf("%w: none is at the horizon", run.ErrNoRows)
	}
	return digestFrom(schema, ends)
}

// pointReader returns a function that returns the index of the point of the sweep to which each row of a part
// of a table belongs. A row of another point is an error.
func (s *Experiment) pointReader() func(part *data.Table) ([]int, error) {
	axes := s.axes()
	readers := lists.Map(axes, func(a axis) func(*data.Table) ([]int, error) { return a.reader() })
	return func(part *data.Table) ([]int, error) {
		at := make([]int, part.Rows())
		for k, read := range readers {
			indices, err := read(part)
			if err != nil {
				return nil, err
			}
			for row, index := range indices {
				if index < 0 {
					return nil, fmt.Errorf("row %d is of none of the %d points of its parameters", row,
						len(s.points(0)))
				}
				at[row] = at[row]*axes[k].length + index
			}
		}
		return at, nil
	}
}

// describeSweep describes in words how the trajectories at up to twenty points of a sweep ended.
func (s *Experiment) describeSweep(w io.Writer, digest *data.Table) error {
	rows, err := someRows[sweptRow](digest)
	if err != nil {
		return err
	}
	points, axes := s.points(0), s.axes()
	text := fmt.Sprintf("%s of the %s model at each of %d points, to time %s",
		wording.Count(s.Trajectories, "trajectory"), s.Model, len(rows), parameter.FormatReal(s.Horizon))
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
			at = append(at, fmt.Sprintf("%s = %s", a.column.Name, a.text(points[r.Point].at[i])))
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
