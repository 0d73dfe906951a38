package stability

import (
	"errors"
	"math"
	"testing"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/figure"
	"antipode/experiments/figure/figuretest"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/internal/longtest"
	"antipode/sde"
	"antipode/sphere/must"
)

func longLives(first, second, dim int, beta float64) *Experiment {
	s := New()
	s.Masses, s.Dim, s.Beta = [][2]int{{first, second}}, []int{dim}, []float64{beta}
	s.Depth, s.Splitting = 10, SplitLifetime
	return s
}

// A lifetime by splitting agrees with that by plain simulation: the logarithm of their ratio is at most 4
// standard errors, which is exceeded by chance in one of 15,000 tests, plus 1.5 % for the bias.
func TestSplittingAgreesWithPlainLifetimes(t *testing.T) {
	longtest.Only(t)
	s := longLives(1, 3, 4, 4.3)
	s.Trajectories, s.Repetitions = 120, 14
	rows := must.Get(data.RowsOf[splitRow](experimenttest.Table(t, s, run.Options{Seed: 5})))(t)
	s.Splitting, s.Trajectories = NoSplitting, 300
	plain := must.Get(data.RowsOf[Row](experimenttest.Table(t, s, run.Options{Seed: 6})))(t)
	logarithm := math.Log(rows[0].Lifetime / plain[0].Lifetime)
	stderr := math.Hypot(math.Log(rows[0].LifetimeHigh/rows[0].LifetimeLow)/4, 1/math.Sqrt(300))
	t.Logf("%.5g split (%.5g to %.5g), %.5g "+
		"plain", rows[0].Lifetime, rows[0].LifetimeLow, rows[0].LifetimeHigh, plain[0].Lifetime)
	if !(math.Abs(logarithm) < 4*stderr+0.015) || stderr > 0.13 {
		t.Errorf("%v split, %v plain, standard error of the logarithm "+
			"%v", rows[0].Lifetime, plain[0].Lifetime, stderr)
	}
}

// If no life has ended, the lifetime and both ends of its interval are null, and the figure has no dot for
// it. If few have ended, the interval has no upper end, and the figure has its lower half.
func TestSplittingWithFewEnds(t *testing.T) {
	longtest.Only(t)
	s := longLives(1, 2, 4, 5)
	s.Dim, s.Depth, s.Trajectories, s.Repetitions = []int{2, 4}, 5, 10, 2
	table := experimenttest.Table(t, s, run.Options{Seed: 1})
	experimenttest.CheckNoRoom(t, "splitting", s, table)
	experimenttest.CheckColumns(t, "splitting", s, table)
	rows := must.Get(data.RowsOf[splitRow](table))(t)
	few, none := rows[0], rows[1]
	if !(few.Lifetime > few.LifetimeLow && few.LifetimeLow > 0 && math.IsNaN(few.LifetimeHigh)) {
		t.Errorf("few: %v, %v to %v", few.Lifetime, few.LifetimeLow, few.LifetimeHigh)
	}
	for _, time := range []float64{none.Lifetime, none.LifetimeLow, none.LifetimeHigh} {
		if !math.IsNaN(time) {
			t.Errorf("none: %v, %v to %v", none.Lifetime, none.LifetimeLow, none.LifetimeHigh)
		}
	}
	p := figuretest.Read(t, figuretest.Draw(t, s, table), 0,
		"Lifetime: mean time of the overlap from -1 to 0", "inverse temperature β", "units of time")
	p.Has(figuretest.DotsOf(0, 5, few.Lifetime, few.LifetimeLow, few.Lifetime))
	for _, mark := range p.Marks {
		if dots, is := mark.(figure.Dots); is && len(dots.Points) != 1 {
			t.Errorf("dots at %v", dots.Points)
		}
	}
}

// A lifetime of about e^15, for which plain simulation is refused, is within 5 standard errors of that of
// infinite depth. As the estimates are nearly lognormal, and the depth has an effect, one test in a thousand
// fails by chance.
func TestSplittingOfLongLifetimes(t *testing.T) {
	longtest.Only(t)
	s := longLives(1, 3, 4, 8.5)
	s.Depth, s.Trajectories, s.Repetitions = 40, 60, 10
	row := must.Get(data.RowsOf[splitRow](experimenttest.Table(t, s, run.Options{Seed: 7})))(t)
	r := row[0]
	t.Logf("%.4g (%.4g to %.4g), theory %.4g, %.3g layers, plain "+
		"%.3g", r.Lifetime, r.LifetimeLow, r.LifetimeHigh, r.LifetimeTheory, float64(r.Layers), r.Plain)
	z := math.Log(r.Lifetime/r.LifetimeTheory) / (math.Log(r.LifetimeHigh/r.LifetimeLow) / 4)
	if !(math.Abs(z) < 5) {
		t.Errorf("lifetime %v, theory %v", r.Lifetime, r.LifetimeTheory)
	}
	if r.LifetimeTheory < math.Exp(14) || r.Plain < 100*float64(r.Layers) {
		t.Errorf("row %+v", r)
	}
	s.Splitting = NoSplitting
	refused := new(parameter.Error)
	if err := s.Run(t.Context(), run.Options{Seed: 7}, data.SinkFunc(nil)); !errors.As(err, &refused) {
		t.Errorf("plain simulation is not refused: %v", err)
	}
}

// Clusters that last for too short a time, or for ever, are refused; the error names the parameter.
func TestSplittingRefuses(t *testing.T) {
	for name, s := range map[string]*Experiment{
		"beta": longLives(1, 2, 4, 1.1), "masses": longLives(2, 2, 4, 5),
	} {
		refused := new(parameter.Error)
		err := s.Run(t.Context(), run.Options{Seed: 7}, data.SinkFunc(nil))
		if !errors.As(err, &refused) || refused.Parameter != name {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// The score of splitting is 2 atanh Z of the two clusters, and its goal is 0, at which their life ends. The
// event is a life that ends in the second half of the horizon.
func TestSplitOfALife(t *testing.T) {
	s := New()
	cell := sde.Cell{Dim: 2, Tokens: 4, Start: sde.OppositeStart{First: 1, Second: 3}}
	split := s.split(life{job: job{cell: cell, layers: 10}})
	at := func(layer int64, angle float64) *sde.View {
		x, y := math.Cos(angle), math.Sin(angle)
		return sde.NewView(0, layer, []float64{1, 0, x, y, x, y, x, y}, 2)
	}
	score := split.Score()
	if got := score(at(1, math.Pi/2)); !(math.Abs(got-split.Goal) <= 1e-12) || !split.AtGoal ||
		split.Every != 1 {
		t.Errorf("%v at an overlap of 0, where the goal is %v", got, split.Goal)
	}
	if near, far := score(at(1, 2)), score(at(1, 3)); !(far < near && near < split.Goal) {
		t.Errorf("scores %v and %v before the goal, %v", far, near, split.Goal)
	}
	if event := split.Event(); event(at(5, 2)) || !event(at(6, 2)) {
		t.Error("the second half of the horizon is not that after layer 5")
	}
}
