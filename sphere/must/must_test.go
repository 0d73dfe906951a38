package must

import (
	"errors"
	"testing"
)

// recorder records the error that ends it.
type recorder struct{ ended []any }

func (*recorder) Helper()             {}
func (r *recorder) Fatal(args ...any) { r.ended = append(r.ended, args...) }

// An error ends the test with that error; without an error, the value is returned.
func TestEndsWithAnError(t *testing.T) {
	r, failure := &recorder{}, errors.New("no value")
	if value := Get(3, nil)(r); value != 3 {
		t.Errorf("got %d, not 3", value)
	}
	Do(r, nil)
	if len(r.ended) != 0 {
		t.Errorf("ended with %v, without an error", r.ended)
	}
	Get(3, failure)(r)
	Do(r, failure)
	if len(r.ended) != 2 || r.ended[0] != failure || r.ended[1] != failure {
		t.Errorf("ended with %v, not twice with the error", r.ended)
	}
}
