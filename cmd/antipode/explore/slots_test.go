package explore

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
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

// counted is the recorded answer to a client that counts the parts of all answers.
type counted struct {
	*httptest.ResponseRecorder
	parts chan<- struct{}
}

func (c counted) Write(part []byte) (int, error) {
	n, err := c.ResponseRecorder.Write(part)
	c.parts <- struct{}{}
	return n, err
}

// Ensembles whose laws wait for a law that takes long hold no slot of the computations, and end with their
// clients. An ensemble whose client stays is answered to its end.
func TestLawsOfEnsemblesHoldNoSlot(t *testing.T) {
	s := withPage(t)
	laws, parts := s.pages.find(pageName).laws, make(chan struct{}, 100)
	laws <- struct{}{} // a law that takes long
	question := fmt.Sprintf(`{"page":%q,"given":{"tokens":"2","dim":"2","horizon":"0.1"}}`, pageName)
	ensemble := func(ctx context.Context) string {
		w := counted{httptest.NewRecorder(), parts}
		s.Answers().ServeHTTP(w, httptest.NewRequestWithContext(ctx, http.MethodPost, "/ensemble",
			strings.NewReader(question)))
		return w.Body.String()
	}
	ctx, leave := context.WithTimeout(t.Context(), 10*time.Second)
	defer leave()
	var clients sync.WaitGroup
	count := 2 * cap(s.slots)
	for range count {
		clients.Go(func() { ensemble(ctx) })
	}
	for range 2 * count { // the times, and the trajectories
		select {
		case <-parts:
		case <-ctx.Done():
			t.Fatal("ensembles wait for a law of another one")
		}
	}
	leave()
	clients.Wait()
	if len(s.slots) != 0 || len(parts) != 0 {
		t.Errorf("%d slots are held, %d more parts", len(s.slots), len(parts))
	}
	<-laws
	if text := ensemble(t.Context()); !strings.HasSuffix(text, "\"end\":true}\n") || len(laws) != 0 {
		t.Errorf("after a law that took long: %s", text)
	}
}
