package stability

import (
	"context"
	"errors"
	"math"
	"testing"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/run"
	"antipode/overlap"
	"antipode/overlap/firstpassage"
	"antipode/sde"
	"antipode/sphere/must"
)

// lifetime returns the theoretical lifetime of clusters of 1 and 2 tokens in four dimensions.
func lifetime(t *testing.T, beta float64) float64 {
	t.Helper()
	d := must.Get(overlap.NewMasses(4, beta, overlap.Softmax, 1, 1, 2))(t)
	return must.Get(firstpassage.Lifetime(d))(t).Value
}

// betaOf returns β at which the lifetime exceeds a limit that depends on it, by bisection, and a β slightly
// below.
func betaOf(t *testing.T, limit func(lifetime float64) float64) (below, above float64) {
	t.Helper()
	below, above = 1, 20
	for above-below > 1e-4 {
		middle := (below + above) / 2
		if life := lifetime(t, middle); life >= limit(life) {
			above = middle
		} else {
			below = middle
		}
	}
	return below, above
}

// Lifetimes can be split from 40 times the simulated time on, which is 20 and twice the logarithm of the
// lifetime, rounded up.
func TestLeastLifetimeOfSplitting(t *testing.T) {
	below, above := betaOf(t, func(life float64) float64 { return 40 * math.Ceil(20+2*math.Log1p(life)) })
	if err := longLives(1, 2, 4, above).Validate(); err != nil {
		t.Errorf("β = %g: %v", above, err)
	}
	experimenttest.CheckRefused(t, longLives(1, 2, 4, below).Validate(), "beta", "must be at least ")
	l := must.Get(longLives(1, 2, 4, above).lives())(t)[0]
	if want := 2 * 10 * settling(lifetime(t, above)); float64(l.layers) != want {
		t.Errorf("%d layers, want %g", l.layers, want)
	}
}

// Without splitting a life may take 2^25 layers, which are forty times the longer one of the lifetime and the
// decay time, plus a unit of time.
func TestLongestLife(t *testing.T) {
	s := New()
	s.Masses, s.Depth = [][2]int{{1, 2}}, 100
	longest := func(life float64) float64 { return 1 << 25 / 40. / 100 }
	_, above := betaOf(t, longest)
	s.Beta = []float64{above + 0.1}
	_, err := s.questions()
	experimenttest.CheckRefused(t, err, "beta", "must be less than 8.39e+03 at this depth")
	s.Beta = []float64{1.5} // a lifetime of 7.420 and a decay time of 8.306
	questions := must.Get(s.questions())(t)
	if layers := questions[0].at().layers; layers != 37225 || questions[0].share() != 0.025 {
		t.Errorf("%d layers, of which %g are taken", layers, questions[0].share())
	}
}

// A run with splitting stops if its context has ended, and so does one of clusters that stay opposite.
func TestStops(t *testing.T) {
	s := longLives(1, 2, 2, 5)
	s.Depth, s.Trajectories, s.Repetitions = 5, 10, 2
	experimenttest.CheckStops(t, "splitting", s)
	equal := New()
	equal.Masses, equal.Beta, equal.Depth, equal.Trajectories = [][2]int{{2, 2}}, []float64{1}, 2, 3
	experimenttest.CheckStops(t, "equal clusters", equal)
	table := experimenttest.Table(t, equal, run.Options{Seed: 1})
	experimenttest.CheckNoRoom(t, "equal clusters", equal, table)
	experimenttest.CheckColumns(t, "equal clusters", equal, table)
	ended, end := context.WithCancel(t.Context())
	end()
	part := run.Options{Part: sde.Part{Number: 0, Of: 2}}
	table = data.NewTable(run.ShardSchema(equal, 0, part.Part))
	if err := equal.Run(ended, part, table); !errors.Is(err, context.Canceled) || table.Rows() > 0 {
		t.Errorf("a shard whose context has ended: %d rows, error %v", table.Rows(), err)
	}
}

// The progress of several cells is that of all layers, and counts the cells.
func TestProgressOfCells(t *testing.T) {
	s := New()
	s.Masses, s.Beta, s.Depth, s.Trajectories = [][2]int{{2, 2}, {3, 3}}, []float64{1, 2}, 2, 3
	var last run.State
	before := int64(0)
	experimenttest.Table(t, s, run.Options{Seed: 1, Workers: 1, Progress: func(now run.State) {
		if now.Done < before || now.Total != 4*3*40 || now.AllCells != 4 {
			t.Errorf("%+v after %d layers", now, before)
		}
		last, before = now, now.Done
	}})
	if last.Done != 480 || last.Cells != 4 || last.Restored != 0 {
		t.Errorf("%+v", last)
	}
}

// The observed delay is the time from an overlap of 0 to 0.5826 standard deviations of a layer's step. There
// is none if that is beyond 1.
func TestLateness(t *testing.T) {
	c := Clusters{First: 1, Second: 2, Dim: 4, Beta: 1}
	d := must.Get(overlap.NewMasses(4, 1, overlap.Softmax, 1, 1, 2))(t)
	for depth, known := range map[int64]bool{1: 0.5826*math.Sqrt(d.Variance(0)) < 1, 100: true} {
		s := New()
		s.Depth = depth
		late := must.Get(s.lateness(c))(t)
		if math.IsNaN(late) == known {
			t.Errorf("depth %d: %g", depth, late)
		}
		if known {
			to := 0.5826 * math.Sqrt(d.Variance(0)/float64(depth))
			want := must.Get(firstpassage.Between(d, 0, to))(t).Value
			if !(math.Abs(late/want-1) <= 1e-12) {
				t.Errorf("depth %d: %g, want %g", depth, late, want)
			}
		}
	}
	s := New()
	s.Sigma, s.Depth = 3, 1 // three times as large a step
	if late := must.Get(s.lateness(c))(t); !math.IsNaN(late) {
		t.Errorf("a step beyond 1: %g", late)
	}
}
