package sde

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"antipode/internal/instructionset"
	"antipode/sphere/must"
)

// ending is a context that ends when it has been asked a number of times whether it has ended.
type ending struct {
	context.Context
	after int
}

func (c *ending) Err() error {
	if c.after--; c.after < 0 {
		return context.Canceled
	}
	return nil
}

// Wherever its context ends, a splitting says so, and returns nothing that is incomplete.
func TestSplittingEndsWithItsContext(t *testing.T) {
	cell := Cell{Model: Transformer{Law: Gaussian, Sigma: 1}, Tokens: 2, Dim: 6, Beta: 0.3, Depth: 7,
		Start: UniformStart{}, Method: Chain}
	for _, atGoal := range []bool{false, true} {
		s := splitOpposite(cell, 9, 0)
		s.Goal, s.AtGoal = 0.6, atGoal
		s.Event = func() func(*View) bool { return func(v *View) bool { return v.Overlap(0, 1) < 0 } }
		levels := must.Get(s.Choose(t.Context()))(t)
		if len(levels.Scores) < 2 {
			t.Fatalf("levels %v", levels)
		}
		change, layers, err := s.Measure(t.Context(), levels, 3)
		must.Do(t, err)
		split := newSplitter(s)
		whole := must.Get(split.repeat(t.Context(), 0, levels.Scores))(t)
		if whole.Probability == 0 {
			t.Fatal("no trajectory reaches the goal")
		}
		for what, run := range map[string]func(ctx context.Context) (same bool, err error){
			"Choose": func(ctx context.Context) (bool, error) {
				got, err := s.Choose(ctx)
				return fmt.Sprint(got) == fmt.Sprint(levels), err
			},
			"Measure": func(ctx context.Context) (bool, error) {
				c, l, err := s.Measure(ctx, levels, 3)
				return c == change && l == layers, err
			},
			"a repetition": func(ctx context.Context) (bool, error) {
				got, err := split.repeat(ctx, 0, levels.Scores)
				return got == whole, err
			},
		} {
			for after := 0; ; after++ {
				same, err := run(&ending{t.Context(), after})
				if err == nil && same && after > 3 {
					break
				}
				if !errors.Is(err, context.Canceled) || after > 1000 {
					t.Fatalf("%s, when the context has been asked %d times: error %v, complete: %v", what,
						after, err, same)
				}
			}
		}
	}
}

// A failure of a trajectory, of Reduce, or an invalid cell ends each step of a splitting.
func TestSplittingFails(t *testing.T) {
	cell := Cell{Model: Transformer{Law: Gaussian, Sigma: 1}, Tokens: 2, Dim: 6, Beta: 0.3, Depth: 7}
	// Trajectory 5 of the first stage of repetition 2, of 1000 stages with 40 trajectories in each.
	cell.Start = awkwardStart{PairStart{-0.9}, []int64{3*40_000 + 5}}
	s := splitOpposite(cell, 9, 0)
	s.Workers, s.Repetitions = 1, 6
	levels := Levels{Scores: []float64{s.Goal}}
	reduced, full := 0, errors.New("full")
	s.Reduce = func(int64, Repetition) error { reduced++; return nil }
	const want = "repetition 2: trajectory 120005: awkward"
	if err := s.Run(t.Context(), levels); err == nil || err.Error() != want || reduced != 2 {
		t.Errorf("error %v after %d repetitions, want %s", err, reduced, want)
	}
	s.Cell.Start, reduced = PairStart{-0.9}, 0
	s.Reduce = func(repetition int64, _ Repetition) error {
		if reduced++; repetition == 3 {
			return full
		}
		return nil
	}
	if err := s.Run(t.Context(), levels); err != full || reduced != 4 {
		t.Errorf("error %v after %d repetitions", err, reduced)
	}
	s.Cell.Dim = 0
	_, choosing := s.Choose(t.Context())
	_, _, measuring := s.Measure(t.Context(), levels, 3)
	for what, err := range map[string]error{"Choose": choosing, "Measure": measuring,
		"Run": s.Run(t.Context(), levels)} {
		if err == nil || err.Error() != s.Cell.Validate().Error() {
			t.Errorf("%s: error %v for a dimension of 0", what, err)
		}
	}
}

// A score that rises a little in each stage needs more levels than there are numbers of trajectories for.
// Measure has no change to report if no trajectory reaches a level.
func TestSplittingWithoutProgress(t *testing.T) {
	cell := Cell{Model: Flow{}, Tokens: 2, Dim: 2, Beta: 1, Depth: 7, Start: UniformStart{}, Method: Chain}
	s := splitOpposite(cell, 1, 0)
	s.Trajectories, s.Goal = 2, 1e9
	score := 0.
	s.Score = func() func(*View) float64 { return func(*View) float64 { score++; return score } }
	levels, err := s.Choose(t.Context())
	const want = "no trajectory comes nearer to the event than in 1000 levels"
	if !errors.Is(err, ErrNoProgress) || err.Error() != want || len(levels.Scores) != 999 {
		t.Errorf("%d levels, error %v, want %s", len(levels.Scores), err, want)
	}
	change, layers, err := s.Measure(t.Context(), Levels{Scores: []float64{s.Goal}}, 1)
	if !math.IsNaN(change) || layers != 2 || err != nil {
		t.Errorf("change %v in %d layers, error %v", change, layers, err)
	}
}

// A score that is NaN is below all levels.
func TestScoreThatIsNaN(t *testing.T) {
	cell := Cell{Model: Transformer{Law: Gaussian, Sigma: 1}, Tokens: 2, Dim: 6, Beta: 0.3, Depth: 7,
		Start: UniformStart{}, Method: Chain}
	of := func(missing float64) []Repetition {
		s := splitOpposite(cell, 12, 0)
		s.Repetitions, s.Goal = 5, 0.7
		s.Score = func() func(*View) float64 {
			return func(v *View) float64 {
				if v.Trajectory%3 == 0 {
					return missing
				}
				return -v.Overlap(0, 1)
			}
		}
		return repetitionsOf(t, s)
	}
	got, want := of(math.NaN()), of(math.Inf(-1))
	if !slices.Equal(got, want) || want[0].Layers == 0 {
		t.Errorf("%v, want %v", got, want)
	}
}

// With an environment variable that names no instruction set of the machine, nothing runs.
func TestInstructionsOfAnotherMachine(t *testing.T) {
	instructionset.Err = errors.New("ANTIPODE_CPU=abacus")
	defer func() { instructionset.Err = nil }()
	_, choosing := splitOpposite(pairCell(), 5, 0).Choose(t.Context())
	for what, err := range map[string]error{"CheckInstructions": CheckInstructions(), "a splitting": choosing,
		"an ensemble": recording([]Cell{pairCell()}, 1, 1, new([]record)).Run(t.Context())} {
		if err != instructionset.Err {
			t.Errorf("%s: error %v", what, err)
		}
	}
}

// A part without trajectories finishes all cells, up to the first error of Finish.
func TestPartWithoutTrajectories(t *testing.T) {
	e := recording([]Cell{pairCell(), pairCell(), pairCell()}, 2, 1, new([]record))
	e.Part = Part{Number: 4, Of: 9}
	must.Do(t, e.Run(t.Context()))
	var finished []int
	full := errors.New("full")
	e.Finish = func(cell int) error {
		if finished = append(finished, cell); len(finished) == 5 {
			return full
		}
		return nil
	}
	must.Do(t, e.Run(t.Context()))
	if err := e.Run(t.Context()); err != full || !slices.Equal(finished, []int{0, 1, 2, 0, 1}) {
		t.Errorf("error %v after cells %v", err, finished)
	}
	all := recording([]Cell{pairCell(), pairCell()}, 20, 1, new([]record))
	all.Finish = func(cell int) error { return fmt.Errorf("cell %d: %w", cell, full) }
	if err := all.Run(t.Context()); err == nil || err.Error() != "cell 0: full" {
		t.Errorf("error %v of Finish", err)
	}
}

// The drift of the attention flow is the tangent part of the attention, in the sense of Itô too. Two tokens
// at an angle of 60° attend to each other with weight 1/(1+e^{β/2}).
func TestFlowInTheSenseOfIto(t *testing.T) {
	c := Cell{Model: Flow{}, Tokens: 2, Dim: 2, Beta: 2, Depth: 5, Start: UniformStart{}}
	x := []float64{1, 0, 0.5, math.Sqrt(3) / 2}
	got := make([]float64, 4)
	term := c.ItoTerm()
	term.Increment(got, x, 0.5, nil)
	const rate = 0.5 * 0.2689414213699951 // dt/(1+e)
	want := []float64{0, rate * math.Sqrt(3) / 2, rate * 0.75, -rate * math.Sqrt(3) / 4}
	for k := range want {
		if !(math.Abs(got[k]-want[k]) <= 1e-15) {
			t.Errorf("drift %v, want %v", got, want)
		}
	}
	if n := term.NoiseLen(); n != 0 {
		t.Errorf("%d entries of noise", n)
	}
}

// A pair kernel without its function is no kernel. A view of tokens without tangent vectors has no growth.
func TestWithoutKernelAndTangentVectors(t *testing.T) {
	if k := (PairKernel{Normalized: true}).Kernel(); k != nil {
		t.Error("a kernel without a function")
	}
	within, between := NewView(1, 2, []float64{1, 0}, 2).Growth()
	if !math.IsNaN(within) || !math.IsNaN(between) {
		t.Errorf("growth %v and %v", within, between)
	}
	v := newView(halvesCell(2, 3, 2), newLanes(halvesCell(2, 3, 2), 1, 1, KeepApart, 1))
	if _, ok := v.Pair(); ok {
		t.Error("tangent vectors are a pair")
	}
}

// Tokens whose norm is not finite after a step have no direction, for all models, schemes and arrangements:
// the norm is infinite after the first sublayer of a recursion, and NaN after the projection of an equation.
func TestStepsWithoutDirection(t *testing.T) {
	cells := models(3, 4)
	for _, arrangement := range []Arrangement{Together, InSequence} {
		c := pairCell()
		c.Tokens, c.MLP = 3, MLP{Strength: 1, Variance: 1, Width: 2}
		c.Arrangement, c.Heads = arrangement, 2
		cells = append(cells, c)
	}
	for _, c := range cells {
		stepper := NewStepper(c)
		if stepper.IncrementLen() == 0 {
			continue
		}
		x, increment := slices.Repeat([]float64{0.5}, 12), make([]float64, stepper.IncrementLen())
		increment[0] = math.Inf(1)
		want := "token 0 has norm +Inf and no direction"
		if c.Model.recursion() == nil {
			want = "token 0 has norm NaN and no direction"
		}
		if err := stepper.Step(x, increment); err == nil || err.Error() != want {
			t.Errorf("%s: error %v, want %s", name(c), err, want)
		}
	}
	naive := NewNaive(cells[0].ItoTerm(), 0.1)
	const want = "token 1 has norm 0 and no direction"
	x := []float64{1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0}
	if err := naive.Step(x, make([]float64, naive.IncrementLen())); err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

// The next level is the score that a fifth of the trajectories have reached, rounded up, or the least score
// above the last level, and at most the goal.
func TestNextLevel(t *testing.T) {
	const none = "no trajectory comes nearer to the event than a score of 10, where 100 is needed"
	for _, c := range []struct {
		best    []float64
		before  []float64
		goal    float64
		want    float64
		message string
	}{
		{[]float64{3, 1, 2, 10, 9, 8, 7, 5, 6, 4}, nil, 100, 9, ""},
		{[]float64{3, 1, 2, 10, 9, 8, 7, 5, 6, 4, 11}, nil, 100, 9, ""},
		{[]float64{3, 1, 2, 10, 9, 8, 7, 5, 6, 4}, []float64{1, 8.5}, 100, 9, ""},
		{[]float64{3, 1, 2, 10, 9, 8, 7, 5, 6, 4}, []float64{9}, 100, 10, ""},
		{[]float64{3, 1, 2, 10, 9, 8, 7, 5, 6, 4}, []float64{10}, 100, 0, none},
		{[]float64{3, 1, 2, 10, 9, 8, 7, 5, 6, 4}, nil, 8.5, 8.5, ""},
		{[]float64{3, 1, 2, 10, 9, 8, 7, 5, 6, 4}, []float64{9}, 9.5, 9.5, ""},
		{[]float64{7, 7}, []float64{6}, 100, 7, ""},
	} {
		p := &splitter{of: &Splitting{Goal: c.goal}, best: c.best}
		got, err := p.nextLevel(c.before)
		if got != c.want || (err == nil) != (c.message == "") || err != nil && err.Error() != c.message {
			t.Errorf("scores %v after %v, goal %v: %v, error %v; want %v", c.best, c.before, c.goal, got, err,
				c.want)
		}
	}
}
