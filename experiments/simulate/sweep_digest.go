package simulate

import (
	"fmt"
	"io"
	"strings"

	"antipode/data"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/experiments/wording"
	"antipode/sphere"
)

// sweptRow is a row of the digest of a sweep: what is at the horizon of a point, by its number.
type sweptRow struct {
	Point int64 `column:"point"`
	fractionRow
}

// digestSweep counts the outcomes at the horizon of each point. A digest is its own digest.
func (s *Experiment) digestSweep(schema data.Schema, next func() (*data.Table, error)) (*data.Table, error) {
	if schema.Index("point") >= 0 {
		return next()
	}
	points := s.points(0)
	rows := make([]sweptRow, len(points))
	last := 0.
	for k, at := 0, int64(0); ; {
		part, err := next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		trajectory, err := data.ValuesOf[int64](part, "trajectory")
		if err != nil {
			return nil, err
		}
		time, err := data.ValuesOf[float64](part, "time")
		if err != nil {
			return nil, err
		}
		outcome, _ := data.ValuesOf[int8](part, "outcome") // nil where there are none
		for row := range trajectory {
			if trajectory[row] < at { // the next point begins
				k++
			}
			if trajectory[row] == at && time[row] < last { // of a single trajectory
				k++
			}
			at, last = trajectory[row], time[row]
			if k >= len(points) {
				return nil, fmt.Errorf("has more than the %d points of its parameters", len(points))
			}
			rows[k].Point, rows[k].Time = int64(k), max(rows[k].Time, time[row])
			if outcome == nil || time[row] < s.Horizon {
				continue
			}
			rows[k].Trajectories++
			switch sphere.Outcome(outcome[row]) {
			case sphere.Single:
				rows[k].Single++
			case sphere.Antipodal:
				rows[k].Antipodal++
			default:
				rows[k].Unclustered++
			}
		}
	}
	digest := data.NewTable(data.Schema{Metadata: schema.Metadata, Columns: data.ColumnsOf[sweptRow]()})
	return digest, data.WriteRows(digest, rows...)
}

// describeSweep says how the trajectories of each of up to twenty points ended.
func (s *Experiment) describeSweep(w io.Writer, digest *data.Table) error {
	rows, err := data.RowsOf[sweptRow](digest)
	if err == nil && len(rows) == 0 {
		err = run.ErrNoRows
	}
	if err != nil {
		return err
	}
	points, axes := s.points(0), s.axes()
	text := fmt.Sprintf("%d %s of the %s model at each of %d points, to time %s.", s.Trajectories,
		wording.Plural("trajectory", "trajectories",
			s.Trajectories), s.Model, len(points), parameter.FormatReal(s.Horizon))
	const most = 20
	for k, r := range rows {
		if s.Save != saveOutcomes || k == most {
			break
		}
		var at []string
		for i, a := range axes {
			at = append(at, fmt.Sprintf("%s = %s", a.column.Name, parameter.FormatReal(points[k].values[i])))
		}
		text += fmt.Sprintf("\n  %s: single %d, antipodal %d, unclustered %d", strings.Join(at, ", "),
			r.Single, r.Antipodal,
			r.Unclustered)
	}
	if n := len(rows) - most; s.Save == saveOutcomes && n > 0 {
		text += fmt.Sprintf("\n  and %d more", n)
	}
	_, err = fmt.Fprintln(w, text)
	return err
}
