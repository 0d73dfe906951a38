package simulate

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"antipode/data"
	"antipode/experiments/columns"
	"antipode/experiments/parameter"
	"antipode/sphere"
)

// Digest implements Digester: of outcomes, how many trajectories have each at each
// time; of overlaps and states, the first trajectories whole. A digest is its own
// digest.
func (*Simulate) Digest(schema data.Schema, next func() (*data.Table, error)) (*data.Table, error) {
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
		c := columns.Reader{Table: part}
		trajectories := columns.Of[int64](&c, "trajectory")
		if c.Err != nil {
			return nil, c.Err
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
func (s *Simulate) drawn() int {
	if s.Save == saveStates && s.Dim <= 3 {
		return 1
	}
	pairs := max(1, s.Tokens*(s.Tokens-1)/2)
	return int(max(1, min(fewTrajectories, 20/pairs)))
}

// simulationOf is the simulation that wrote a table, from its metadata. The files
// that it read may be gone.
func simulationOf(schema data.Schema) (*Simulate, error) {
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
	var times []float64
	var trajectories, pairs []int64
	var counts [3][]int64
	for {
		part, err := next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		c := columns.Reader{Table: part}
		time, outcome, pair := columns.Of[float64](&c, "time"), columns.Of[int8](&c, "outcome"), columns.Of[int32](&c, "antipodal_pair")
		if c.Err != nil {
			return nil, c.Err
		}
		for row, t := range time {
			k, known := at[t]
			if !known {
				k = len(times)
				at[t] = k
				times, trajectories, pairs = append(times, t), append(trajectories, 0), append(pairs, 0)
				for o := range counts {
					counts[o] = append(counts[o], 0)
				}
			}
			if o := outcome[row]; o < 0 || int(o) >= len(counts) {
				return nil, fmt.Errorf("row %d has no outcome", row)
			}
			trajectories[k]++
			counts[outcome[row]][k]++
			pairs[k] += int64(pair[row])
		}
	}
	count := func(name string) data.Column {
		return data.Column{Name: name, Kind: data.Int64, Unit: "trajectories"}
	}
	digest := data.NewTable(data.Schema{Metadata: schema.Metadata, Columns: []data.Column{
		{Name: "time", Kind: data.Float64, Unit: "units of time"}, count("trajectories"),
		count("single"), count("antipodal"), count("unclustered"), count("antipodal_pair"),
	}})
	return digest, digest.Write(data.Slice[float64](times), data.Slice[int64](trajectories),
		data.Slice[int64](counts[sphere.Single]), data.Slice[int64](counts[sphere.Antipodal]), data.Slice[int64](counts[sphere.Unclustered]), data.Slice[int64](pairs))
}

// fractions is the digest of outcomes, as text and figure need it.
type fractions struct {
	time                                               []float64
	trajectories, single, antipodal, unclustered, pair []int64
}

func readFractions(digest *data.Table) (*fractions, error) {
	c := columns.Reader{Table: digest}
	f := &fractions{
		time:         columns.Of[float64](&c, "time"),
		trajectories: columns.Of[int64](&c, "trajectories"),
		single:       columns.Of[int64](&c, "single"),
		antipodal:    columns.Of[int64](&c, "antipodal"),
		unclustered:  columns.Of[int64](&c, "unclustered"),
		pair:         columns.Of[int64](&c, "antipodal_pair"),
	}
	if c.Err == nil && len(f.time) == 0 {
		c.Err = columns.ErrNoRows
	}
	return f, c.Err
}

// digestOf returns the digest of a table, or the table if it is one.
func (s *Simulate) digestOf(table *data.Table) (*data.Table, error) {
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
