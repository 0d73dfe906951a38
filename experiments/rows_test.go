package experiments

import (
	"path/filepath"
	"testing"

	"antipode/data"
	"antipode/data/durable"
	"antipode/experiments/run"
	"antipode/experiments/simulate"
	"antipode/sphere/must"
)

// BenchmarkRows measures how fast a table of outcomes is written, and finished work is kept in a journal,
// where the simulation takes almost no time: 10^6 rows in each iteration.
func BenchmarkRows(b *testing.B) {
	s := simulate.New()
	s.Model, s.Dim, s.Depth, s.Horizon, s.Trajectories = "flow", 2, 1, 4, 200_000
	for b.Loop() {
		folder := b.TempDir()
		journal := must.Get(durable.OpenJournal(filepath.Join(folder, "journal"), "run", durable.DropPast))(b)
		w := must.Get(data.Create(filepath.Join(folder, "t.arrow"), run.Schema(s, 1)))(b)
		must.Do(b, s.Run(b.Context(), run.Options{Seed: 1, Journal: journal}, w))
		must.Do(b, w.Close())
		must.Do(b, journal.Remove())
	}
	b.ReportMetric(float64(b.N)*1e6/b.Elapsed().Seconds(), "rows/s")
}
