package simulate

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"antipode/data"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/sphere"
)

// Digest implements Digester: of outcomes, how many trajectories have each at each
// time; of overlaps and states, the first trajectories whole. A digest is its own
// digest.
func (*Experiment) Digest(schema data.Schema, next func() (*data.Table, error)) (*data.Table, error) {
	if s, err := simulationOf(schema); err == nil && len(s.axes()) > 0 {
		return s.digestSweep(schema, next)
	}
	if schema.Index("outcome") >= 0 {
		return countOutcomes(schema, next)
	}
	if schema.Index("single") >= 0 {
		return next()
	}
	s, err := simulationOf(schema)
	if err != nil {
		return nil, err
	}
	digest := data.NewTable(schema)
	for first := int64(s.drawn()); ; {
		part, err := next()
		if err == io.EOF {
			return digest, nil
		}
		if err != nil {
			return nil, err
		}
		trajectories, err := data.ValuesOf[int64](part, "trajectory")
		if err != nil {
			return nil, err
		}
		end := slices.IndexFunc(trajectories, func(k int64) bool { return k >= first })
		if end < 0 {
			end = len(trajectories)
		}
		if err := digest.Write(part.Slice(0, end).Columns...); err != nil {
			return nil, err
		}
		if end < len(trajectories) {
			return digest, nil
		}
	}
}

// drawn is the number of trajectories of which overlaps or states are shown: one,
// or up to six that have twenty overlaps.
func (s *Experiment) drawn() int {
	if s.Save == saveStates && s.Dim <= 3 {
		return 1
	}
	pairs := max(1, s.Tokens*(s.Tokens-1)/2)
	return int(max(1, min(fewTrajectories, 20/pairs)))
}

// simulationOf is the simulation that wrote a table, from its metadata. The files
// that it read may be gone.
func simulationOf(schema data.Schema) (*Experiment, error) {
	s := New()
	text, _ := schema.Value(data.KeyParameters)
	err := json.Unmarshal([]byte(text), s)
	if err == nil {
		err = parameter.Check(s.Parameters())
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", data.KeyParameters, err)
	}
	return s, nil
}

// countOutcomes is the digest of outcomes: a row for each time.
func countOutcomes(schema data.Schema, next func() (*data.Table, error)) (*data.Table, error) {
	at := map[float64]int{}
	var rows []fractionRow
	for {
		part, err := next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		time, errTime := data.ValuesOf[float64](part, "time")
		outcome, errOutcome := data.ValuesOf[int8](part, "outcome")
		pair, errPair := data.ValuesOf[int32](part, "antipodal_pair")
		if err := cmp.Or(errTime, errOutcome, errPair); err != nil {
			return nil, err
		}
		for row, t := range time {
			k, known := at[t]
			if !known {
				k = len(rows)
				at[t] = k
				rows = append(rows, fractionRow{Time: t})
			}
			switch sphere.Outcome(outcome[row]) {
			case sphere.Single:
				rows[k].Single++
			case sphere.Antipodal:
				rows[k].Antipodal++
			case sphere.Unclustered:
				rows[k].Unclustered++
			default:
				return nil, fmt.Errorf("row %d has no outcome", row)
			}
			rows[k].Trajectories++
			rows[k].Pair += int64(pair[row])
		}
	}
	digest := data.NewTable(data.Schema{Metadata: schema.Metadata, Columns: data.ColumnsOf[fractionRow]()})
	return digest, data.WriteRows(digest, rows...)
}

// readFractions are the rows of a digest of outcomes, at least one.
func readFractions(digest *data.Table) ([]fractionRow, error) {
	rows, err := data.RowsOf[fractionRow](digest)
	if err == nil && len(rows) == 0 {
		err = run.ErrNoRows
	}
	return rows, err
}

// digestOf returns the digest of a table, or the table if it is one.
func (s *Experiment) digestOf(table *data.Table) (*data.Table, error) {
	return s.Digest(table.Schema, once(table))
}

// once returns a function that gives a table as its only part.
func once(table *data.Table) func() (*data.Table, error) {
	return func() (*data.Table, error) {
		if table == nil {
			return nil, io.EOF
		}
		part := table
		table = nil
		return part, nil
	}
}
