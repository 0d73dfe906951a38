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

// BenchmarkRows writes a table of outcomes, and keeps finished work, where the simulation
// takes next to no time: 10^6 rows an operation.
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
