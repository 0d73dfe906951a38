package simulate

import (
	"fmt"

	"antipode/data"
	"antipode/experiments/columns"
	"antipode/experiments/figure"
	"antipode/sphere"
)

// overlapLines are the overlaps of some trajectories against time.
type overlapLines struct {
	time  []float64
	lines []overlapLine
}

type overlapLine struct {
	trajectory int64
	i, j       int32 // tokens, from 1
	z          []float64
}

// readOverlaps reads the lines from a table of overlaps or of states.
func readOverlaps(table *data.Table) (*overlapLines, error) {
	if table.Schema.Index("z") < 0 {
		states, err := readStates(table, -1)
		if err != nil {
			return nil, err
		}
		o := states.overlaps()
		return o, o.check()
	}
	c := columns.Reader{Table: table}
	trajectory, time := columns.Of[int64](&c, "trajectory"), columns.Of[float64](&c, "time")
	first, second, z := columns.Of[int32](&c, "i"), columns.Of[int32](&c, "j"), columns.Of[float64](&c, "z")
	if c.Err != nil {
		return nil, c.Err
	}
	type key struct {
		trajectory int64
		i, j       int32
	}
	o := &overlapLines{}
	at := map[key]int{}
	for row := range z {
		name := key{trajectory[row], first[row], second[row]}
		k, known := at[name]
		if !known {
			k = len(o.lines)
			at[name] = k
			o.lines = append(o.lines, overlapLine{trajectory: name.trajectory, i: name.i, j: name.j})
		}
		o.lines[k].z = append(o.lines[k].z, z[row])
		if k == 0 {
			o.time = append(o.time, time[row])
		}
	}
	return o, o.check()
}

// check refuses lines that are empty or do not have the same times.
func (o *overlapLines) check() error {
	if len(o.lines) == 0 {
		return fmt.Errorf("%w: it has no overlaps", figure.ErrNone)
	}
	for _, l := range o.lines {
		if len(l.z) != len(o.time) {
			return fmt.Errorf("trajectory %d has %d overlaps of tokens %d and %d, but there are %d times", l.trajectory, len(l.z), l.i, l.j, len(o.time))
		}
	}
	return nil
}

// stateLines are the states of some trajectories against time.
type stateLines struct {
	tokens, dim  int
	time         []float64 // of each row
	trajectories []int64   // of each row
	columns      [][]float64
}

// readStates reads the states of one trajectory, or of all for -1.
func readStates(table *data.Table, only int64) (*stateLines, error) {
	tokens, dim, err := stateColumns(table.Schema)
	if err != nil {
		return nil, err
	}
	c := columns.Reader{Table: table}
	s := &stateLines{tokens: tokens, dim: dim}
	trajectory, time := columns.Of[int64](&c, "trajectory"), columns.Of[float64](&c, "time")
	for i := range tokens {
		s.columns = append(s.columns, columns.Of[float64](&c, stateColumn(i)))
	}
	if c.Err != nil {
		return nil, c.Err
	}
	s.time, s.trajectories = time, trajectory
	if only >= 0 {
		rows := 0
		for rows < len(trajectory) && trajectory[rows] == only {
			rows++
		}
		s.time, s.trajectories = time[:rows], trajectory[:rows]
	}
	if len(s.time) == 0 {
		return nil, columns.ErrNoRows
	}
	return s, nil
}

// token is a token, counted from 0, in a row.
func (s *stateLines) token(i, row int) []float64 { return s.columns[i][row*s.dim : (row+1)*s.dim] }

// overlaps are the overlaps of all pairs of tokens.
func (s *stateLines) overlaps() *overlapLines {
	o := &overlapLines{}
	for row := 0; row < len(s.time); {
		end := row
		for end < len(s.time) && s.trajectories[end] == s.trajectories[row] {
			end++
		}
		if row == 0 {
			o.time = s.time[:end]
		}
		for i := range s.tokens {
			for j := i + 1; j < s.tokens; j++ {
				line := overlapLine{trajectory: s.trajectories[row], i: int32(i + 1), j: int32(j + 1)}
				for k := row; k < end; k++ {
					line.z = append(line.z, sphere.Dot(s.token(i, k), s.token(j, k)))
				}
				o.lines = append(o.lines, line)
			}
		}
		row = end
	}
	return o
}
