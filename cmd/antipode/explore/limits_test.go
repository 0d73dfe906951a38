package explore

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"antipode/data"
	"antipode/experiments"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/experiments/simulate"
	"antipode/sphere/must"
)

// A value at a limit of a trajectory on the page is accepted, and the next one is refused with its parameter.
func TestLimitsOfATrajectory(t *testing.T) {
	s := New(Options{})
	for _, test := range []struct {
		values given
		bad    string // parameters that are refused
	}{
		{given{"tokens": "2"}, ""}, {given{"tokens": "1"}, "tokens"},
		{given{"tokens": "5000"}, ""}, {given{"tokens": "5001"}, "tokens"},
		{given{"dim": "1000"}, ""}, {given{"dim": "1001"}, "dim"},
		{given{"tokens": "200", "dim": "1000"}, ""}, {given{"tokens": "5000", "dim": "40"}, ""},
		{given{"tokens": "201", "dim": "1000"}, "dim"}, {given{"tokens": "5000", "dim": "41"}, "dim"},
		{given{"depth": "100", "horizon": "10000"}, ""},
		{given{"depth": "100", "horizon": "10000.01"}, "horizon"},
	} {
		c, of := s.scene(liveQuestion{Given: test.values})
		got := strings.Join(slices.Sorted(maps.Keys(c.problems)), " ")
		if got != test.bad || c.problem != "" || (of != nil) != (test.bad == "") {
			t.Errorf("%v: %v, %q", test.values, c.problems, c.problem)
		}
	}
	for tokens, good := range map[string]bool{"200": true, "201": false} {
		c, of := s.scene(liveQuestion{Given: given{"tokens": tokens}, Attention: true})
		if (c.problem == "") != good || (of != nil) != good {
			t.Errorf("attention of %s tokens: %q", tokens, c.problem)
		}
		if good && of.matrix() != 40_000 {
			t.Errorf("%d entries", of.matrix())
		}
	}
	second := given{"tokens": "3", "dim": "1001"}
	if c, of := s.scene(liveQuestion{Given: given{"dim": "4"}, Second: second}); of != nil ||
		!strings.Contains(c.problems["dim"], "at most 1000") {
		t.Errorf("a second trajectory: %v", c.problems)
	}
}

// Frames have four numbers of each trajectory, the overlaps and the coordinates of its tokens, and their
// attention matrix if it is asked for.
func TestNumbersOfAFrame(t *testing.T) {
	one := simulate.New()
	one.Tokens, one.Dim, one.Depth, one.Horizon = 7, 3, 4, 2.5
	for _, test := range []struct {
		of   scene
		want int
	}{{scene{first: one}, 4 + 7 + 21}, {scene{first: one, second: one}, 2 * (4 + 7 + 21)},
		{scene{first: one, attention: true}, 4 + 7 + 21 + 49},
		{scene{first: one, second: one, attention: true}, 2 * (4 + 7 + 21 + 49)}} {
		if got := test.of.numbers(); got != test.want || test.of.horizon() != 10 {
			t.Errorf("%d numbers, want %d; %d layers", got, test.want, test.of.horizon())
		}
	}
	f := &simulate.Frame{Layer: 5, Outcome: 2, Energy: 0.5, Overlaps: []float64{1}, Tokens: []float64{2, 3},
		Weights: []float64{4}}
	for pair, want := range map[bool][]float64{false: {5, 2, 0, 0.5, 1, 2, 3, 4},
		true: {5, 2, 1, 0.5, 1, 2, 3, 4}} {
		f.Pair = pair
		g := &frameRequest{}
		if g.add(f); !slices.Equal(g.frames, want) {
			t.Errorf("pair %v: %v", pair, g.frames)
		}
	}
}

// A table on the page may have 128 MiB, and a run is refused if it may write more.
func TestLargestTable(t *testing.T) {
	const most = 128 << 20
	b := &boundedBuffer{}
	half := make([]byte, most/2)
	for range 2 {
		if n, err := b.Write(half); n != most/2 || err != nil {
			t.Errorf("%d bytes, %v", n, err)
		}
	}
	if _, err := b.Write([]byte{0}); err == nil || !strings.Contains(err.Error(), "larger than the 128 MiB") {
		t.Errorf("one byte more: %v", err)
	}
	p := &pageRun{table: data.NewTable(run.Schema(simulate.New(), 1))}
	empty := must.Get(p.table.Schema.FileBytes(0))(t)
	for bytes, good := range map[float64]bool{most: true, most + 1: false} {
		err := p.preflight(run.Needs{Kept: bytes - empty, Layers: 1e7, Seconds: 500})
		if (err == nil) != good || err != nil && !strings.Contains(err.Error(), "may write 128 MiB, and the "+
			"page keeps no more than 128 in memory") {
			t.Errorf("%.0f bytes: %v", bytes, err)
		}
	}
	inf := math.Inf(1)
	for _, needs := range []run.Needs{{Layers: inf}, {Seconds: inf}} {
		if p.preflight(needs) == nil {
			t.Errorf("%+v is not refused", needs)
		}
	}
}

// Before a run begins, the oldest runs are forgotten until there is room for it among eight, and until the
// tables have 128 MiB together.
func TestOldRunsAreForgotten(t *testing.T) {
	const most = 128 << 20
	for _, test := range []struct{ sizes, kept []int }{
		{nil, nil}, {[]int{1, 2, 3}, []int{1, 2, 3}},
		{[]int{1, 2, 3, 4, 5, 6, 7}, []int{1, 2, 3, 4, 5, 6, 7}},
		{[]int{1, 2, 3, 4, 5, 6, 7, 8}, []int{2, 3, 4, 5, 6, 7, 8}},
		{[]int{5, most - 1, 1}, []int{most - 1, 1}}, {[]int{most, 1}, []int{1}},
		{[]int{1, most}, []int{most}},
		{[]int{1, most + 1}, nil},
	} {
		s := newRuns()
		for _, size := range test.sizes {
			s.all = append(s.all, &pageRun{state: runState{Bytes: size}})
		}
		s.forget()
		var kept []int
		for _, p := range s.all {
			kept = append(kept, p.state.Bytes)
		}
		if !slices.Equal(kept, test.kept) {
			t.Errorf("of %v remain %v, want %v", test.sizes, kept, test.kept)
		}
	}
}

// A run ends as done, with a file and a report; as cancelled, or as failed with the error. Then it has no
// file. When the server has ended, no run begins.
func TestEndsOfARun(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	s := New(Options{})
	c, of := s.watched(nil)
	for _, test := range []struct {
		ctx   context.Context
		err   error
		state string
	}{{t.Context(), nil, done}, {ended, context.Canceled, cancelled},
		{t.Context(), errors.New("broken"), failed}, {ended, nil, done}} {
		e := must.Get(experiments.ByName("field"))(t)
		table := data.NewTable(run.Schema(e, 1))
		must.Do(t, e.Run(t.Context(), run.Options{}, table))
		p := &pageRun{owner: s.runs, table: table, file: &boundedBuffer{}, state: runState{Command: e.Name()}}
		must.Get(p.file.Write(make([]byte, 9)))(t)
		p.end(test.ctx, test.err)
		got, good := p.seen(), test.state == done
		if got.State != test.state || (p.file != nil) != good || (p.text != "") != good ||
			(got.Share == 1) != good || (got.Bytes == 9) != good ||
			(got.Problem == "broken") != (test.state == failed) {
			t.Errorf("%s: %+v, file %v, report %q", test.state, got, p.file, p.text)
		}
	}
	if c.experiment, s.runs.closed = of, false; !c.ok() {
		t.Fatal(c.problem)
	}
	s.runs.close()
	if _, err := s.runs.begin(c); err == nil || err.Error() != "the server ends" || len(s.runs.all) != 0 {
		t.Errorf("after the end: %v", err)
	}
}

// Only the files on the command line have numbers, and rows are counted through all batches of a file.
func TestRowsOfLaterBatches(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.arrow")
	numbers := make(data.Slice[int64], 2*65536+7)
	for k := range numbers {
		numbers[k] = int64(k)
	}
	must.Do(t, data.WriteFile(path, &data.Table{Columns: []data.Values{numbers},
		Schema: data.Schema{Columns: []data.Column{{Name: "n", Kind: data.Int64}}}}))
	broken := filepath.Join(t.TempDir(), "broken.arrow")
	must.Do(t, os.WriteFile(broken, []byte("a text"), 0o666))
	s := New(Options{Files: []string{path, broken}})
	ask := func(address string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		s.Answers().ServeHTTP(w, httptest.NewRequest(http.MethodGet, address, nil))
		return w
	}
	for from, want := range map[int]string{0: `{"n":0},{"n":1},{"n":2}`,
		65534:   `{"n":65534},{"n":65535},{"n":65536}`,
		65536:   `{"n":65536},{"n":65537},{"n":65538}`,
		131070:  `{"n":131070},{"n":131071},{"n":131072}`,
		131077:  `{"n":131077},{"n":131078}`,
		131079:  ``,
		1 << 40: ``} {
		w := ask(fmt.Sprintf("/files/0/rows?from=%d&count=3", from))
		if text := w.Body.String(); w.Code != 200 || !strings.Contains(text, `"rows":[`+want+`]`) {
			t.Errorf("from %d: %d %s", from, w.Code, text)
		}
	}
	for address, status := range map[string]int{"/files/1/rows": 422, "/files/2/rows": 404,
		"/files/-1/rows": 404, "/files/x/rows": 404, "/files/1": 200, "/files/2": 404,
		"/files/2/figure": 404, "/files/1/figure": 200} {
		if w := ask(address); w.Code != status {
			t.Errorf("%s: %d, want %d", address, w.Code, status)
		}
	}
	for query, want := range map[string]int{"": 200, "count=0": 0, "count=199": 199, "count=200": 200,
		"count=201": 200, "count=-1": 200, "count=x": 200} {
		if got := countOf(httptest.NewRequest(http.MethodGet, "/?"+query, nil)); got != want {
			t.Errorf("%q: %d rows, want %d", query, got, want)
		}
	}
}

// A body may have 1 MiB, whether its length is announced or not.
func TestLargestBody(t *testing.T) {
	s := New(Options{Secret: secret})
	handler := s.guard(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusNoContent)
	}))
	for length, status := range map[int]int{1 << 20: http.StatusNoContent,
		1<<20 + 1: http.StatusRequestEntityTooLarge} {
		for _, announced := range []bool{true, false} {
			r := httptest.NewRequest(http.MethodPost, "http://localhost/"+secret+"/form",
				strings.NewReader(strings.Repeat(" ", length)))
			if !announced {
				r.ContentLength = -1
			}
			w := httptest.NewRecorder()
			if handler.ServeHTTP(w, r); w.Code != status {
				t.Errorf("%d bytes, announced %v: %d, want %d", length, announced, w.Code, status)
			}
		}
	}
}

// closeRecorder is a connection that knows whether it was closed.
type closeRecorder struct {
	net.Conn
	closed bool
}

func (c *closeRecorder) Close() error { c.closed = true; return nil }

// There may be 64 connections at a time; one that has ended makes room for another.
func TestMostConnections(t *testing.T) {
	var all connections
	var open []*closeRecorder
	for k := range 66 {
		c := &closeRecorder{}
		open = append(open, c)
		if all.change(c, http.StateNew); c.closed != (k >= 64) {
			t.Errorf("connection %d: closed %v", k+1, c.closed)
		}
	}
	for k, state := range []http.ConnState{http.StateClosed, http.StateHijacked} {
		all.change(open[k], state)
		c, another := &closeRecorder{}, &closeRecorder{}
		all.change(c, http.StateNew)
		if all.change(another, http.StateNew); c.closed || !another.closed {
			t.Errorf("after one has ended: closed %v, and one more %v", c.closed, another.closed)
		}
	}
	all.change(open[3], http.StateActive)
	if len(all.open) != 64 {
		t.Errorf("%d connections", len(all.open))
	}
}

// Names of pages have 8 to 64 letters, digits and hyphens, secrets 20 to 100 letters, digits, _ and -.
func TestNamesOfPagesAndSecrets(t *testing.T) {
	for length, good := range map[int]bool{7: false, 8: true, 64: true, 65: false} {
		p := newPages()
		if stream := p.enter(t.Context(), strings.Repeat("a", length)); (stream != nil) != good {
			t.Errorf("a name of %d letters: %v", length, stream)
		}
		p.close()
	}
	for length, good := range map[int]bool{19: false, 20: true, 100: true, 101: false} {
		if ValidSecret(strings.Repeat("-", length)) != good {
			t.Errorf("a secret of %d characters: %v", length, !good)
		}
	}
	for _, text := range []string{"page with blanks", "page_number_1", "page-number-1\n"} {
		if newPages().enter(t.Context(), text) != nil {
			t.Errorf("%q is the name of a page", text)
		}
	}
}

// The page is told how to start the server again, with its files.
func TestCommandThatStartsAgain(t *testing.T) {
	s := New(Options{Secret: secret, Files: []string{"a.arrow", "my file.arrow"}})
	r := httptest.NewRequest(http.MethodGet, "http://127.0.0.1:8080/commands", nil)
	const want = "ANTIPODE_SECRET=" + secret + " antipode explore --listen 127.0.0.1:8080 a.arrow " +
		"'my file.arrow'"
	if got := s.again(r); got != want {
		t.Errorf("%s", got)
	}
}

// Headers have ASCII characters only, as JSON escapes.
func TestTextOfHeaders(t *testing.T) {
	for text, want := range map[string]string{"a b": `"a b"`, "\x7f": "\"\x7f\"", "\u0080": `"\u0080"`,
		"β": `"\u03b2"`, "\uffff": `"\uffff"`, "a\U0001F600b": `"ab"`, "say \"x\"\n": `"say \"x\"\n"`} {
		if got := headerText(text); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

// Errors are noted at the parameters that they name, each of several joined ones; others are of no parameter.
func TestNotedErrors(t *testing.T) {
	c := &configured{problems: map[string]string{}}
	if c.note(nil); !c.ok() {
		t.Errorf("no error: %+v", c)
	}
	c.note(errors.Join(parameter.Errorf("dim", "4", "is bad"), parameter.Errorf("beta", "1", "is worse")))
	want := map[string]string{"dim": "is bad", "beta": "is worse"}
	if !maps.Equal(c.problems, want) || c.problem != "" || c.ok() {
		t.Errorf("%v, %q", c.problems, c.problem)
	}
	c = &configured{problems: map[string]string{}}
	if c.note(errors.New("broken")); c.problem != "broken" || len(c.problems) > 0 || c.ok() {
		t.Errorf("%v, %q", c.problems, c.problem)
	}
}

// A Host names this machine by an address of its own or by localhost, with a port or without.
func TestHosts(t *testing.T) {
	for host, local := range map[string]bool{"localhost": true, "LOCALHOST:80": true, "127.0.0.1": true,
		"127.255.0.1:8080": true, "[::1]": true, "[::1]:8080": true, "::1": true, "localhost.": false,
		"128.0.0.1": false, "0.0.0.0:80": false, "[::2]": false, "example.com:80": false, "": false,
		"localhost.example.com": false} {
		if isLocal(host) != local {
			t.Errorf("%q is local: %v", host, !local)
		}
	}
}
