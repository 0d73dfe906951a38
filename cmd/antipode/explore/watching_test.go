package explore

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"antipode/experiments/simulate"
)

// What a page watches ends with the request, with an error of the simulation, and with the page. A trajectory
// that answers at its very end has answered.
func TestWhatIsWatchedEnds(t *testing.T) {
	of := &scene{first: simulate.New(), seed: 1}
	failed := errors.New("it failed")
	for what, test := range map[string]struct {
		takes, answers bool // whether the trajectory takes the request, and answers it
		ends           bool // whether the trajectory ends with failure, and otherwise the request ends
		failure, want  error
	}{
		"before the question":   {failure: failed, ends: true, want: failed},
		"after the question":    {takes: true, failure: failed, ends: true, want: failed},
		"with the answer":       {takes: true, answers: true, ends: true},
		"request before taken":  {want: context.Canceled},
		"request before answer": {takes: true, want: context.Canceled},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		now := &trajectory{key: of.key(), asks: make(chan *frameRequest), done: make(chan struct{})}
		stopped := false
		w := &watching{current: now, cancel: func() { stopped = true; close(now.done) }}
		go func() {
			var asked *frameRequest
			if test.takes {
				asked = <-now.asks
			}
			if !test.ends {
				cancel()
				return
			}
			now.err = test.failure
			close(now.done)
			if test.answers {
				time.Sleep(time.Millisecond) // the end is seen first
				asked.frames = []float64{5}
				close(asked.answered)
			}
		}()
		frames, err := w.look(ctx, of, liveQuestion{Frames: 1})
		if !errors.Is(err, test.want) || slices.Equal(frames, []float64{5}) != test.answers {
			t.Errorf("%s: %v, %v", what, frames, err)
		}
		if stopped != (test.takes && !test.ends) || (w.current == nil) != (stopped || test.failure != nil) {
			t.Errorf("%s: stopped %v, then %v is watched", what, stopped, w.current)
		}
		cancel()
	}
	closed := &watching{}
	closed.end()
	if frames, err := closed.look(t.Context(), of, liveQuestion{Frames: 1}); err != context.Canceled ||
		closed.current != nil {
		t.Errorf("a page that has closed: %v, %v", frames, err)
	}
}

// A mistake that only the simulation finds is reported beside its field.
func TestAttentionThatIsNotKept(t *testing.T) {
	s := withPage(t)
	w := post(s, "/live", `{"page":"`+pageName+`","given":{"interaction":"resampled:0.5"},"attention":true,`+
		`"frames":1}`)
	const want = `{"problems":{"interaction":"the matrices of queries and keys that are drawn anew in each ` +
		`layer are not kept; must be left out, to see attention matrices"},"problem":""}`
	if w.Code != 422 || w.Body.String() != want {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}
