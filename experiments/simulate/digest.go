package simulate

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"antipode/data"
	"antipode/experiments/parameter"
	"antipode/experiments/setting"
	"antipode/sphere"
)

// Digest implements experiments.Digester: it returns a smaller table from which the report and the figure can
// be made. The digest of a table of outcomes counts the trajectories with each outcome at each time. The
// digest of a table of overlaps or states has the complete first trajectories, and a summary of all
// trajectories in the metadata. The digest of a digest is the digest itself.
func (*Experiment) Digest(schema data.Schema, next func() (*data.Table, error)) (*data.Table, error) {
	s, err := simulationOf(schema)
	if err == nil && s.splits() {
		return allRows(schema, next)
	}
	if err == nil && schema.Index("p_single") >= 0 {
		return s.digestSummary(schema, next)
	}
	if err == nil && len(s.axes()) > 0 {
		return s.digestSweep(schema, next)
	}
	if schema.Index("outcome") >= 0 && (err != nil || s.Save == saveOutcomes) {
		return countOutcomes(schema, next)
	}
	if _, is := schema.Value(keyEnsemble); is || schema.Index("single") >= 0 {
		return next()
	}
	if err != nil {
		return nil, err
	}
	if s.Save == saveSummary {
		return nil, errors.New("it has no summary")
	}
	return s.firstTrajectories(schema, next)
}

// allRows returns the rows of all parts of a table as one table.
func allRows(schema data.Schema, next func() (*data.Table, error)) (*data.Table, error) {
	all := data.NewTable(schema)
	for part, err := range data.Parts(next) {
		if err == nil {
			err = all.Write(part.Columns...)
		}
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// firstTrajectories returns the rows of the trajectories that the figure shows, in the order of the table,
// whatever this order is. The metadata of the result have a summary of all trajectories. Reading a table of
// attention matrices stops as soon as the rows of the trajectories in the figure have been read.
func (s *Experiment) firstTrajectories(
	schema data.Schema, next func() (*data.Table, error),
) (*data.Table, error) {
	digest := data.NewTable(schema)
	var ensemble *ensembleCounter
	if s.Save != saveAttention && s.Save != saveDensity {
		ensemble = s.newEnsembleCounter()
	}
	end := s.Numbers.first + int64(s.drawn()) // index after the last trajectory in the figure
	all := float64(s.drawn()) * s.rowsOfTrajectory()
	for ensemble != nil || float64(digest.Rows()) < all {
		part, err := next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		if ensemble != nil {
			if err := ensemble.add(part); err != nil {
				return nil, err
			}
		}
		trajectories, err := data.ValuesOf[int64](part, "trajectory")
		if err != nil {
			return nil, err
		}
		for from := 0; from < len(trajectories); {
			to := from + 1
			for to < len(trajectories) && trajectories[to] < end == (trajectories[from] < end) {
				to++
			}
			if trajectories[from] < end {
				if err := digest.Write(part.Slice(from, to).Columns...); err != nil {
					return nil, err
				}
			}
			from = to
		}
	}
	if ensemble == nil {
		return digest, nil
	}
	entry, err := ensemble.entry()
	digest.Schema.Metadata = append(slices.Clip(digest.Schema.Metadata), entry)
	return digest, err
}

// rowsOfTrajectory returns the number of table rows of a trajectory, or infinity if this number is not known.
func (s *Experiment) rowsOfTrajectory() float64 {
	horizon, every, ok := s.layersSaved()
	table, err := s.newTable()
	if !ok || err != nil {
		return math.Inf(1)
	}
	return mostMoments(horizon, every) * table.rowsPerTime()
}

// layersSaved returns the number of layers up to the horizon, and the number of layers between two saved
// times. The result ok is false if the parameters are invalid.
func (s *Experiment) layersSaved() (horizon int64, every float64, ok bool) {
	horizon, errHorizon := setting.Layers(s.Depth, s.Horizon)
	every, errEvery := s.every()
	return horizon, every, cmp.Or(errHorizon, errEvery) == nil
}

// drawsOverlaps reports whether the figure shows overlaps of tokens against time.
func (s *Experiment) drawsOverlaps() bool {
	return s.Save == saveOverlaps || s.Save == saveStates && s.Dim > 3
}

// drawn returns the number of trajectories whose overlaps or states the figure shows. The figure shows one
// trajectory, or up to six if these together have at most twenty overlaps.
func (s *Experiment) drawn() int {
	if s.Save == saveStates && s.Dim <= 3 || s.Save == saveAttention || s.Save == saveDensity {
		return 1
	}
	pairs := max(1, s.Tokens*(s.Tokens-1)/2)
	return int(max(1, min(fewTrajectories, 20/pairs)))
}

// simulationOf returns the experiment that wrote a table, with the parameters in the metadata. The files that
// the experiment read need not exist any more.
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

// countOutcomes returns the digest of a table of outcomes: the counts of outcomes, with one row for each
// time.
func countOutcomes(schema data.Schema, next func() (*data.Table, error)) (*data.Table, error) {
	at := map[float64]int{}
	var rows []fractionRow
	for part, err := range data.Parts(next) {
		if err != nil {
			return nil, err
		}
		time, errTime := data.ValuesOf[float64](part, "time")
		outcome, pair, imbalance, errOutcome := outcomesOf(part)
		if err := cmp.Or(errTime, errOutcome); err != nil {
			return nil, err
		}
		for row, t := range time {
			k, known := at[t]
			if !known {
				k = len(rows)
				at[t] = k
				rows = append(rows, fractionRow{Time: t})
			}
			rows[k].count(outcome[row], pair[row] > 0)
			rows[k].Imbalance += imbalance[row]
		}
	}
	return digestFrom(schema, rows)
}

// digestFrom returns a digest with the given rows and with the metadata of a table.
func digestFrom[Row any](schema data.Schema, rows []Row) (*data.Table, error) {
	digest := data.NewTable(data.Schema{Metadata: schema.Metadata, Columns: data.ColumnsOf[Row]()})
	return digest, data.WriteRows(digest, rows...)
}

// outcomesOf returns the outcomes in a part of a table, for each outcome 1 if there is an antipodal pair, and
// otherwise 0, and the imbalance of two opposite clusters, or 0 if there are none. Tables of older versions
// do not have the column imbalance; for these tables all imbalances are 0. The table may number the labels of
// outcomes in any way.
func outcomesOf(part *data.Table) (
	seen []sphere.Outcome, pair []int32, imbalance []float64, err error,
) {
	codes, err := data.ValuesOf[int8](part, "outcome")
	if err != nil {
		return nil, nil, nil, err
	}
	labels := part.Schema.Columns[part.Schema.Index("outcome")].Labels
	known, _ := data.ValuesOf[float64](part, "imbalance")
	seen, imbalance = make([]sphere.Outcome, len(codes)), make([]float64, len(codes))
	for row, code := range codes {
		if code < 0 {
			return nil, nil, nil, fmt.Errorf("row %d has no outcome", row)
		}
		number := slices.Index(sphere.Outcome(0).Labels(), labels[code])
		if number < 0 {
			return nil, nil, nil, fmt.Errorf("row %d: %q is no outcome", row, labels[code])
		}
		seen[row] = sphere.Outcome(number)
		if known != nil && seen[row] == sphere.Antipodal {
			imbalance[row] = known[row]
		}
	}
	pair, err = data.ValuesOf[int32](part, "antipodal_pair")
	return seen, pair, imbalance, err
}

// digestOf returns the digest of a table in memory. The digest of a digest is the digest itself.
func (s *Experiment) digestOf(table *data.Table) (*data.Table, error) {
	return s.Digest(table.Schema, once(table))
}

// once returns a function that yields a table as its only part.
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
