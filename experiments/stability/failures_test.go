package stability

import (
	"errors"
	"io"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/figure"
	"antipode/experiments/run"
	"antipode/sde"
	"antipode/sphere/must"
)

// rowsOfBoth returns rows of clusters of unequal and of equal size, two of each, at two β.
func rowsOfBoth() (lives, equal []Row) {
	for _, beta := range []float64{1, 2} {
		lives = append(lives, Row{Clusters: Clusters{1, 2, 4, beta}, Trajectories: 10, Lifetime: 2,
			LifetimeLow: 1, LifetimeHigh: 3, DecayTime: 2})
		equal = append(equal, Row{Clusters: Clusters{2, 2, 4, beta}, Trajectories: 10, Within: -1,
			WithinError: 0.1, Between: 1, BetweenError: 0.1})
	}
	return lives, equal
}

// Without a theory, every use of it is an error: a row, a report, and the lines of figures.
func TestTheoryThatIsNotThere(t *testing.T) {
	lives, equal := rowsOfBoth()
	for _, law := range []sde.Law{sde.Gaussian, sde.Uniform} {
		s := New()
		s.Law, s.Sigma = law, math.NaN()
		_, limit := s.limit(equal[0].Clusters)
		_, atDepth := s.atDepth(equal[0].Clusters)
		_, late := s.lateness(lives[0].Clusters)
		_, curve := s.theory(lives)
		_, times := s.timesOfCell(sde.Cell{Dim: 4, Beta: 1, Start: sde.OppositeStart{First: 1, Second: 2}})
		_, livesPanels := s.livesPanels([][]Row{lives}, &figure.Key{})
		_, equalPanels := s.equalClustersPanels([][]Row{equal}, &figure.Key{})
		for name, err := range map[string]error{
			"limit": limit, "depth": atDepth, "delay": late, "curve": curve, "times": times,
			"figure of lives": livesPanels, "figure of equal clusters": equalPanels,
			"report": s.describeLives(io.Discard, lives),
			"row":    displacement{job{s: s}}.fill(&equal[0], make([]passage, 2)),
		} {
			if err == nil {
				t.Errorf("%v, %s: no error", law, name)
			}
		}
	}
	s := New()
	s.Depth = 0
	if err := (displacement{job{s: s}}).fill(&equal[0], make([]passage, 2)); err == nil {
		t.Error("no error of the theory at the depth")
	}
}

// The figure and the report of a table whose parameters have no theory, or that lacks a column, are errors.
func TestDamagedTables(t *testing.T) {
	lives, equal := rowsOfBoth()
	s := New()
	s.Masses, s.Dim, s.Beta = [][2]int{{1, 2}, {2, 2}}, []int{4}, []float64{1, 2}
	table := experimenttest.TableOf(t, s, append(lives, equal...)...)
	must.Do(t, New().Describe(io.Discard, table))
	for name, rows := range map[string][]Row{"lives": lives, "equal clusters": equal} {
		for k := range rows {
			rows[k].Dim = 1
		}
		table := experimenttest.TableOf(t, s, rows...)
		if _, err := New().Draw(table); err == nil {
			t.Errorf("%s in one dimension are drawn", name)
		}
	}
	err := New().Describe(io.Discard, experimenttest.Without(table, "m1"))
	if err == nil || !strings.Contains(err.Error(), `no column "m1"`) {
		t.Errorf("%v", err)
	}
	split := longLives(1, 2, 4, 5)
	if err := split.describeSplitting(io.Discard, &data.Table{}); err == nil {
		t.Error("no columns of splitting")
	}
}

// The figure shows up to six series of masses and dimensions, and its caption says how many it leaves out.
// Exponents are those at the depth for Gaussian values alone.
func TestSeriesThatAreNotDrawn(t *testing.T) {
	for count, want := range map[int]string{6: "", 8: "; not drawn: 2 of 8 pairs of masses and dimensions"} {
		var rows []Row
		for k := range count {
			for _, beta := range []float64{1, 2} {
				rows = append(rows, Row{Clusters: Clusters{2, 2, int32(4 + k), beta}})
			}
		}
		shown := 0
		_, left, err := drawn(rows, nil, func(all [][]Row, _ *figure.Key) ([]figure.Panel, error) {
			shown = len(all)
			return nil, nil
		})
		if left != want || err != nil || shown != 6 {
			t.Errorf("%d series: %d shown, %q, %v", count, shown, left, err)
		}
	}
	s := New()
	for law, want := range map[sde.Law]string{sde.Gaussian: "at this depth",
		sde.Uniform: "in the limit of infinite depth"} {
		if s.Law = law; s.depthText() != want {
			t.Errorf("%v: %s", law, s.depthText())
		}
	}
	if inTens(math.Inf(1)) != "more than 1e308" || inTens(1234) != "about 1.23e+03" {
		t.Errorf("%s, %s", inTens(math.Inf(1)), inTens(1234))
	}
}

// Merged shards of splitting make the table of the whole run; one trajectory cannot be split, and lives that
// are too short or too few for splitting are refused.
func TestShardsOfSplitting(t *testing.T) {
	s := longLives(1, 2, 2, 5)
	s.Depth, s.Trajectories, s.Repetitions = 5, 10, 3
	want := experimenttest.Text(experimenttest.Table(t, s, run.Options{Seed: 1}))
	var shards []*data.Reader
	for k := range int64(2) {
		part := sde.Part{Number: k, Of: 2}
		table := data.NewTable(run.ShardSchema(s, 1, part))
		must.Do(t, s.Run(t.Context(), run.Options{Seed: 1, Part: part}, table))
		path := filepath.Join(t.TempDir(), "shard.arrow")
		must.Do(t, data.WriteFile(path, table))
		reader := must.Get(data.Open(path))(t)
		defer reader.Close()
		shards = append(shards, reader)
	}
	merged := data.NewTable(run.Schema(s, 1))
	must.Do(t, s.Run(t.Context(), run.Options{Seed: 1, Shards: shards}, merged))
	if got := experimenttest.Text(merged); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	s.Trajectories = 1
	experimenttest.CheckRefused(t, s.Validate(), "trajectories", "")
	s.Trajectories, s.Sigma = 10, math.NaN()
	if _, err := s.lives(); err == nil {
		t.Error("lives without a theory")
	}
	if err := s.runSplitting(t.Context(), run.Options{}, nil); err == nil {
		t.Error("a run without a theory")
	}
	full := data.SinkFunc(func(...data.Values) error { return experimenttest.ErrNoRoom })
	s = longLives(1, 2, 2, 5)
	s.Depth, s.Trajectories, s.Repetitions = 5, 10, 3
	err := s.Run(t.Context(), run.Options{Seed: 1, Part: sde.Part{Number: 0, Of: 2}}, full)
	if !errors.Is(err, experimenttest.ErrNoRoom) {
		t.Errorf("%v", err)
	}
}
