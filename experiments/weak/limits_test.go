package weak

import (
	"math"
	"path/filepath"
	"strings"
	"testing"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/run"
	"antipode/sde"
	"antipode/sde/brownian"
	"antipode/sphere/must"
)

// A shard whose rows have another number of values than the run is refused.
func TestShardOfAnotherLength(t *testing.T) {
	w := New()
	w.Depth, w.Trajectories = []int{8, 16, 32}, 2
	schema := run.ShardSchema(w, 1, sde.Part{Number: 0, Of: 1})
	schema.Columns = data.ColumnsOf[shardRow](data.Shape{Length: 5})
	path := filepath.Join(t.TempDir(), "shard.arrow")
	file := must.Get(data.Create(path, schema))(t)
	must.Do(t, data.WriteRows(file, shardRow{Values: make([]float64, 5)}))
	must.Do(t, file.Close())
	shard := must.Get(data.Open(path))(t)
	defer shard.Close()
	table := data.NewTable(run.Schema(w, 1))
	err := w.Run(t.Context(), run.Options{Seed: 1, Shards: []*data.Reader{shard}}, table)
	if err == nil || !strings.Contains(err.Error(), "trajectory 0 has 5 values, not 63") || table.Rows() > 0 {
		t.Errorf("%d rows, error %v", table.Rows(), err)
	}
}

// A horizon may have as many steps of the least depth as a Brownian path.
func TestLongestHorizon(t *testing.T) {
	w := New()
	w.Depth = []int{16, 32, 64}
	w.Horizon = float64(brownian.MaxBaseSteps) / 16
	if err := w.Validate(); err != nil {
		t.Error(err)
	}
	w.Horizon += 0.0625
	experimenttest.CheckRefused(t, w.Validate(), "horizon", "steps of the least depth; must be at most")
}

// An error of two standard errors is not drawn, and a table without a statistic says so.
func TestErrorsOfTwoStandardErrors(t *testing.T) {
	rows := []Row{{Depth: 8, Error: -0.5, Stderr: 0.25}, {Depth: 16, Error: -0.5, Stderr: 0.125},
		{Depth: 32, Error: math.NaN(), Stderr: 0.125}}
	if got := errorPoints(rows); len(got.Points) != 1 || got.Points[0].X != 16 || got.Points[0].Y != 0.5 {
		t.Errorf("%+v", got)
	}
	fits := fitsOf([]Row{{Scheme: "euler", Order: 1, OrderLow: 0.5, OrderHigh: 1.25},
		{Scheme: "euler", Statistic: 1, Order: math.NaN()}, {Scheme: "heun"}, {Scheme: "euler", Depth: 9}})
	if len(fits) != 3 || len(fits[0]) != 2 {
		t.Fatalf("%+v", fits)
	}
	for statistic, want := range []string{"1.00 (0.50 to 1.25)", "none", "left out"} {
		if got := orderOf(fits, "euler", sde.Gaussian, Statistic(statistic)); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
