package field

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"antipode/data"
	"antipode/experiments/run"
	"antipode/experiments/wording"
)

// readRows sets the experiment to the parameters of a table and returns the rows of the table, ordered by the
// angle of the point.
func readRows(f *Experiment, table *data.Table) ([]Row, error) {
	rows, err := run.ReadRows[Row](f, table)
	slices.SortStableFunc(rows, func(a, b Row) int { return cmp.Compare(a.angle(), b.angle()) })
	return rows, err
}

// Describe implements run.Experiment. The report states where the field projected to the tangent is least and
// greatest.
func (*Experiment) Describe(w io.Writer, table *data.Table) error {
	rows, err := readRows(New(), table)
	if err != nil {
		return err
	}
	least, greatest := rows[0], rows[0]
	for _, r := range rows {
		if r.tangent() < least.tangent() {
			least = r
		}
		if r.tangent() > greatest.tangent() {
			greatest = r
		}
	}
	_, err = fmt.Fprintf(w,
		"At %s of the circle the tangential component of the field ranges from %.4g (at %.1f°) to %.4g "+
			"(at %.1f°).\n",
		wording.Count(len(rows), "point"),
		least.tangent(), least.angle(), greatest.tangent(), greatest.angle())
	return err
}
