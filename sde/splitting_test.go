package sde

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"antipode/internal/longtest"
	"antipode/sde/internal/runtest"
	"antipode/sphere"
	"antipode/sphere/must"
)

// splitOpposite returns a splitting for the outcome antipodal of two tokens at the horizon.
func splitOpposite(c Cell, layers int64, drift float64) *Splitting {
	const tolerance = 0.05
	return &Splitting{
		Cell: c, Layers: layers, Trajectories: 40, Repetitions: 250, Seed: 3, Every: 3, Drift: drift,
		Goal: 1 - tolerance,
		Score: func() func(*View) float64 {
			return func(v *View) float64 { return -v.Overlap(0, 1) }
		},
		Event: func() func(*View) bool {
			return func(v *View) bool {
				outcome, _ := v.Outcome(tolerance)
				return outcome == sphere.Antipodal
			}
		},
	}
}

// repetitionsOf runs a splitting and returns its repetitions.
func repetitionsOf(t *testing.T, s *Splitting) (all []Repetition) {
	t.Helper()
	levels := must.Get(s.Choose(t.Context()))(t)
	s.Reduce = func(repetition int64, r Repetition) error {
		if s.Part.Of == 0 && repetition != int64(len(all)) {
			t.Errorf("repetition %d comes as number %d", repetition, len(all))
		}
		all = append(all, r)
		return nil
	}
	must.Do(t, s.Run(t.Context(), levels))
	return all
}

// The mean of the repetitions agrees with the exact law of the overlap (p_antipodal_depth of overlap --dim 5
// --beta 0.7 --depth 8 --horizon 2 --tolerance 0.05, known to 1.5e-7), or with plain simulation where there
// is none, of 3,000,000 trajectories with other seeds: by all kinds of lanes, chains and tokens in vectors,
// tokens one at a time, and by matrices; with a drift of the score too. The difference is within 4.5
// standard errors, beyond which it is in one of 30,000 tests.
func TestSplittingAgreesWithTheLaw(t *testing.T) {
	longtest.Only(t)
	const exact, ofTurned, ofLimit = 0.0195602, 0.014834, 0.018684
	plain := Cell{Model: Transformer{Law: Gaussian, Sigma: 1}, Tokens: 2, Dim: 5, Beta: 0.7, Depth: 8,
		Start: UniformStart{}}
	chain, turned, large := plain, plain, plain
	chain.Method = Chain
	turned.Interaction = []float64{
		0.8, 0.1, 0, 0, 0, 0, 0.9, 0.2, 0, 0, 0, 0, 1, 0, 0, 0.3, 0, 0, 0.7, 0, 0, 0, 0, 0, 1.1}
	large.Dim, large.Depth, large.Beta = 128, 3, 4
	large.Start = PairStart{Overlap: -0.92}
	large.Interaction = make([]float64, 128*128)
	for k := range 128 {
		large.Interaction[k*129] = 0.9
	}
	if !large.byMatrices() {
		t.Fatal("the large cell is not advanced by matrices")
	}
	limit := plain
	limit.Model = TransformerSDE{Sigma: 1}
	for name, test := range map[string]struct {
		cell         Cell
		drift        float64
		p            float64
		trajectories float64 // of the simulation that p is from
	}{
		"chain": {chain, 0, exact, math.Inf(1)}, "chain with drift": {chain, 0.01, exact, math.Inf(1)},
		"tokens": {plain, 0.005, exact, math.Inf(1)}, "interaction": {turned, 0, ofTurned, 3e6},
		"limit": {limit, 0, ofLimit, 3e6}, "large": {large, 0, 0, 600},
	} {
		s := splitOpposite(test.cell, 16, test.drift)
		if name == "large" {
			s.Trajectories, s.Repetitions, s.Layers = 20, 40, 4
			test.p = plainProbability(t, s, int64(test.trajectories))
		}
		p := test.p
		mean, squares := 0., 0.
		all := repetitionsOf(t, s)
		for _, r := range all {
			mean += r.Probability / float64(len(all))
			squares += r.Probability * r.Probability / float64(len(all))
		}
		stderr := math.Sqrt(p*(1-p)/test.trajectories + (squares-mean*mean)/float64(len(all)-1))
		t.Logf("%s: %.5g split, want %.5g, standard error %.2g", name, mean, p, stderr)
		if !(math.Abs(mean-p) < 4.5*stderr) || p == 0 {
			t.Errorf("%s: %.5g split, want %.5g, standard error %.2g", name, mean, p, stderr)
		}
	}
}

// plainProbability estimates the probability of the event of a splitting by plain simulation.
func plainProbability(t *testing.T, s *Splitting, trajectories int64) float64 {
	t.Helper()
	count, event := 0., s.Event()
	e := &Ensemble[bool]{Cells: []Cell{s.Cell}, Trajectories: trajectories, Layers: s.Layers, Seed: 8,
		Observer: func(int) func(*bool, *View) { return func(row *bool, v *View) { *row = event(v) } },
		Reduce: func(_ int, _ int64, row bool) error {
			if row {
				count++
			}
			return nil
		}}
	must.Do(t, e.Run(t.Context()))
	return count / float64(trajectories)
}

// Repetitions depend neither on the number of workers nor on the other repetitions.
func TestSplittingDoesNotDependOnWorkers(t *testing.T) {
	cell := Cell{Model: Transformer{Law: Gaussian, Sigma: 1}, Tokens: 3, Dim: 4, Beta: 1.1, Depth: 9,
		Start: UniformStart{}}
	s := splitOpposite(cell, 27, 0)
	s.Workers, s.Repetitions = 1, 60
	want := repetitionsOf(t, s)
	s.Workers = 5
	if got := repetitionsOf(t, s); !slices.Equal(got, want) {
		t.Errorf("other repetitions by 5 workers")
	}
	s.Part = Part{Number: 1, Of: 3}
	got := repetitionsOf(t, s)
	if len(got) != 20 {
		t.Fatalf("%d repetitions in a third of 60", len(got))
	}
	for k, r := range got {
		if r != want[1+3*k] {
			t.Errorf("repetition %d of the part is %v, want %v", k, r, want[1+3*k])
		}
	}
}

// A run whose checkpoint is full keeps its first repetitions, by their numbers in the whole; the run that
// goes on restores them. A checkpoint that has not one row for a repetition, or that cannot be read, is an
// error.
func TestSplittingGoesOn(t *testing.T) {
	cell := Cell{Model: Transformer{Law: Gaussian, Sigma: 1}, Tokens: 2, Dim: 6, Beta: 0.3, Depth: 7,
		Start: UniformStart{}, Method: Chain}
	s := splitOpposite(cell, 27, 0)
	s.Workers, s.Repetitions, s.Part = 1, 18, Part{Number: 2, Of: 3}
	want := repetitionsOf(t, s)
	levels := must.Get(s.Choose(t.Context()))(t)
	full := &runtest.Memory[Repetition]{Room: 4}
	s.Checkpoint = full
	if err := s.Run(t.Context(), levels); !errors.Is(err, runtest.ErrFull) {
		t.Fatalf("error %v of a full checkpoint", err)
	}
	for number, rows := range full.Blocks() {
		if number%3 != 2 || len(rows) != 1 || rows[0] != want[number/3] {
			t.Errorf("repetition %d is kept as %v", number, rows)
		}
	}
	next, done, restored := full.Next(), int64(0), int64(0)
	s.Checkpoint, s.Progress = next, func(a, b int64) { done, restored = a, b }
	if got := repetitionsOf(t, s); !slices.Equal(got, want) || done != 6 || restored != 4 ||
		len(next.Blocks()) != 6 {
		t.Errorf("%v, want %v; %d done, %d restored, %d kept", got, want, done, restored, len(next.Blocks()))
	}
	for message, rows := range map[string][]Repetition{
		"repetition 5 of the checkpoint has 0 rows, not 1": {},
		"repetition 5 of the checkpoint has 2 rows, not 1": {want[1], want[1]},
	} {
		s.Checkpoint = &runtest.Memory[Repetition]{Before: map[int64][]Repetition{5: rows}}
		if err := s.Run(t.Context(), levels); err == nil || !strings.Contains(err.Error(), message) {
			t.Errorf("error %v, want %s", err, message)
		}
	}
	s.Checkpoint = unreadable{}
	if err := s.Run(t.Context(), levels); !errors.Is(err, errUnreadable) {
		t.Errorf("error %v of a checkpoint that cannot be read", err)
	}
}

// unreadable is a checkpoint whose repetitions cannot be read.
type unreadable struct{ Checkpoint[Repetition] }

var errUnreadable = errors.New("unreadable")

func (unreadable) Has(int64) bool                   { return true }
func (unreadable) Read(int64) ([]Repetition, error) { return nil, errUnreadable }

// A splitting that judges the event at the goal estimates the probability to reach it, larger than that of
// the event at the horizon.
func TestSplittingAtGoal(t *testing.T) {
	cell := Cell{Model: Transformer{Law: Gaussian, Sigma: 1}, Tokens: 2, Dim: 6, Beta: 0.3, Depth: 7,
		Start: PairStart{Overlap: 0.2}, Method: Chain}
	s := splitOpposite(cell, 70, 0)
	s.AtGoal, s.Every, s.Repetitions = true, 1, 60
	s.Event = func() func(*View) bool { return func(*View) bool { return true } }
	const n, reached = 9_000_000, 2242 // of plain trajectories with other seeds
	mean, squares := 0., 0.
	all := repetitionsOf(t, s)
	for _, r := range all {
		mean += r.Probability / float64(len(all))
		squares += r.Probability * r.Probability / float64(len(all))
	}
	stderr := math.Sqrt((squares-mean*mean)/float64(len(all)-1) + float64(reached)/n/n)
	if math.Abs(mean-float64(reached)/n) > 4.5*stderr { // in one of 100,000 tests by chance
		t.Errorf("%.5g split, %.5g plain, standard error %.2g", mean, float64(reached)/n, stderr)
	}
}

// A splitting that cannot run is refused, and a run ends when its context is done.
func TestSplittingRefuses(t *testing.T) {
	cell := Cell{Model: Transformer{Law: Gaussian, Sigma: 1}, Tokens: 2, Dim: 6, Beta: 0.3, Depth: 7,
		Start: UniformStart{}}
	for name, change := range map[string]func(s *Splitting){
		"trajectories": func(s *Splitting) { s.Trajectories = 1 },
		"repetitions":  func(s *Splitting) { s.Repetitions = 1 << 40 },
		"layers":       func(s *Splitting) { s.Layers = 0 },
		"workers":      func(s *Splitting) { s.Workers = -1 },
		"looks":        func(s *Splitting) { s.Every = 0 },
		"score":        func(s *Splitting) { s.Score = nil },
		"drift":        func(s *Splitting) { s.Drift = math.NaN() },
		"part":         func(s *Splitting) { s.Part.Number = 2 },
		"cell":         func(s *Splitting) { s.Cell.Dim = 0 },
		"tangent":      func(s *Splitting) { s.Cell.Tangent = true },
	} {
		s := splitOpposite(cell, 27, 0)
		change(s)
		if _, err := s.Choose(t.Context()); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	s := splitOpposite(cell, 27, 0)
	if err := s.Run(t.Context(), Levels{Scores: []float64{s.Goal}}); !errors.Is(err, errNoReduce) {
		t.Errorf("error %v without Reduce", err)
	}
	s.Reduce = func(int64, Repetition) error { return nil }
	for _, scores := range [][]float64{
		nil, {0.3}, {s.Goal + 1, s.Goal}, {s.Goal, s.Goal}, {math.NaN(), s.Goal}, {math.Inf(1), s.Goal},
	} {
		if err := s.Run(t.Context(), Levels{Scores: scores}); err == nil {
			t.Errorf("levels %v are not refused", scores)
		}
		if _, _, err := s.Measure(t.Context(), Levels{Scores: scores}, 1); err == nil {
			t.Errorf("levels %v are not refused by Measure", scores)
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Run(ended, Levels{Scores: []float64{s.Goal}}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that of the context", err)
	}
	s.Goal = 2 // an overlap below -2
	if _, err := s.Choose(t.Context()); !errors.Is(err, ErrNoProgress) {
		t.Errorf("error %v where no trajectory can reach the goal", err)
	}
}

// The trajectories of all stages of all repetitions have different numbers, and so independent noise.
func TestSplittingNumbers(t *testing.T) {
	cell := Cell{Model: Transformer{Law: Gaussian, Sigma: 1}, Tokens: 2, Dim: 6, Beta: 0.3, Depth: 7,
		Start: UniformStart{}, Method: Chain}
	split := newSplitter(splitOpposite(cell, 27, 0))
	split.reached = []int64{3, 9, 6}
	seen := map[int64]bool{}
	for _, repetition := range []int64{0, 1, 7} {
		for _, stage := range []int64{0, 1, 2, mostLevels - 1} {
			split.stage(repetition, stage)
			for _, at := range split.running {
				if seen[at.Trajectory] {
					t.Fatalf("repetition %d, stage %d: number %d comes "+
						"twice", repetition, stage, at.Trajectory)
				}
				seen[at.Trajectory] = true
			}
		}
	}
	if len(seen) != 3*4*40 {
		t.Errorf("%d trajectories", len(seen))
	}
}

// The repetitions of a splitting start from all states of a StatesStart equally often, also if there are more
// states than trajectories, or if their numbers have a common divisor. Of the 50 states 10, the first ones,
// are pairs of orthogonal tokens, which do not become opposite in two layers; the others are opposite from
// the start. The error of the mean is below 0.01.
func TestSplittingStartsFromAllStates(t *testing.T) {
	const count, orthogonal = 50, 10
	var states []float64
	for k := range count {
		other := []float64{-1, 0, 0}
		if k < orthogonal {
			other = []float64{0, 1, 0}
		}
		states = append(append(states, 1, 0, 0), other...)
	}
	cell := Cell{Model: Transformer{Law: Gaussian, Sigma: 1}, Tokens: 2, Dim: 3, Depth: 100,
		Start: must.Get(NewStatesStart(states, 2, 3))(t)}
	for _, trajectories := range []int{2, 5, 7, 50, 75} {
		s := splitOpposite(cell, 2, 0)
		s.Trajectories = trajectories
		mean := 0.
		all := repetitionsOf(t, s)
		for _, r := range all {
			mean += r.Probability / float64(len(all))
		}
		t.Logf("%d trajectories: %.4g", trajectories, mean)
		if math.Abs(mean-(count-orthogonal)/float64(count)) > 0.05 {
			t.Errorf("%d trajectories: %.4g of the states are opposite", trajectories, mean)
		}
	}
}
