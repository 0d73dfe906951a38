package experimenttest

import (
	"errors"
	"strings"
	"testing"

	"antipode/experiments/parameter"
	"antipode/experiments/run"
)

// CheckRefused checks that an error is a *parameter.Error of the parameter with the given name, and that its
// text contains problem.
func CheckRefused(t *testing.T, err error, name, problem string) {
	t.Helper()
	var refused *parameter.Error
	if !errors.As(err, &refused) || refused.Parameter != name || !strings.Contains(refused.Problem, problem) {
		t.Errorf("error %v, want %s: %s", err, name, problem)
	}
}

// Refuse makes each of the changes in a new experiment. Refuse checks that Validate then returns an error of
// the named parameter, as in CheckRefused, and that Run fails too.
func Refuse[E run.Experiment](t *testing.T, fresh func() E, refusals []struct {
	Name, Problem string
	Change        func(e E)
}) {
	t.Helper()
	for _, r := range refusals {
		e := fresh()
		r.Change(e)
		CheckRefused(t, e.Validate(), r.Name, r.Problem)
		if e.Run(t.Context(), run.Options{}, nil) == nil {
			t.Errorf("%s: runs", r.Problem)
		}
	}
}
