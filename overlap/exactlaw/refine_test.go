package exactlaw

import (
	"errors"
	"slices"
	"testing"

	"antipode/overlap"
	"antipode/overlap/finitedepth"
)

// stubSolver is a solver whose estimated error depends on the effort alone, and that fails at some efforts.
type stubSolver struct {
	errors []float64 // for each effort
	fails  []int
	asked  []int
}

var errEffort = errors.New("this effort is too great")

func (s *stubSolver) outcomes(_ problem, effort int) (o law, err error) {
	s.asked = append(s.asked, effort)
	if slices.Contains(s.fails, effort) {
		return o, errEffort
	}
	o.antipodal.Value, o.single.Value = 0.1*float64(effort), 0.2
	return o, nil
}

func (s *stubSolver) hasDerivative(overlap.Parameter) bool { return false }

func (s *stubSolver) outcomeDerivatives(problem, int, overlap.Parameter) (law, error) {
	return law{}, nil
}

func (s *stubSolver) firstEffort(float64) int { return 1 }

func (s *stubSolver) lastEffort() int { return len(s.errors) - 1 }

func (s *stubSolver) estimate(_ problem, effort int, _ []float64, _ float64) float64 {
	return s.errors[effort]
}

// The effort increases until the estimated error is at most the accuracy, or the effort is the greatest. An
// error of the first two efforts is returned; later the law so far stands.
func TestEffortsOfALaw(t *testing.T) {
	for what, c := range map[string]struct {
		errors   []float64
		fails    []int
		accuracy float64
		asked    []int
		err      error
		error    float64
	}{
		"accurate at once":    {[]float64{1, 1, 0.5, 0.1, 0.01}, nil, 0.5, []int{1, 2}, nil, 0.5},
		"accurate later":      {[]float64{1, 1, 0.5, 0.1, 0.01}, nil, 0.49, []int{1, 2, 3}, nil, 0.1},
		"exactly as accurate": {[]float64{1, 1, 0.5, 0.1, 0.01}, nil, 0.1, []int{1, 2, 3}, nil, 0.1},
		"the greatest effort": {[]float64{1, 1, 0.5, 0.1, 0.01}, nil, 0, []int{1, 2, 3, 4}, nil, 0.01},
		"fails at first":      {[]float64{1, 1, 0.5, 0.1}, []int{1}, 0, []int{1}, errEffort, 0},
		"fails at the second": {[]float64{1, 1, 0.5, 0.1}, []int{2}, 0, []int{1, 2}, errEffort, 0},
		"fails at the third":  {[]float64{1, 1, 0.5, 0.1}, []int{3}, 0, []int{1, 2, 3}, nil, 0.5},
		"fails at the fifth":  {[]float64{1, 1, 1, 1, 0.5, 0}, []int{5}, 0, []int{1, 2, 3, 4, 5}, nil, 0.5},
	} {
		s := &stubSolver{errors: c.errors, fails: c.fails}
		o, err := (&Recursion{3, s}).Uniform(5, 0.1, c.accuracy)
		if !slices.Equal(s.asked, c.asked) || err != c.err || o.Antipodal.Error != c.error {
			t.Errorf("%s: efforts %v, %+v, error %v", what, s.asked, o, err)
		}
	}
}

// The first effort is greater for an accuracy of 1e-4 and less. With less noise it is less.
func TestFirstEfforts(t *testing.T) {
	quiet := recursion(t, 4, 0, overlap.Softmax, 0.0999, 1, 1, 1) // noise of variance up to 0.01
	loud := recursion(t, 4, 0, overlap.Softmax, 0.1001, 1, 1, 1)
	hybrid := hybridOf(t, 3, 1, overlap.Softmax, 1, finitedepth.Uniform, 100)
	for _, c := range []struct {
		r            *Recursion
		rough, exact int
	}{{quiet, 0, 2}, {loud, 0, 3}, {hybrid, 1, 2}} {
		rough, exact := c.r.solver.firstEffort(1.0001e-4), c.r.solver.firstEffort(1e-4)
		if rough != c.rough || exact != c.exact {
			t.Errorf("efforts %d and %d, want %d and %d", rough, exact, c.rough, c.exact)
		}
	}
}
