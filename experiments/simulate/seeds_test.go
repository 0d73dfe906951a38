package simulate

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/run"
	"antipode/internal/lists"
)

// A trajectory cannot be watched if the seed varies.
func TestSeveralSeedsAreNotWatched(t *testing.T) {
	s := New()
	s.varied.Seeds = []uint64{1, 2}
	_, err := s.Watched()
	experimenttest.CheckRefused(t, err, "seed", "must be one value, to watch one trajectory")
}

// Seeds that are no float64 are in the table as they are, and in the report and the figure each has its
// trajectories.
func TestSeedsThatAreNoFloat64(t *testing.T) {
	seeds := []uint64{1<<53 + 1, 1 << 53, math.MaxInt64, math.MaxInt64 - 1}
	for _, save := range []string{saveOutcomes, saveSummary} {
		s := smallSimulation(save)
		s.Every = s.Horizon
		s.varied.Seeds = seeds
		table := experimenttest.Table(t, s, run.Options{Seed: seeds[0]})
		written := slices.Compact(slices.Clone(experimenttest.Must(data.ValuesOf[int64](table, "seed"))))
		want := lists.Map(seeds, func(seed uint64) int64 { return int64(seed) })
		if !slices.Equal(written, want) {
			t.Errorf("%s: seeds %v, want %v", save, written, want)
		}
		text := describe(t, s, table)
		for _, seed := range seeds {
			if !strings.Contains(text, fmt.Sprintf("seed = %d: single ", seed)) {
				t.Errorf("%s: the report lacks the seed %d:\n%s", save, seed, text)
			}
		}
		ends := s.ends(experimenttest.Must(run.RowsOf[sweptRow](experimenttest.Must(s.digestOf(table)))))
		if len(ends) != len(seeds) || slices.ContainsFunc(ends,
			func(end gridEnd) bool { return end.Trajectories != s.Trajectories }) {
			t.Errorf("%s: ends %+v", save, ends)
		}
	}
}
