package explore

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

// stuck is the answer to a client that reads nothing until a channel is closed.
type stuck struct {
	http.ResponseWriter
	begun chan<- struct{}
	until <-chan struct{}
}

func (s stuck) Write([]byte) (int, error) {
	s.begun <- struct{}{}
	<-s.until
	return 0, http.ErrHandlerTimeout
}

// Clients that do not read their answers hold no slot of the computations, and every answer returns its slot
// once.
func TestUnreadAnswersHoldNoSlot(t *testing.T) {
	s := New(Options{})
	handler := s.computed(func(w http.ResponseWriter, _ *http.Request) {
		answerBytes(w, http.StatusOK, "text/plain", []byte("computed"))
	})
	begun, until, ended := make(chan struct{}), make(chan struct{}), make(chan struct{})
	clients := 3 * cap(s.slots)
	for range clients {
		go func() {
			defer func() { ended <- struct{}{} }()
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			defer cancel()
			request := httptest.NewRequest(http.MethodPost, "/form", nil).WithContext(ctx)
			handler(stuck{httptest.NewRecorder(), begun, until}, request)
		}()
	}
	wait := func(of <-chan struct{}, what string) {
		t.Helper()
		select {
		case <-of:
		case <-time.After(10 * time.Second):
			t.Fatal(what)
		}
	}
	for range clients {
		wait(begun, "an answer waits for clients that do not read theirs")
	}
	if len(s.slots) != 0 {
		t.Errorf("%d slots are held while answers are written", len(s.slots))
	}
	close(until)
	for range clients {
		wait(ended, "an answer did not end")
	}
	silent := s.computed(func(http.ResponseWriter, *http.Request) {})
	silent(httptest.NewRecorder(), httptest.NewRequest(http.MethodPost, "/form", nil))
	if len(s.slots) != 0 {
		t.Errorf("%d slots are held after all answers", len(s.slots))
	}
}
