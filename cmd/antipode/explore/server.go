// Package explore serves a page on which a person can explore the experiments: a trajectory in motion, the
// theory with sliders, runs whose figures grow, and tables. The page consists of the plain files in the
// folder page, which are embedded in the program. The page can do what the commands of the program can do,
// with the same parameters, and no more. The server reads no file that was not named on the command line, and
// writes no file.
//
// Whoever knows the address of the page may use it; the address contains a secret. Other web pages in the
// browser do not know the secret. Even if another web page knew the secret, its requests would be refused
// because of their Origin header. Requests to a foreign host name that resolves to this machine would be
// refused because of their Host header.
package explore

import (
	"context"
	"crypto/rand"
	"embed"
	"errors"
	"io/fs"
	"log"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"
	"unicode"
)

//go:embed page
var pageFiles embed.FS

// Options say what the server of the page does.
type Options struct {
	// Secret is the part of the address that nobody else knows. If Secret is "", the server makes a new
	// secret. ValidSecret says which texts can be the secret.
	Secret string
	// Files are the tables that the page may open. Parameters of experiments may also name these files.
	Files []string
	// Keep makes the server continue after the last page was closed.
	Keep bool
	// Log receives the errors of the server itself, not those of requests. If Log is nil, the standard logger
	// receives these errors.
	Log *log.Logger
}

// Server serves the page on which a person can explore the experiments.
type Server struct {
	Options
	grace       time.Duration // time for which the server waits for a page after the last page was closed
	pages       *pages
	runs        *runs
	slots       chan struct{} // a slot for each computation in progress, except runs, laws, live trajectories
	connections connections
}

// ValidSecret reports whether a text can be the secret in the address of the page: 20 to 100 letters, digits,
// hyphens and underscores.
func ValidSecret(text string) bool { return isWord(text, 20, 100, "-_") }

// isWord reports whether a text has from least to most bytes, all of which are ASCII letters, digits, or
// among the characters in others. Compiling a regular expression would take a fifth of the time in which the
// program starts.
func isWord(text string, least, most int, others string) bool {
	other := strings.IndexFunc(text, func(r rune) bool {
		usual := r <= unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r))
		return !usual && !strings.ContainsRune(others, r)
	})
	return least <= len(text) && len(text) <= most && other < 0
}

// New returns a server of the page. The secret of the options must be valid or "".
func New(options Options) *Server {
	if options.Secret == "" {
		options.Secret = rand.Text()
	}
	if !ValidSecret(options.Secret) {
		panic("explore: the secret must be 20 to 100 letters, digits, - and _")
	}
	const computations = 4
	s := &Server{
		Options: options,
		grace:   time.Minute,
		runs:    newRuns(),
		slots:   make(chan struct{}, computations),
	}
	s.pages = newPages()
	return s
}

// Address returns the address of the page, including the secret, for a server that listens on l.
func (s *Server) Address(l net.Listener) string {
	return "http://" + l.Addr().String() + "/" + s.Secret + "/"
}

// Serve serves the page until the context ends, and then returns the error of the context. Without
// Options.Keep, Serve also ends when the last page has been closed for a minute. When Serve returns, no
// computation is in progress.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	ctx, cancel := context.WithCancel(ctx)
	server := &http.Server{
		Handler:           s.guard(s.Answers()),
		ReadHeaderTimeout: 5 * time.Second,
		IdleTimeout:       time.Minute,
		MaxHeaderBytes:    16 << 10,
		ConnState:         s.connections.change,
		BaseContext:       func(net.Listener) context.Context { return ctx },
		ErrorLog:          s.Log,
	}
	ended := make(chan error, 1)
	go func() {
		var err error
		select {
		case <-ctx.Done():
			err = ctx.Err()
		case <-s.noPages(ctx):
		}
		cancel()
		server.Close()
		ended <- err
	}()
	err := server.Serve(l)
	cancel()
	ending := <-ended
	s.pages.close()
	s.runs.close()
	if errors.Is(err, http.ErrServerClosed) {
		return ending
	}
	return err
}

// noPages returns a channel that is closed when no page is open any more. With Options.Keep, noPages returns
// nil.
func (s *Server) noPages(ctx context.Context) <-chan struct{} {
	if s.Keep {
		return nil
	}
	return s.pages.left(ctx, s.grace)
}

// Page returns the files of the page.
func Page() fs.FS {
	files, err := fs.Sub(pageFiles, "page")
	impossible(err)
	return files
}

// Answers returns the handler of all requests of the page. The paths of these requests have no secret, and
// the guard of Serve does not check the requests. An exported page, inside which the server runs, uses this
// handler directly.
func (s *Server) Answers() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /", http.FileServerFS(Page()))
	mux.HandleFunc("GET /commands", s.commands)
	mux.HandleFunc("POST /form", s.computed(s.form))
	mux.HandleFunc("GET /events", s.events)
	mux.HandleFunc("POST /bye", s.bye)
	mux.HandleFunc("POST /live", s.live)
	mux.HandleFunc("POST /start", s.computed(s.startTable))
	mux.HandleFunc("POST /ensemble", s.ensemble)
	mux.HandleFunc("POST /theory", s.theory)
	mux.HandleFunc("POST /runs", s.computed(s.begin))
	mux.HandleFunc("DELETE /runs/{id}", s.cancel)
	mux.HandleFunc("GET /runs/{id}/figure", s.computed(s.runFigure))
	mux.HandleFunc("GET /runs/{id}/rows", s.runRows)
	mux.HandleFunc("GET /runs/{id}/{name}", s.runTable)
	mux.HandleFunc("GET /files", s.listFiles)
	mux.HandleFunc("GET /files/{id}", s.computed(s.file))
	mux.HandleFunc("GET /files/{id}/rows", s.computed(s.fileRows))
	mux.HandleFunc("GET /files/{id}/figure", s.computed(s.fileFigure))
	return mux
}

// computed wraps a handler that needs computing time, so that only a few such handlers run at a time. A
// handler counts until it writes the status of its answer, or else until its end. A client that does not read
// its answer thus keeps no other client waiting. A request whose client has gone is not handled.
func (s *Server) computed(answer http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if release, free := acquire(r.Context(), s.slots); free {
			defer release()
			answer(releasing{w, release}, r)
		}
	}
}

// acquire waits for one of the slots, whose number is the capacity of the channel. The result release returns
// the slot, and may be called again. If the context ends first, there is no slot, and free is false.
func acquire(ctx context.Context, slots chan struct{}) (release func(), free bool) {
	select {
	case slots <- struct{}{}:
		return sync.OnceFunc(func() { <-slots }), true
	case <-ctx.Done():
		return nil, false
	}
}

// releasing is an answer that calls release before its status is written.
type releasing struct {
	http.ResponseWriter
	release func()
}

// WriteHeader implements http.ResponseWriter.
func (r releasing) WriteHeader(status int) {
	r.release()
	r.ResponseWriter.WriteHeader(status)
}

// Unwrap returns the answer itself, for http.ResponseController.
func (r releasing) Unwrap() http.ResponseWriter { return r.ResponseWriter }
