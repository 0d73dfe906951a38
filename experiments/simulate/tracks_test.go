package simulate

import (
	"errors"
	"math"
	"slices"
	"testing"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/run"
	"antipode/sphere"
	"antipode/sphere/must"
)

// Tracks are, bit for bit, the overlaps of the first two tokens that the run saves, with the outcomes of the
// trajectories.
func TestTracksAreTheRun(t *testing.T) {
	s := New()
	s.Tokens, s.Dim, s.Beta, s.Depth, s.Horizon, s.Tolerance = 3, 4, 1.5, 9, 7, 0.2
	tracked := must.Get(s.Tracked(5, 10))(t)
	times, err := tracked.Times()
	if err != nil || len(times) != 12 || times[0] != 0 || times[1] != 6./9 || times[11] != 7 {
		t.Fatal(times, err)
	}
	rows := must.Get(data.RowsOf[OverlapRow](experimenttest.Table(t, tracked, run.Options{Seed: 3})))(t)
	var want [5][]float64
	least := [5]float64{1, 1, 1, 1, 1}
	for _, r := range rows {
		if r.First == 1 && r.Second == 2 {
			want[r.Trajectory] = append(want[r.Trajectory], r.Overlap)
		}
		if r.Time == 7 {
			least[r.Trajectory] = min(least[r.Trajectory], math.Abs(r.Overlap))
		}
	}
	k := 0
	err = tracked.Tracks(t.Context(), 3, func(track Track) error {
		if !slices.Equal(track.Overlaps, want[k]) || len(track.Overlaps) != 12 ||
			(track.Outcome == sphere.Unclustered) != (least[k] < 0.8) {
			t.Errorf("trajectory %d: %v, want %v", k, track, want[k])
		}
		k++
		return nil
	})
	if err != nil || k != 5 {
		t.Errorf("%d trajectories, %v", k, err)
	}
	enough := errors.New("enough")
	if err := tracked.Tracks(t.Context(), 3, func(Track) error { return enough }); !errors.Is(err, enough) {
		t.Error(err)
	}
}

// The tracks of selected trajectories begin with the first of these.
func TestTracksOfSelectedTrajectories(t *testing.T) {
	tracks := func(numbers Numbers, count int64) (all [][]float64) {
		s := New()
		s.Tokens, s.Dim, s.Depth, s.Horizon, s.Numbers = 2, 3, 5, 2, numbers
		s.Trajectories = 1
		must.Do(t, must.Get(s.Tracked(count, 3))(t).Tracks(t.Context(), 3, func(track Track) error {
			all = append(all, track.Overlaps)
			return nil
		}))
		return all
	}
	want := tracks(Numbers{}, 5)
	if got := tracks(NumbersFrom(2, 2), 3); !slices.EqualFunc(got, want[2:], slices.Equal) {
		t.Errorf("from trajectory 2 on: %v, want %v", got, want[2:])
	}
}

// The law has the known probabilities at its ends, and agrees with simulated trajectories: at three times,
// the largest distance between the distribution functions is below the quantile of Kolmogorov's distribution
// for a false alarm in 10^4.
func TestLawOfTracks(t *testing.T) {
	s := New()
	s.Dim, s.Beta, s.Depth, s.Horizon = 4, 1.5, 200, 20
	const trajectories, bins, quantile = 2000, 20, 2.225
	tracked := must.Get(s.Tracked(trajectories, 3))(t)
	times := must.Get(tracked.Times())(t)
	shares, chances, err := tracked.LawOf(times[1:], bins)
	if err != nil || len(shares) != len(times)-1 {
		t.Fatal(len(shares), err)
	}
	long := *tracked
	long.Horizon = 50
	if _, chances, _ := long.LawOf([]float64{50}, 2); !(math.Abs(chances.Antipodal-0.22271) <= 5e-6) {
		t.Errorf("at time 50: %v", chances)
	}
	exact := *tracked
	exact.Beta, exact.Depth, exact.Horizon = 1.1, 10, 30
	if at, err := exact.AtDepth(); err != nil || !(math.Abs(at.Antipodal-0.12267) <= 1e-6*2) ||
		!(math.Abs(at.Single-0.874768) <= 2e-6) {
		t.Errorf("at depth 10: %v, %v", at, err)
	}
	counts := make([][bins]float64, len(times))
	outcomes := map[sphere.Outcome]int64{}
	must.Do(t, tracked.Tracks(t.Context(), 11, func(track Track) error {
		for k, z := range track.Overlaps {
			counts[k][min(bins-1, int((z+1)/2*bins))]++
		}
		outcomes[track.Outcome]++
		return nil
	}))
	for k, law := range shares {
		distance, most := 0.0, 0.0
		for bin, p := range law {
			distance += counts[k+1][bin]/trajectories - p
			most = max(most, math.Abs(distance))
		}
		if most*math.Sqrt(trajectories) > quantile || !(math.Abs(distance) <= 1e-9) {
			t.Errorf("time %v: distance %.4f, total %v", times[k+1], most, distance)
		}
	}
	all := Shares(outcomes)
	if a := all[sphere.Antipodal]; a.Low > chances.Antipodal || a.High < chances.Antipodal ||
		a.Count != outcomes[sphere.Antipodal] || a.Count < 100 {
		t.Errorf("%+v, theory %v", all, chances)
	}
	s.Tokens = 3
	if three, err := s.Tracked(2, 3); err != nil {
		t.Fatal(err)
	} else if shares, _, err := three.LawOf([]float64{1}, 2); shares != nil || err != nil {
		t.Errorf("a law of three tokens: %v, %v", shares, err)
	}
}
