package explore

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"
)

const (
	mostPages = 16
	// mostStreams is the largest number of pages with a stream of events. A browser has six connections to a
	// server, and needs the connections without a stream for other requests.
	mostStreams = 4
)

// pages holds the open pages. A page is open as long as its stream of events is open. The server may ask a
// page to close its stream; a page without a stream is open until it sends the message that it closes.
type pages struct {
	patience time.Duration // patience of the field watching of a page
	mutex    sync.Mutex
	open     map[string]*page
	streams  []*stream     // streams of the open pages, the oldest first
	changed  chan struct{} // closed and replaced when a page opens or closes
}

// page is an open page in a browser, together with what is computed for this page only.
type page struct {
	id       string
	stream   *stream // nil if the page was asked to close its stream
	watching watching
	slow     chan struct{} // holds a value while slow theory is computed
	laws     chan struct{} // holds a value while the laws of an ensemble are computed
}

// stream is the stream of events that the server sends to a page.
type stream struct {
	page   *page
	ctx    context.Context
	end    context.CancelFunc
	rested bool // whether the stream was ended to make room for other streams
}

func newPages() *pages {
	return &pages{patience: 200 * time.Millisecond, open: map[string]*page{}, changed: make(chan struct{})}
}

// enter starts the stream of a page. enter returns nil if too many pages are open, or if the name of the page
// is invalid.
func (p *pages) enter(ctx context.Context, id string) *stream {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	entered := p.open[id]
	if entered == nil {
		if len(p.open) >= mostPages || !isWord(id, 8, 64, "-") {
			return nil
		}
		entered = &page{id: id, slow: make(chan struct{}, 1), laws: make(chan struct{}, 1)}
		entered.watching.patience = p.patience
		p.open[id] = entered
	}
	p.endStream(entered)
	ctx, end := context.WithCancel(ctx)
	entered.stream = &stream{page: entered, ctx: ctx, end: end}
	p.streams = append(p.streams, entered.stream)
	if len(p.streams) > mostStreams {
		p.streams[0].rested = true
		p.endStream(p.streams[0].page)
	}
	p.tell()
	return entered.stream
}

// leave closes the page of a stream of events that has ended by itself.
func (p *pages) leave(left *stream) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if left.page.stream == left {
		p.remove(left.page)
	}
}

// endStream ends the stream of events of a page, if the page has a stream.
func (p *pages) endStream(of *page) {
	if of.stream == nil {
		return
	}
	of.stream.end()
	p.streams = slices.DeleteFunc(p.streams, func(s *stream) bool { return s == of.stream })
	of.stream = nil
}

// remove removes a page from the open pages, and stops the computations for this page.
func (p *pages) remove(left *page) {
	p.endStream(left)
	delete(p.open, left.id)
	left.watching.end()
	p.tell()
}

func (p *pages) tell() {
	close(p.changed)
	p.changed = make(chan struct{})
}

// find returns the open page with the given name, or nil if no page has this name.
func (p *pages) find(id string) *page {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return p.open[id]
}

// openPage returns the page that sends a request. If the page is not open, openPage refuses the request and
// returns nil.
func (s *Server) openPage(w http.ResponseWriter, id string) *page {
	open := s.pages.find(id)
	if open == nil {
		refuse(w, http.StatusConflict, "this page is not open")
	}
	return open
}

// close stops the computations that are in progress for open pages.
func (p *pages) close() {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	for _, open := range p.open {
		p.remove(open)
	}
}

// left returns a channel that is closed after the last page has been closed and no page has been open for the
// grace period.
func (p *pages) left(ctx context.Context, grace time.Duration) <-chan struct{} {
	gone := make(chan struct{})
	go func() {
		var since <-chan time.Time // nil before the first page has opened, and while a page is open
		for ever := false; ; {
			p.mutex.Lock()
			changed, open := p.changed, len(p.open)
			p.mutex.Unlock()
			ever = ever || open > 0
			switch {
			case open > 0:
				since = nil
			case ever && since == nil:
				since = time.After(grace)
			}
			select {
			case <-changed:
			case <-since:
				close(gone)
				return
			case <-ctx.Done():
				return
			}
		}
	}()
	return gone
}

const (
	betweenEvents = 200 * time.Millisecond
	heartbeat     = 10 * time.Second // lets the server notice when a page has gone
)

// events streams the state of the runs to a page as long as the page is open.
func (s *Server) events(w http.ResponseWriter, r *http.Request) {
	stream := s.pages.enter(r.Context(), r.URL.Query().Get("page"))
	if stream == nil {
		refuse(w, http.StatusServiceUnavailable, fmt.Sprintf("no more than %d pages can be open", mostPages))
		return
	}
	defer s.pages.leave(stream)
	w.Header().Set("Content-Type", "text/event-stream")
	control := http.NewResponseController(w)
	send := func(text string) bool {
		control.SetWriteDeadline(time.Now().Add(writeTime))
		_, err := fmt.Fprint(w, text)
		return err == nil && control.Flush() == nil
	}
	changed, forget := s.runs.subscribe()
	defer forget()
	beat := time.NewTicker(heartbeat)
	defer beat.Stop()
	for alive := true; alive; {
		alive = send("event: runs\ndata: " + string(inJSON(s.runs.states())) + "\n\n")
		for waiting := true; waiting && alive; {
			select {
			case <-changed:
				waiting = false
				select {
				case <-time.After(betweenEvents):
				case <-stream.ctx.Done():
				}
			case <-beat.C:
				alive = send(": \n\n")
			case <-stream.ctx.Done():
				alive = false
			}
		}
	}
	if stream.rested {
		send("event: rest\ndata: 0\n\n")
	}
}

// bye handles the message that a page sends when it closes.
func (s *Server) bye(w http.ResponseWriter, r *http.Request) {
	s.pages.mutex.Lock()
	defer s.pages.mutex.Unlock()
	if closing := s.pages.open[r.URL.Query().Get("page")]; closing != nil {
		s.pages.remove(closing)
	}
	w.WriteHeader(http.StatusNoContent)
}
