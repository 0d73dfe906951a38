package experimenttest

import (
	"errors"
	"strings"
	"testing"

	"antipode/experiments/parameter"
)

// CheckRefused checks that an error refuses the parameter of that name, for a problem of which the text is a
// part.
func CheckRefused(t *testing.T, err error, name, problem string) {
	t.Helper()
	var refused *parameter.Error
	if !errors.As(err, &refused) || refused.Parameter != name || !strings.Contains(refused.Problem, problem) {
		t.Errorf("error %v, want %s: %s", err, name, problem)
	}
}
