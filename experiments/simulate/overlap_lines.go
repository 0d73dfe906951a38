package simulate

import (
	"fmt"

	"antipode/data"
	"antipode/experiments/figure"
	"antipode/experiments/run"
	"antipode/experiments/setting"
	"antipode/experiments/simulate/picture"
	"antipode/internal/lists"
	"antipode/sphere"
)

// overlapLines holds the overlaps of pairs of tokens in some trajectories as functions of time.
type overlapLines struct {
	time  []float64
	lines []overlapLine
}

type overlapLine struct {
	trajectory int64
	i, j       int32 // tokens, from 1
	z          []float64
}

// readOverlaps reads the overlaps as functions of time from a table of overlaps or of states.
func readOverlaps(table *data.Table) (*overlapLines, error) {
	if !hasOverlaps(table.Schema) {
		states, err := readStates(table)
		if err != nil {
			return nil, err
		}
		o := overlapsOf(states)
		return o, o.check()
	}
	rows, err := overlapRows(table)
	if err != nil {
		return nil, err
	}
	type key struct {
		trajectory int64
		i, j       int32
	}
	o := &overlapLines{}
	at := map[key]int{}
	for _, r := range rows {
		name := key{r.Trajectory, r.First, r.Second}
		k, known := at[name]
		if !known {
			k = len(o.lines)
			at[name] = k
			o.lines = append(o.lines, overlapLine{trajectory: name.trajectory, i: name.i, j: name.j})
		}
		o.lines[k].z = append(o.lines[k].z, r.Overlap)
		if k == 0 {
			o.time = append(o.time, r.Time)
		}
	}
	return o, o.check()
}

// hasOverlaps reports whether a table is a table of overlaps, possibly of an older version.
func hasOverlaps(schema data.Schema) bool {
	return schema.Index("overlap") >= 0 || schema.Index(formerOverlap) >= 0
}

// overlapRows returns the rows of a table of overlaps. In a table of two tokens, the rows do not name the
// pair; in the result every row has the pair of tokens 1 and 2.
func overlapRows(table *data.Table) (rows []OverlapRow, err error) {
	if table.Schema.Index("i") >= 0 {
		return run.RowsOf[OverlapRow](table)
	}
	pairs, err := run.RowsOf[PairRow](table)
	return lists.Map(pairs, func(r PairRow) OverlapRow { return OverlapRow{r.Moment, 1, 2, r.Overlap} }), err
}

// check returns an error if there are no lines of overlaps, or if lines have different numbers of times.
func (o *overlapLines) check() error {
	if len(o.lines) == 0 {
		return fmt.Errorf("%w: it has no overlaps", figure.ErrNone)
	}
	for _, l := range o.lines {
		if len(l.z) != len(o.time) {
			return fmt.Errorf("trajectory %d has %d overlaps of tokens %d and %d, but there are %d times",
				l.trajectory, len(l.z), l.i, l.j, len(o.time))
		}
	}
	return nil
}

// readFirstStates reads the positions of the tokens of the first trajectory at all times.
func readFirstStates(table *data.Table) (m picture.Motion, err error) {
	rows, err := readStates(table)
	if err != nil {
		return m, err
	}
	m.Trajectory = rows[0].Trajectory
	for _, r := range rows {
		if r.Trajectory == m.Trajectory {
			m.Times, m.Tokens = append(m.Times, r.Time), append(m.Tokens, r.Tokens)
		}
	}
	return m, nil
}

// readStates reads the states of the tokens of all trajectories. A table without states is an error.
func readStates(table *data.Table) ([]StateRow, error) {
	if _, _, err := setting.StateColumns(table.Schema); err != nil {
		return nil, err
	}
	return someRows[StateRow](table)
}

// someRows returns the rows of a table. A table without rows is the error run.ErrNoRows.
func someRows[Row any](table *data.Table) ([]Row, error) {
	rows, err := run.RowsOf[Row](table)
	if err == nil && len(rows) == 0 {
		err = run.ErrNoRows
	}
	return rows, err
}

// overlapsOf returns the overlaps of all pairs of tokens in the given states, as functions of time.
func overlapsOf(states []StateRow) *overlapLines {
	o := &overlapLines{}
	for _, rows := range run.Groups(states, func(r StateRow) int64 { return r.Trajectory }) {
		if o.time == nil {
			o.time = lists.Map(rows, func(r StateRow) float64 { return r.Time })
		}
		tokens := len(rows[0].Tokens)
		for i := range tokens {
			for j := i + 1; j < tokens; j++ {
				z := lists.Map(rows, func(r StateRow) float64 { return sphere.Dot(r.Tokens[i], r.Tokens[j]) })
				o.lines = append(o.lines, overlapLine{rows[0].Trajectory, int32(i + 1), int32(j + 1), z})
			}
		}
	}
	return o
}
