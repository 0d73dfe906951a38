package simulate

import (
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/run"
	"antipode/experiments/setting"
	"antipode/sphere/must"
)

// Trajectories chosen by their numbers are those of a run with more trajectories, bit for bit, in every
// table, and also for many tokens, which are computed by matrix products.
func TestChosenTrajectoriesAreThoseOfALongerRun(t *testing.T) {
	for _, tokens := range []int64{3, 40} {
		for _, save := range []string{saveOutcomes, saveOverlaps, saveStates} {
			whole := smallSimulation(save)
			whole.Tokens, whole.Trajectories = tokens, 11
			some := *whole
			some.Numbers, some.Trajectories = NumbersFrom(3, 8), 6
			want := experimenttest.Table(t, whole, run.Options{Seed: 2})
			numbers := experimenttest.Must(data.ValuesOf[int64](want, "trajectory"))
			from, to := slices.Index(numbers, 3), slices.Index(numbers, 9)
			got := experimenttest.Table(t, &some, run.Options{Seed: 2, Workers: 3})
			got.Schema.Metadata = want.Schema.Metadata
			if experimenttest.Text(got) != experimenttest.Text(want.Slice(from, to)) {
				t.Errorf("%d tokens, %s: trajectories 3 to 8 are not those of 0 to 10", tokens, save)
			}
		}
	}
}

// A run of chosen trajectories starts from the last states of the trajectories with the same numbers, in a
// file that has all trajectories or only some.
func TestChosenTrajectoriesGoOnFromTheirOwnStates(t *testing.T) {
	first := smallSimulation(saveStates)
	first.Trajectories = 9
	whole := experimenttest.Table(t, first, run.Options{Seed: 3})
	first.Numbers, first.Trajectories = NumbersFrom(4, 7), 4
	some := experimenttest.Table(t, first, run.Options{Seed: 3})
	for name, table := range map[string]*data.Table{"all": whole, "some": some} {
		path := filepath.Join(t.TempDir(), name+".arrow")
		must.Do(t, data.WriteFile(path, table))
		s := smallSimulation(saveStates)
		s.Start = experimenttest.Must(setting.ParseStart(path))
		s.Numbers, s.Trajectories = NumbersFrom(5, 6), 2
		got := rowsOf[StateRow](t, s)
		ends := experimenttest.Must(data.RowsOf[StateRow](some))
		for k, row := range got {
			if row.Time == 0 && !reflect.DeepEqual(row.Tokens, ends[4*(row.Trajectory-4)+3].Tokens) {
				t.Errorf("%s: row %d does not begin where trajectory %d ended", name, k, row.Trajectory)
			}
		}
	}
}

func TestNumbersOfTrajectories(t *testing.T) {
	for text, want := range map[string]Numbers{"all": {}, "0": NumbersFrom(0, 0), "17": NumbersFrom(17, 17),
		"3:8": NumbersFrom(3, 8)} {
		var n Numbers
		if err := n.UnmarshalText([]byte(text)); err != nil || n != want || n.String() != text {
			t.Errorf("%q: %v, %v", text, n, err)
		}
	}
	for _, text := range []string{"", "-1", "8:3", "3:", ":3", "1.5", "1:2:3", "1000000000000"} {
		var n Numbers
		experimenttest.CheckRefused(t, n.UnmarshalText([]byte(text)), "trajectory",
			"must be a whole number K ≥ 0, a range K:M")
	}
	s := smallSimulation(saveOutcomes)
	_, err := run.Configure(s, map[string]string{"trajectory": "2:4", "trajectories": "9"}, false)
	experimenttest.CheckRefused(t, err, "trajectories", "--trajectory says how many there are")
	s = smallSimulation(saveOutcomes)
	if _, err := run.Configure(s, map[string]string{"trajectory": "2:4"}, false); err != nil ||
		s.Trajectories != 3 {
		t.Errorf("%d trajectories, %v", s.Trajectories, err)
	}
}
