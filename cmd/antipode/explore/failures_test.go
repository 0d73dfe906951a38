package explore

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"antipode/data"
	"antipode/experiments"
	"antipode/experiments/figure"
	"antipode/experiments/phase"
	"antipode/experiments/run"
	"antipode/experiments/simulate"
	"antipode/sphere/must"
)

const pageName = "page-of-this-test"

// withPage returns a server on which the page of the test is open.
func withPage(t *testing.T) *Server {
	t.Helper()
	s := New(Options{})
	if s.pages.enter(t.Context(), pageName) == nil {
		t.Fatal("the page cannot be opened")
	}
	t.Cleanup(s.pages.close)
	return s
}

// post sends a question to a server without a network.
func post(s *Server, path, question string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	s.Answers().ServeHTTP(w, httptest.NewRequest(http.MethodPost, path, strings.NewReader(question)))
	return w
}

// What is no question of the page is refused with one text, and nothing begins; so is a question of a page
// that is not open, and a request for the tokens that nobody has moved.
func TestBadQuestions(t *testing.T) {
	s := withPage(t)
	const unknown = "not what the page asks: json: unknown field \"none\"\n"
	for _, path := range []string{"/form", "/live", "/start", "/ensemble", "/theory", "/runs"} {
		if w := post(s, path, `{"none":1}`); w.Code != 400 || w.Body.String() != unknown {
			t.Errorf("%s: %d %q", path, w.Code, w.Body)
		}
	}
	for _, path := range []string{"/live", "/start", "/ensemble", "/theory"} {
		if w := post(s, path, `{"page":"another-page"}`); w.Code != 409 ||
			w.Body.String() != "this page is not open\n" {
			t.Errorf("%s of a page that is not open: %d %q", path, w.Code, w.Body)
		}
	}
	const unmoved = `{"problems":{},"problem":"No token has been moved."}`
	if w := post(s, "/start", `{"page":"`+pageName+`"}`); w.Code != 422 || w.Body.String() != unmoved {
		t.Errorf("without tokens: %d %s", w.Code, w.Body)
	}
	if all := s.runs.states(); len(all) > 0 {
		t.Errorf("runs have begun: %v", all)
	}
}

// brief is an answer to a client that takes some parts of the answer, each with one Write, and then goes.
type brief struct {
	*httptest.ResponseRecorder
	room, refused int
}

var errGone = errors.New("the client has gone")

func (b *brief) Write(p []byte) (int, error) {
	if b.room == 0 {
		b.refused++
		return 0, errGone
	}
	b.room--
	return b.ResponseRecorder.Write(p)
}

// When the client has gone, no more parts of an answer are computed. An ensemble tries to say why it ends.
func TestClientsThatGo(t *testing.T) {
	s := withPage(t)
	for _, test := range []struct {
		path, given    string
		parts, refused int
	}{
		{"/theory", `"dim":"3","horizon":"1"`, 2, 1},
		{"/ensemble", `"dim":"2","horizon":"0.1"`, 5, 2}, // times, trajectories, law, depth, end
	} {
		for room := range test.parts {
			question := fmt.Sprintf(`{"page":%q,"given":{%s}}`, pageName, test.given)
			w := &brief{httptest.NewRecorder(), room, 0}
			s.Answers().ServeHTTP(w, httptest.NewRequest(http.MethodPost, test.path,
				strings.NewReader(question)))
			if got := strings.Count(w.Body.String(), "\n"); got != room || w.refused != test.refused {
				t.Errorf("%s: %d parts of %d, and %d refused", test.path, got, room, w.refused)
			}
		}
	}
}

// The trajectories of an ensemble that takes long are sent in several parts. Each part has the shares of the
// outcomes of all trajectories so far.
func TestLongEnsemble(t *testing.T) {
	s := withPage(t)
	w := &brief{httptest.NewRecorder(), 2, 0} // the client goes after the first part with trajectories
	question := `{"page":"` + pageName + `","given":{"tokens":"20"},"trajectories":500}`
	begun := time.Now()
	s.Answers().ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/ensemble", strings.NewReader(question)))
	if took := time.Since(begun); took < betweenEvents/2 {
		t.Errorf("a part is sent after %v", took)
	}
	lines := strings.Split(w.Body.String(), "\n")
	overlaps := strings.Count(lines[1], "[") - 2 // one list for each trajectory, in a list, and the shares
	counted := 0
	for _, share := range strings.Split(lines[1], `"count":`)[1:] {
		var count int
		must.Get(fmt.Sscan(strings.TrimRight(share[:strings.Index(share, ",")], ","), &count))(t)
		counted += count
	}
	if len(lines) != 3 || overlaps < 1 || overlaps >= 500 || counted != overlaps {
		t.Errorf("%d lines, %d trajectories, %d counted", len(lines), overlaps, counted)
	}
}

// endsAfter is a context that ends when Err has been called the given number of times.
type endsAfter struct {
	context.Context
	calls int
}

func (c *endsAfter) Err() error {
	if c.calls--; c.calls < 0 {
		return context.Canceled
	}
	return nil
}

// An error of a run is the problem of the theory, and of an ensemble; probabilities that are not known are
// null.
func TestProblemsOfAnswers(t *testing.T) {
	s := withPage(t)
	w := httptest.NewRecorder()
	s.Answers().ServeHTTP(w, httptest.NewRequestWithContext(&endsAfter{t.Context(), 1}, http.MethodPost,
		"/theory", strings.NewReader(`{"page":"`+pageName+`"}`)))
	if text := w.Body.String(); !strings.Contains(text, `"problem":"context canceled","svg":"",`) ||
		strings.Count(text, "\n") != 1 {
		t.Errorf("theory whose context ends: %s", text)
	}
	broken := simulate.New()
	broken.Horizon = -1
	send := func(a ensembleAnswer) error {
		t.Errorf("sent: %+v", a)
		return nil
	}
	for _, err := range []error{sendTracks(t.Context(), &configured{}, broken, send),
		s.pages.find(pageName).sendLaws(t.Context(), broken, send)} {
		if err == nil || !strings.Contains(err.Error(), "horizon -1") {
			t.Errorf("a horizon of -1: %v", err)
		}
	}
	c := chancesOf(simulate.Chances{Antipodal: math.NaN(), Single: 0.25}, true)
	if text := string(inJSON(c)); text != `{"antipodal":null,"single":0.25,"depth":true}` {
		t.Error(text)
	}
	defer func() {
		if recover() == nil {
			t.Error("a number that JSON does not have")
		}
	}()
	inJSON(math.NaN())
}

// A page is told that the server is there every ten seconds, and of changes of runs at most each 0.2 seconds.
func TestHeartbeat(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := New(Options{})
		ctx, leave := context.WithCancel(t.Context())
		w := &sharedRecorder{ResponseRecorder: httptest.NewRecorder()}
		go s.events(w, httptest.NewRequestWithContext(ctx, http.MethodGet, "/events?page="+pageName, nil))
		const first, beat = "event: runs\ndata: []\n\n", ": \n\n"
		says := func(after time.Duration, want string) {
			t.Helper()
			time.Sleep(after)
			synctest.Wait()
			if got := w.text(); got != want {
				t.Errorf("%q, want %q", got, want)
			}
		}
		says(9*time.Second, first)
		says(2*time.Second, first+beat)
		says(10*time.Second, first+beat+beat)
		s.runs.tell()
		says(150*time.Millisecond, first+beat+beat)
		s.runs.tell()
		says(100*time.Millisecond, first+beat+beat+first)
		leave()
		synctest.Wait()
		if s.pages.find(pageName) != nil {
			t.Error("the page is still open")
		}
	})
}

// sharedRecorder is a ResponseRecorder that can be read while it is written.
type sharedRecorder struct {
	*httptest.ResponseRecorder
	lock sync.Mutex
}

func (r *sharedRecorder) Write(p []byte) (int, error) {
	r.lock.Lock()
	defer r.lock.Unlock()
	return r.ResponseRecorder.Write(p)
}

func (r *sharedRecorder) text() string {
	r.lock.Lock()
	defer r.lock.Unlock()
	return r.Body.String()
}

// drawing is an experiment whose figure is given.
type drawing struct {
	*phase.Experiment
	draw func() (*figure.Figure, error)
}

func (d drawing) Draw(*data.Table) (*figure.Figure, error) { return d.draw() }

// A figure that cannot be drawn is no figure, and the answer says why, also if a table has no rows.
func TestNoFigure(t *testing.T) {
	for want, draws := range map[string]func() (*figure.Figure, error){
		"broken":                 func() (*figure.Figure, error) { return nil, errors.New("broken") },
		"no figure: row 3 of []": func() (*figure.Figure, error) { panic("row 3 of []") },
	} {
		if p := draw(drawing{phase.New(), draws}, nil); p.None != want || p.SVG != "" || p.Areas != nil {
			t.Errorf("%q: %+v", want, p)
		}
	}
	for _, e := range experiments.All() {
		table := data.NewTable(run.Schema(e, 1))
		if p := draw(e, table); (p.None == "") == (p.SVG == "") {
			t.Errorf("%s without rows: %+v", e.Name(), p)
		}
	}
}

// writing is an experiment whose run writes one column of integers.
type writing struct {
	*phase.Experiment
	rows int
}

func (writing) Columns() []data.Column { return []data.Column{{Name: "n", Kind: data.Int64}} }

func (e writing) Run(_ context.Context, _ run.Options, table data.Sink) error {
	return table.Write(make(data.Slice[int64], e.rows))
}

// A run ends with the error of its file when the file is full, and the rows that did not fit are not shown;
// a run whose table cannot be written at all does not begin.
func TestFullFileOfARun(t *testing.T) {
	full := make([]byte, mostTable)
	for _, rows := range []int{1, 1 << 18} { // one row is written when the file is closed
		e := writing{phase.New(), rows}
		p := &pageRun{owner: newRuns(), file: &boundedBuffer{*bytes.NewBuffer(full)},
			table: data.NewTable(run.Schema(e, 1))}
		err := p.run(t.Context(), &configured{experiment: e})
		if err == nil || !strings.Contains(err.Error(), "the table is larger than the 128 MiB") ||
			(p.seen().Rows == 0) != (rows > 1) {
			t.Errorf("%d rows: %v, %d rows are shown", rows, err, p.seen().Rows)
		}
	}
	told := newRuns()
	changed, forget := told.subscribe()
	defer forget()
	few := &pageRun{owner: told, file: &boundedBuffer{},
		table: data.NewTable(run.Schema(writing{phase.New(), 3}, 1))}
	err := few.run(t.Context(), &configured{experiment: writing{phase.New(), 3}})
	select {
	case <-changed:
	default:
		t.Errorf("the page is not told of 3 rows: %v", err)
	}
	twice := data.Schema{Columns: append(writing{}.Columns(), writing{}.Columns()...)}
	p := &pageRun{owner: newRuns(), file: &boundedBuffer{}, table: data.NewTable(twice)}
	if err := p.run(t.Context(), &configured{experiment: writing{}}); err == nil || p.seen().Rows > 0 ||
		!strings.Contains(err.Error(), "create the table: ") {
		t.Errorf("two columns of one name: %v", err)
	}
	if err := p.preflight(run.Needs{}); err == nil {
		t.Error("two columns of one name are no problem before the run")
	}
	p.progress(run.State{Done: 1, Total: 4, Cells: 2, AllCells: 8,
		Outcome: func() string { return "so far" }})
	if got := p.seen(); got.Share != 0.25 || got.Cells != 2 || got.AllCells != 8 || got.Outcome != "so far" ||
		got.Left == nil || !(*got.Left >= 2.9*got.Seconds && *got.Left <= 3.1*got.Seconds) {
		t.Errorf("a quarter of a run: %+v", got)
	}
}

// Of the table of another program the columns are shown, but no report. The rows of a damaged batch are an
// error, and so are those of a run that does not exist.
func TestDamagedAndForeignTables(t *testing.T) {
	damaged := filepath.Join(t.TempDir(), "damaged.arrow")
	must.Do(t, data.WriteFile(damaged, &data.Table{Columns: []data.Values{make(data.Slice[int64], 1<<17)},
		Schema: data.Schema{Columns: []data.Column{{Name: "n", Kind: data.Int64}}}}))
	content := must.Get(os.ReadFile(damaged))(t)
	content[3*len(content)/4] ^= 1 // in the second of two batches
	must.Do(t, os.WriteFile(damaged, content, 0o666))
	foreign := filepath.Join("..", "..", "..", "data", "testdata", "pandas.arrow")
	s := New(Options{Files: []string{damaged, foreign}})
	get := func(path string) (int, string) {
		w := httptest.NewRecorder()
		s.Answers().ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		return w.Code, w.Body.String()
	}
	if code, text := get("/files/0/rows?from=65530&count=6"); code != 200 {
		t.Errorf("rows that are not damaged: %d %s", code, text)
	}
	if code, text := get("/files/0/rows?from=65530&count=7"); code != 422 ||
		!strings.HasPrefix(text, `{"problem":"`) || !strings.Contains(text, "damaged.arrow") {
		t.Errorf("damaged rows: %d %s", code, text)
	}
	if code, text := get("/files/1"); code != 200 || !strings.Contains(text, "not a table of antipode") ||
		strings.Contains(text, `"columns":[]`) || !strings.Contains(text, `"text":""`) {
		t.Errorf("a foreign table: %d %s", code, text)
	}
	if code, text := get("/runs/1/simulate.arrow"); code != 404 || text != "there is no such run\n" {
		t.Errorf("the table of no run: %d %s", code, text)
	}
}

// A request that breaks off is refused; the server ends with the error of its listener; and a server has no
// secret that anybody could guess.
func TestBrokenConnections(t *testing.T) {
	s := New(Options{Secret: secret})
	handler := s.guard(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		t.Error("a request that broke off is answered")
	}))
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "http://localhost/"+secret+"/form",
		iotest.ErrReader(errGone)))
	if w.Code != 400 || w.Body.String() != "the request does not come to its end\n" {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	listener := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	listener.Close()
	if err := s.Serve(t.Context(), listener); !errors.Is(err, net.ErrClosed) {
		t.Errorf("a closed listener: %v", err)
	}
	defer func() {
		if recover() == nil {
			t.Error("a short secret")
		}
	}()
	New(Options{Secret: "guess"})
}
