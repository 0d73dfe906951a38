package explore

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"antipode/cmd/antipode/commandline"
	"antipode/data"
	"antipode/experiments"
	"antipode/experiments/run"
	"antipode/experiments/simulate"
	"antipode/sphere/must"
)

type given = map[string]string

// A form has a field for each parameter of its command and one for the seed, with the texts of the registry.
func TestForms(t *testing.T) {
	s := serve(t, Options{})
	known := askJSON[struct {
		Commands []command `json:"commands"`
	}](s, "GET", "/commands", nil, 200)
	for k, e := range experiments.All() {
		if known.Commands[k].Name != e.Name() || known.Commands[k].Paper != run.HasPaper(e) {
			t.Errorf("command %+v, want %s", known.Commands[k], e.Name())
		}
		form := askJSON[formAnswer](s, "POST", "/form", commandline.Setting{Command: e.Name()}, 200)
		if len(form.Fields) != len(e.Parameters())+1 || form.Fields[len(e.Parameters())].Name != "seed" {
			t.Errorf("%s: %d fields", e.Name(), len(form.Fields))
		}
		for i, p := range e.Parameters() {
			f := form.Fields[i]
			value := p.Value.String()
			if f.Name != p.Name || f.Meaning != p.Meaning || f.Unit != p.Unit || f.Value != value ||
				f.Default != value || f.Allowed != p.Value.Allowed() || f.Inapplicable != p.Inapplicable {
				t.Errorf("%s: field %+v, want %s", e.Name(), f, p.Name)
			}
			offered := []string(nil)
			if f.Type == "mlp" {
				offered = []string{"linear", "tanh", "erf", "sin", "relu", "gelu", "hermite3"}
			}
			if !slices.Equal(f.Activations, offered) {
				t.Errorf("%s --%s: activations %v", e.Name(), p.Name, f.Activations)
			}
		}
	}
	if status, _ := s.ask("POST", "/form", commandline.Setting{Command: "phse"}); status != 404 {
		t.Errorf("no command: %d", status)
	}
}

// fieldOf returns the field of the form with the given name.
func fieldOf(form formAnswer, name string) field {
	return form.Fields[slices.IndexFunc(form.Fields, func(f field) bool { return f.Name == name })]
}

// A mistake is reported beside its field. The preset of a paper holds for parameters that are not given. The
// line is that of the command.
func TestFormProblems(t *testing.T) {
	s := serve(t, Options{})
	form := askJSON[formAnswer](s, "POST", "/form",
		commandline.Setting{Command: "phase",
			Given: given{"dim": "1", "beta": "0.5", "law": "gauss", "nonsense": "1"}}, 200)
	problems := given{}
	for _, f := range form.Fields {
		if f.Problem != "" {
			problems[f.Name] = f.Problem
		}
		if f.Name == "dim" && f.Value != "1" {
			t.Errorf("the wrong value is not shown but %q", f.Value)
		}
	}
	if len(problems) != 2 ||
		!strings.HasPrefix(problems["dim"], "1 is out of bounds; must be whole numbers from 2") ||
		!strings.HasPrefix(problems["law"], "must be gaussian") ||
		form.Problem != `phase has no parameter "nonsense"` {
		t.Errorf("problems %v, %s", problems, form.Problem)
	}
	form = askJSON[formAnswer](s, "POST", "/form",
		commandline.Setting{Command: "simulate",
			Given: given{"model": "hybrid", "start": "it's", "interpolate": "true"}}, 200)
	if form.Line != `antipode simulate --model hybrid --start 'it'\''s' --interpolate --out simulate.arrow` {
		t.Error(form.Line)
	}
	form = askJSON[formAnswer](s, "POST", "/form",
		commandline.Setting{Command: "phase", Given: given{"depth": "50"}, Paper: true}, 200)
	for _, f := range form.Fields {
		if f.Name == "depth" && f.Value != "50" || f.Name == "trajectories" && f.Value == f.Default {
			t.Errorf("with the paper's parameters: %+v", f)
		}
	}
	if form.Line != "antipode phase --depth 50 --paper --out phase.arrow" {
		t.Error(form.Line)
	}
	form = askJSON[formAnswer](s, "POST", "/form",
		commandline.Setting{Command: "simulate", Given: given{"epsilon": "2"}}, 200)
	if f := fieldOf(form, "epsilon"); f.Problem == "" || f.Problem != f.Inapplicable {
		t.Errorf("a value without effect: %+v", f)
	}
}

// No parameter reads a file that was not named when the server started: the message is the same whether the
// file exists or not, whatever it contains. A file that was named is read.
func TestFormsReadNoFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("it has no goroutines")
	}
	t.Chdir(t.TempDir())
	matrix := "named.txt"
	files := map[string][]byte{matrix: []byte("1 2\n3 4\n")}
	states := simulate.New()
	states.Save, states.Trajectories, states.Depth, states.Horizon = "states", 1, 2, 1
	table := data.NewTable(run.Schema(states, 1))
	must.Do(t, states.Run(t.Context(), run.Options{Seed: 1}, table))
	var arrow bytes.Buffer
	writer := must.Get(data.Stream(&arrow, "", table.Schema))(t)
	if err := writer.Write(table.Columns...); err != nil || writer.Close() != nil {
		t.Fatal(err)
	}
	extensions := []string{".arrow", ".feather", ".npy", ".npz", ".txt", ".csv", ".parquet", ".json", ""}
	for _, extension := range extensions {
		content := []byte("1 2\n3 4\n")
		if extension == ".arrow" {
			content = arrow.Bytes()
		}
		files["zzzz1"+extension] = content
	}
	for name, content := range files {
		must.Do(t, os.WriteFile(name, content, 0o666))
	}
	s := New(Options{Files: []string{matrix}})
	said := func(c *configured) string {
		text, _ := json.Marshal([]any{c.problems, c.problem})
		return string(text)
	}
	for _, e := range experiments.All() {
		for _, p := range e.Parameters() {
			for name := range files {
				if name == matrix {
					continue
				}
				missing := strings.Replace(name, "zzzz1", "zzzz2", 1)
				there, err := s.configure(commandline.Setting{Command: e.Name(), Given: given{p.Name: name}})
				if err != nil {
					t.Fatal(err)
				}
				absent, _ := s.configure(commandline.Setting{Command: e.Name(),
					Given: given{p.Name: missing}})
				if there.ok() || said(there) != strings.ReplaceAll(said(absent), "zzzz2", "zzzz1") {
					t.Errorf("%s --%s %s: %s; where there is no such file: %s", e.Name(), p.Name, name,
						said(there), said(absent))
				}
			}
		}
	}
	named := commandline.Setting{Command: "simulate", Given: given{"interaction": matrix, "dim": "2"}}
	if c, _ := s.configure(named); !c.ok() {
		t.Errorf("a file that was named: %s", said(c))
	}
}

// frames asks for frames of a trajectory, and returns the header and the frames of the answer.
func (s *site) frames(asked liveQuestion) (header []float64, frames [][]float64) {
	s.Helper()
	status, content := s.ask("POST", "/live", asked)
	if status != 200 {
		s.Fatalf("%d: %s", status, content)
	}
	numbers := make([]float64, len(content)/8)
	for k := range numbers {
		numbers[k] = math.Float64frombits(binary.LittleEndian.Uint64(content[8*k:]))
	}
	length := 4 + int(numbers[0])*int(numbers[1]+1) + int(numbers[6])
	for rest := numbers[headNumbers:]; len(rest) > 0; rest = rest[length:] {
		frames = append(frames, rest[:length])
	}
	if len(frames) != int(numbers[3]*numbers[5]) {
		s.Fatalf("%d frames, said to be %v", len(frames), numbers[3])
	}
	return numbers[:headNumbers], frames
}

// The frames are the states of the run with that seed, bit for bit, in whatever order they are asked for: one
// after the other, in steps, from an earlier layer, and after another trajectory was watched.
func TestLive(t *testing.T) {
	s := serve(t, Options{})
	s.open("page-of-this-test")
	values := given{"tokens": "5", "dim": "4", "beta": "2", "depth": "30", "horizon": "3", "seed": "7"}
	e := simulate.New()
	e.Tokens, e.Dim, e.Beta, e.Depth, e.Horizon = 5, 4, 2, 30, 3
	watched := must.Get(e.Watched())(t)
	table := data.NewTable(run.Schema(watched, 7))
	must.Do(t, watched.Run(t.Context(), run.Options{Seed: 7}, table))
	states, err := data.RowsOf[simulate.StateRow](table)
	if err != nil || len(states) != 91 {
		t.Fatal(len(states), err)
	}
	check := func(from, step int64, count int, end float64, layers ...int64) {
		t.Helper()
		header, frames := s.frames(liveQuestion{Page: "page-of-this-test", Given: values, From: from,
			Step: step, Frames: count})
		if fmt.Sprint(header) != fmt.Sprint([]float64{5, 4, 90, float64(len(layers)), end, 1, 0}) {
			t.Fatalf("from %d: header %v", from, header)
		}
		for k, layer := range layers {
			f, want := frames[k], states[layer].Tokens
			if f[0] != float64(layer) || !slices.Equal(f[9:], slices.Concat(want...)) || f[4] != 1 {
				t.Errorf("from %d: frame %d is %v, want layer %d, %v", from, k, f, layer, want)
			}
		}
	}
	check(0, 1, 3, 0, 0, 1, 2)
	check(3, 1, 2, 0, 3, 4)
	check(10, 7, 3, 0, 10, 17, 24)
	check(5, 1, 1, 0, 5) // an earlier layer
	check(85, 4, 10, 1, 85, 89, 90)
	check(85, 4, 10, 1, 85, 89, 90) // after the end
	check(-5, -1, 2, 0, 0, 1)       // negative numbers mean: from the beginning, layer by layer
	check(1, math.MaxInt64, 9, 1, 1, 90)
	values["seed"] = "8"
	_, other := s.frames(liveQuestion{Page: "page-of-this-test", Given: values, From: 85, Frames: 1})
	if slices.Equal(other[0][9:], slices.Concat(states[85].Tokens...)) {
		t.Error("another seed has the same states")
	}
	values["seed"] = "7"
	check(86, 1, 1, 0, 86)
}

// A mistake in what is to be watched is reported beside its field, and nothing is computed for a page that is
// not open.
func TestLiveProblems(t *testing.T) {
	s := serve(t, Options{})
	s.open("page-of-this-test")
	for name, c := range map[string]struct{ value, problem string }{
		"tokens":  {"5001", "must be from 2 to 5000 on this page"},
		"dim":     {"1001", "must be at most 1000 on this page"},
		"horizon": {"10001", "these are 1000100 layers; must be at most 1000000 on this page"},
		"beta":    {"1,2", "must be one value, to watch one trajectory"},
		"epsilon": {"1", "only a hybrid model"},
		"scheme":  {"heun", "does not fit the model transformer; must be euler"},
	} {
		a := askJSON[liveProblem](s, "POST", "/live",
			liveQuestion{Page: "page-of-this-test", Given: given{name: c.value}}, 422)
		if len(a.Problems) != 1 || !strings.Contains(a.Problems[name], c.problem) {
			t.Errorf("%s %s: %+v", name, c.value, a)
		}
	}
	if status, _ := s.ask("POST", "/live", liveQuestion{Page: "another-page"}); status != 409 {
		t.Errorf("a page that is not open: %d", status)
	}
	if status, _ := s.ask("POST", "/theory", theoryQuestion{"another-page", nil}); status != 409 {
		t.Errorf("a page that is not open: %d", status)
	}
}

// The computation of a trajectory ends when another one is watched, and when its page closes.
func TestOldTrajectoriesEnd(t *testing.T) {
	s := serve(t, Options{})
	_, closing := s.open("page-of-this-test")
	ask := func(seed string, from int64) *trajectory {
		values := given{"seed": seed, "horizon": "1000"}
		s.frames(liveQuestion{Page: "page-of-this-test", Given: values, From: from, Frames: 1})
		return s.pages.find("page-of-this-test").watching.current
	}
	first := ask("1", 0)
	if ask("1", 1) != first {
		t.Error("the same trajectory is computed anew, although it is not past the layer")
	}
	second := ask("2", 0)
	for _, old := range []*trajectory{first, second} {
		select {
		case <-old.done:
		case <-time.After(5 * time.Second):
			t.Error("an old trajectory goes on")
		}
		closing()
	}
}

// theoryLines returns the lines of the answer to a question for theory.
func (s *site) theoryLines(values given) (lines []theoryAnswer) {
	s.Helper()
	status, content := s.ask("POST", "/theory", theoryQuestion{"page-of-this-test", values})
	if status != 200 {
		s.Fatalf("%d: %s", status, content)
	}
	for line := range bytes.Lines(content) {
		var a theoryAnswer
		must.Do(s, json.Unmarshal(line, &a))
		lines = append(lines, a)
	}
	return lines
}

// The theory comes in parts, the quickest first; the whole text is that of the command.
func TestTheory(t *testing.T) {
	s := serve(t, Options{})
	s.open("page-of-this-test")
	lines := s.theoryLines(given{"beta": "1.5", "horizon": "50", "depth": "10"})
	if len(lines) != 3 {
		t.Fatalf("%d parts", len(lines))
	}
	for k, want := range []struct {
		pending, text string
		areas         int
	}{
		{"the law at the horizon", "β_c = 0.6584789485", 5},
		{"what holds at the depth", "P(antipodal) = 0.2227", 6}, // THEORY: 0.22271 at d = 4, β = 1.5, T = 50
		{"", "0.71078", 6}, // the critical β at depth 10 (THEORY: 0.71078)
	} {
		if a := lines[k]; a.Pending != want.pending || !strings.Contains(a.Text, want.text) ||
			len(a.Areas) != want.areas ||
			!strings.Contains(a.SVG, "</svg>") ||
			a.Problem != "" {
			t.Errorf("part %d: pending %q, %d areas, problem %q\n%s", k, a.Pending, len(a.Areas), a.Problem,
				a.Text)
		}
	}
	want := "antipode overlap --beta 1.5 --depth 10 --horizon 50 --out overlap.arrow"
	if line := lines[2].Line; line != want {
		t.Errorf("%s, want %s", line, want)
	}
	lines = s.theoryLines(given{"epsilon": "1.2", "dim": "3"})
	if len(lines) != 1 || lines[0].Pending != "" ||
		!strings.Contains(lines[0].Text, "0.71702255") {
		t.Errorf("%d parts: %s", len(lines), lines[0].Text)
	}
	lines = s.theoryLines(given{"mlp": "tanh:0.5:4", "beta": "1.5"})
	if len(lines) != 1 || !strings.Contains(lines[0].Text, "P(antipodal) = 0.2834918675") ||
		lines[0].Line != "antipode overlap --beta 1.5 --mlp tanh:0.5:4 --out overlap.arrow" {
		t.Errorf("%d parts: %s\n%s", len(lines), lines[0].Line, lines[0].Text)
	}
	if lines := s.theoryLines(given{"dim": "4..7", "beta": "1,2"}); len(lines) != 1 ||
		!strings.HasPrefix(lines[0].Problems["beta"], "these are 8 points") {
		t.Errorf("%d parts: %v", len(lines), lines[0].Problems)
	}
	if lines := s.theoryLines(given{"masses": "0,1"}); len(lines) != 1 ||
		!strings.HasPrefix(lines[0].Problems["masses"], "must be two numbers") {
		t.Errorf("%d parts: %v", len(lines), lines[0].Problems)
	}
}

// While slow theory is computed for a page, another answer to the page waits with all but its first part. If
// the page takes the question back, the answer ends there.
func TestSlowTheoryWaits(t *testing.T) {
	s := serve(t, Options{})
	s.open("page-of-this-test")
	slow := s.pages.find("page-of-this-test").slow
	parts := func(patience time.Duration) int {
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		defer cancel()
		asked := theoryQuestion{"page-of-this-test", given{"dim": "3", "horizon": "1"}}
		body := must.Get(json.Marshal(asked))(t)
		answer := httptest.NewRecorder()
		s.theory(answer, httptest.NewRequestWithContext(ctx, "POST", "/theory", bytes.NewReader(body)))
		return bytes.Count(answer.Body.Bytes(), []byte("\n"))
	}
	slow <- struct{}{}
	if got := parts(5 * betweenParts); got > 1 {
		t.Errorf("%d parts beside other slow theory", got)
	}
	<-slow
	if got := parts(time.Minute); got != 2 || len(slow) > 0 {
		t.Errorf("%d parts, want 2; slow theory goes on: %v", got, len(slow) > 0)
	}
}

// until waits until the newest run has the given state.
func (s *site) until(state string) runState {
	s.Helper()
	return s.untilIt(state, func(last runState) bool { return last.State == state })
}

// untilIt waits until is returns true for the newest run; what says for what it waits.
func (s *site) untilIt(what string, is func(last runState) bool) runState {
	s.Helper()
	for range 2000 {
		if all := s.runs.states(); len(all) > 0 && is(all[len(all)-1]) {
			return all[len(all)-1]
		}
		time.Sleep(5 * time.Millisecond)
	}
	s.Fatalf("never %s: %+v", what, s.runs.states())
	return runState{}
}

// A run reports its progress, has rows and a figure, and in the end a file that holds its table.
func TestRun(t *testing.T) {
	s := serve(t, Options{})
	stream, _ := s.open("page-of-this-test")
	asked := commandline.Setting{Command: "simulate", Given: given{
		"save": "overlaps", "trajectories": "4", "depth": "10", "horizon": "1", "seed": "3",
	}}
	id := askJSON[map[string]int64](s, "POST", "/runs", asked, 201)["id"]
	state := s.until(done)
	if state.ID != id || state.Share != 1 || state.Rows != 8 || state.Left != nil || state.Problem != "" {
		t.Errorf("%+v", state)
	}
	told := false
	for stream.Scan() {
		if told = strings.Contains(stream.Text(), `"state":"done"`); told {
			break
		}
	}
	if !told {
		t.Error("the page is not told of the end")
	}
	e, err := s.configure(asked)
	if err != nil || !e.ok() {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "simulate.arrow")
	writer := must.Get(data.Create(path, run.Schema(e.experiment, 3)))(t)
	err = e.experiment.Run(t.Context(), run.Options{Seed: 3}, writer)
	if err != nil || writer.Close() != nil {
		t.Fatal(err)
	}
	want := must.Get(os.ReadFile(path))(t)
	if status, got := s.ask("GET", fmt.Sprintf("/runs/%d/simulate.arrow", id), nil); status != 200 ||
		!bytes.Equal(got, want) {
		t.Errorf("file of %d bytes, want %d", len(got), len(want))
	}
	figure := askJSON[struct {
		picture
		Rows int
		Text string
	}](s, "GET", fmt.Sprintf("/runs/%d/figure", id), nil, 200)
	if figure.Rows != 8 || !strings.Contains(figure.SVG, "</svg>") || len(figure.Areas) == 0 ||
		figure.Text == "" {
		t.Errorf("figure of %d rows, %d areas, %q %q", figure.Rows, len(figure.Areas),
			figure.None, figure.Text)
	}
	rows := askJSON[rowsAnswer](s, "GET", fmt.Sprintf("/runs/%d/rows?from=3&count=2", id), nil, 200)
	if rows.Total != 8 || len(rows.Rows) != 2 ||
		!strings.HasPrefix(string(rows.Rows[0]), `{"trajectory":1,"time":1,`) {
		t.Errorf("%s", rows.Rows)
	}
	if status, _ := s.ask("GET", fmt.Sprintf("/runs/%d/other.arrow", id), nil); status != 404 {
		t.Errorf("a file of another name: %d", status)
	}
}

// The figure of a run shows the rows so far. It is drawn again when there are more rows, and only then.
func TestFigureOfARunThatGoesOn(t *testing.T) {
	s := serve(t, Options{})
	id := askJSON[map[string]int64](s, "POST", "/runs", commandline.Setting{Command: "simulate", Given: given{
		"save": "overlaps", "trajectories": "6", "depth": "10", "horizon": "2", "seed": "3",
	}}, 201)["id"]
	s.until(done)
	p := s.runs.all[0]
	whole := p.table
	figureOf := func(table *data.Table) string {
		t.Helper()
		p.mutex.Lock()
		p.table = table
		p.mutex.Unlock()
		figure := askJSON[struct {
			picture
			Rows int
		}](s, "GET", fmt.Sprintf("/runs/%d/figure", id), nil, 200)
		if figure.Rows != table.Rows() || !strings.Contains(figure.SVG, "</svg>") {
			t.Errorf("figure of %d rows, want %d", figure.Rows, table.Rows())
		}
		return figure.SVG
	}
	half := figureOf(whole.Slice(0, whole.Rows()/2))
	all := figureOf(whole)
	if half == all {
		t.Error("the figure of half the rows is that of all")
	}
	p.drawing.Lock()
	p.drawn.SVG += "<!-- kept -->"
	p.drawing.Unlock()
	if again := figureOf(whole); again != all+"<!-- kept -->" {
		t.Error("the figure of the same rows is drawn again")
	}
}

// Only one run at a time is allowed. A run can be cancelled. Mistakes are reported before the run begins. A
// run that is too large for the page's memory fails.
func TestRunsThatDoNotEnd(t *testing.T) {
	s := serve(t, Options{})
	long := commandline.Setting{Command: "simulate",
		Given: given{"trajectories": "1e6", "horizon": "1000", "every": "1000"}}
	id := askJSON[map[string]int64](s, "POST", "/runs", long, 201)["id"]
	s.untilIt("said to be long", func(last runState) bool {
		return last.State == running && strings.HasPrefix(last.Notice, "this run may take up to ")
	})
	second := askJSON[map[string]string](s, "POST", "/runs", commandline.Setting{Command: "field"}, 409)
	if !strings.HasPrefix(second["problem"], "a run of simulate") {
		t.Error(second)
	}
	if status, _ := s.ask("GET", fmt.Sprintf("/runs/%d/simulate.arrow", id), nil); status != 404 {
		t.Errorf("the file of half a run: %d", status)
	}
	if status, _ := s.ask("DELETE", fmt.Sprintf("/runs/%d", id), nil); status != 204 {
		t.Errorf("cancel: %d", status)
	}
	s.until(cancelled)
	if status, _ := s.ask("GET", fmt.Sprintf("/runs/%d/simulate.arrow", id), nil); status != 404 {
		t.Errorf("the file of half a run: %d", status)
	}
	form := askJSON[formAnswer](s, "POST", "/runs",
		commandline.Setting{Command: "phase", Given: given{"beta": "-1"}}, 422)
	if fieldOf(form, "beta").Problem == "" {
		t.Error("nothing is said of β")
	}
	large := commandline.Setting{Command: "simulate", Given: given{"trajectories": "1e7"}}
	askJSON[map[string]int64](s, "POST", "/runs", large, 201)
	state := s.until(failed)
	if !strings.Contains(state.Problem, "the page keeps no more than 128 in memory") {
		t.Errorf("%+v", state)
	}
	for range mostRuns { // the oldest are dropped
		askJSON[map[string]int64](s, "POST", "/runs", commandline.Setting{Command: "field"}, 201)
		s.until(done)
	}
	if all := s.runs.states(); len(all) != mostRuns || all[0].Command != "field" {
		t.Errorf("%d runs are kept", len(all))
	}
	askJSON[map[string]int64](s, "POST", "/runs", long, 201) // it ends with the server
}

// A table that was named at the start is shown under its number, with the rows of its file.
func TestFiles(t *testing.T) {
	folder := filepath.Join("..", "..", "..", "experiments", "testdata", "tables", run.Version)
	s := serve(
		t,
		Options{
			Files: []string{
				filepath.Join(folder, "hybrid.arrow"),
				"views_test.go",
				filepath.Join(folder, "simulate.arrow"),
			},
		},
	)
	if names := askJSON[[]string](s, "GET", "/files", nil, 200); fmt.Sprint(
		names,
	) != "[hybrid.arrow views_test.go simulate.arrow]" {
		t.Error(names)
	}
	file := askJSON[fileAnswer](s, "GET", "/files/0", nil, 200)
	if file.Problem != "" || file.Rows == 0 || file.Columns[0].Meaning != "inverse temperature β" ||
		file.Metadata[0][1] != "hybrid" ||
		file.Text == "" {
		t.Errorf("%+v", file)
	}
	table := must.Get(data.ReadFile(s.Files[2]))(t)
	for _, c := range [][3]int{{0, 3, 3}, {table.Rows() - 2, 10, 2}, {table.Rows(), 10, 0}, {1 << 40, 5, 0}} {
		path := fmt.Sprintf("/files/2/rows?from=%d&count=%d", c[0], c[1])
		a := askJSON[rowsAnswer](s, "GET", path, nil, 200)
		if len(a.Rows) != c[2] || a.Total != int64(table.Rows()) {
			t.Errorf("from %d: %d rows of %d", c[0], len(a.Rows), a.Total)
		}
		for k, row := range a.Rows {
			if string(row) != string(table.AppendRowJSON(nil, c[0]+k)) {
				t.Errorf("row %d: %s", c[0]+k, row)
			}
		}
	}
	if figure := askJSON[picture](s, "GET", "/files/0/figure", nil, 200); !strings.Contains(
		figure.SVG,
		"</svg>",
	) {
		t.Error(figure.None)
	}
	if file := askJSON[fileAnswer](s, "GET", "/files/1", nil, 200); file.Problem == "" ||
		len(file.Columns) > 0 {
		t.Errorf("a file that is no table: %+v", file)
	}
	if figure := askJSON[picture](s, "GET", "/files/1/figure", nil, 200); figure.None == "" ||
		figure.SVG != "" {
		t.Error("the figure of a file that is no table")
	}
}

// An ensemble arrives trajectory by trajectory, with the overlaps that its command would save; then the
// theory arrives.
func TestEnsemble(t *testing.T) {
	s := serve(t, Options{})
	s.open("page-of-this-test")
	ask := func(trajectories int64, values given) (all []ensembleAnswer) {
		t.Helper()
		question := ensembleQuestion{"page-of-this-test", values, trajectories}
		status, content := s.ask("POST", "/ensemble", question)
		if status != 200 {
			t.Fatalf("%d: %s", status, content)
		}
		for line := range bytes.Lines(content) {
			var a ensembleAnswer
			must.Do(t, json.Unmarshal(line, &a))
			all = append(all, a)
		}
		return all
	}
	all := ask(60, given{"tokens": "2", "dim": "3", "beta": "1", "depth": "50", "horizon": "20", "seed": "4"})
	want := "antipode simulate --tokens 2 --dim 3 --beta 1 --depth 50 --horizon 20 --trajectories 60 " +
		"--save " +
		"overlaps --every 0.34 --seed 4 --out ensemble.arrow"
	if all[0].Line != want || len(all[0].Times) != 60 {
		t.Errorf("%s, %d times", all[0].Line, len(all[0].Times))
	}
	count, seen, last := int64(0), 0, all[len(all)-1]
	var law [][]float64
	var expected *chances
	for _, a := range all {
		seen += len(a.Overlaps)
		if a.Shares != nil {
			count = a.Shares[0].Count + a.Shares[1].Count + a.Shares[2].Count
		}
		if a.Law != nil {
			law = a.Law
		}
		if a.Expected != nil {
			expected = a.Expected
		}
	}
	if seen != 60 || count != 60 || !last.End || len(law) != 59 || len(law[0]) != lawBins || !expected.Depth {
		t.Errorf("%d trajectories, %d counted, law at %d times, %+v", seen, count, len(law), expected)
	}
	if all := ask(5, given{"tokens": "3", "horizon": "1"}); len(all) != 3 || !all[2].End ||
		all[1].Law != nil {
		t.Errorf("three tokens: %+v", all)
	}
	if all := ask(5, given{"beta": "-1"}); len(all) != 1 || all[0].Problems["beta"] == "" {
		t.Errorf("β = -1: %+v", all)
	}
}

// The index of a trajectory, or of the first of several, selects the trajectory in motion and the first one
// of an ensemble. The command lines have indices in place of the number of trajectories, and are accepted.
func TestTrajectoryByItsIndex(t *testing.T) {
	s := withPage(t)
	const common = "antipode simulate --tokens 3 --dim 2 --depth 9 --horizon 1 "
	for _, test := range []struct{ index, live, ensemble string }{
		{"7", "--trajectory 7 ", "--trajectory 7:10 "}, {"7:8", "--trajectory 7 ", "--trajectory 7:10 "},
		{"all", "--trajectory all --trajectories 1 ", "--trajectory all --trajectories 4 "},
	} {
		values := given{"tokens": "3", "dim": "2", "depth": "9", "horizon": "1", "trajectory": test.index}
		c, of := s.scene(liveQuestion{Given: values, Second: given{"beta": "2"}})
		if want := common + test.live + "--save states --every 0.111111111"; !c.ok() || of == nil ||
			!strings.HasPrefix(c.Line("live.arrow"), want) {
			t.Errorf("%s: %s, %v; want %s", test.index, c.Line("live.arrow"), c.problems, want)
		}
		w := post(s, "/ensemble", string(inJSON(ensembleQuestion{pageName, values, 4})))
		for _, want := range []string{common + test.ensemble + "--save overlaps", `"end":true`} {
			if text := w.Body.String(); !strings.Contains(text, want) {
				t.Errorf("%s: %q is not in %s", test.index, want, text)
			}
		}
		if again := s.with(simulate.New(), c.Given, false); !again.ok() {
			t.Errorf("%s: %v is refused: %v %s", test.index, c.Given, again.problems, again.problem)
		}
	}
}

// liveAnswer asks for four frames with the given values, after change has changed the question.
func (s *site) liveAnswer(values given, change func(*liveQuestion)) (header []float64, frames [][]float64) {
	s.Helper()
	asked := liveQuestion{Page: "page-of-this-test", Given: values, Frames: 4}
	change(&asked)
	return s.frames(asked)
}

// Two trajectories stand side by side in each frame. They have the same noise: with equal settings they are
// equal bit for bit, with another β they have only the start in common. The first does not depend on the
// second.
func TestTwoTrajectories(t *testing.T) {
	s := serve(t, Options{})
	s.open("page-of-this-test")
	values := given{"tokens": "4", "dim": "3", "beta": "2", "depth": "5", "horizon": "2"}
	second := func(change given) [][]float64 {
		header, frames := s.liveAnswer(values, func(q *liveQuestion) { q.Second, q.Attention = change, true })
		if fmt.Sprint(header) != "[4 3 10 4 0 2 16]" || len(frames) != 8 {
			t.Fatalf("%v, %d frames", header, len(frames))
		}
		return frames
	}
	same, other := second(given{}), second(given{"beta": "0.5"})
	limit := second(given{"model": "transformer-sde"})
	for k := 0; k < 8; k += 2 {
		for _, frames := range [][][]float64{same, other, limit} {
			if frames[k][0] != float64(k/2) || !slices.Equal(frames[k], same[k]) {
				t.Errorf("layer %d: the first depends on the second", k/2)
			}
		}
		if !slices.Equal(same[k], same[k+1]) {
			t.Errorf("layer %d of the same setting differs", k/2)
		}
		if alike := slices.Equal(other[k][8:20], other[k+1][8:20]); alike != (k == 0) {
			t.Errorf("layer %d of another β: the same is %t", k/2, alike)
		}
	}
	for name, change := range map[string]given{"beta": {"beta": "-1"}, "model": {"model": "none"}} {
		a := askJSON[liveProblem](s, "POST", "/live",
			liveQuestion{Page: "page-of-this-test", Given: values, Second: change}, 422)
		if len(a.Problems) != 1 || a.Problems[name] == "" {
			t.Errorf("%v: %+v", change, a)
		}
	}
	a := askJSON[liveProblem](s, "POST", "/live",
		liveQuestion{Page: "page-of-this-test", Given: values, Second: given{"model": "hybrid"}}, 422)
	if !strings.Contains(a.Problem, "must take the same noise") {
		t.Errorf("%+v", a)
	}
}

// A trajectory from tokens that were moved on the page is, bit for bit, that of the command with the file of
// their positions.
func TestMovedTokens(t *testing.T) {
	t.Chdir(t.TempDir())
	s := serve(t, Options{})
	s.open("page-of-this-test")
	values := given{"tokens": "2", "dim": "2", "beta": "2", "depth": "5", "horizon": "1", "seed": "3"}
	start := []float64{1, 0, 0.6, 0.8}
	_, frames := s.liveAnswer(values, func(q *liveQuestion) { q.Start, q.Frames = start, 9 })
	asked := liveQuestion{Page: "page-of-this-test", Given: values, Start: start}
	status, file := s.ask("POST", "/start", asked)
	if err := os.WriteFile(startFile, file, 0o666); status != 200 || err != nil {
		t.Fatal(status, err)
	}
	local := New(Options{Files: []string{startFile}})
	given := maps.Clone(values)
	given["start"] = startFile
	c, watched := local.watched(given)
	if !c.ok() {
		t.Fatal(c.problems, c.problem)
	}
	layer := 0
	look := simulate.Look{Seed: 3, Wanted: func(int64) bool { return true }}
	err := watched.Watch(t.Context(), look, func(f *simulate.Frame) error {
		if !slices.Equal(f.Tokens, frames[layer][6:]) || layer == 0 && !slices.Equal(f.Tokens, start) {
			t.Errorf("layer %d: %v, from the page %v", layer, f.Tokens, frames[layer])
		}
		layer++
		return nil
	})
	if err != nil || layer != 6 || len(frames) != 6 {
		t.Errorf("%d layers, %d frames, %v", layer, len(frames), err)
	}
	second := map[string]string{"beta": "1"}
	_, frames = s.liveAnswer(values, func(q *liveQuestion) { q.Start, q.Second = start, second })
	for _, f := range frames[:2] {
		if f[0] != 0 || !slices.Equal(f[6:], start) {
			t.Errorf("two panels begin with %v", f)
		}
	}
	for _, wrong := range [][]float64{{1, 0, 2, 0}, {1, 0}, {}} {
		for _, path := range []string{"/live", "/start"} {
			asked.Start = wrong
			a := askJSON[liveProblem](s, "POST", path, asked, 422)
			if a.Problems["start"] == "" {
				t.Errorf("%s from %v: %+v", path, wrong, a)
			}
		}
	}
}

// A visitor's requests are bounded: the numbers in one layer, the tokens of an ensemble, and those of
// attention.
func TestManyTokensAreBounded(t *testing.T) {
	s := serve(t, Options{})
	s.open("page-of-this-test")
	values := given{"tokens": "5000", "dim": "3"}
	header, frames := s.liveAnswer(values, func(q *liveQuestion) { q.Frames = 1000 })
	if fmt.Sprint(header) != "[5000 3 2000 52 0 1 0]" || len(frames) != 52 {
		t.Errorf("%v, %d frames", header, len(frames))
	}
	a := askJSON[liveProblem](s, "POST", "/live",
		liveQuestion{Page: "page-of-this-test", Given: given{"tokens": "5000", "dim": "41"}}, 422)
	if a.Problems["dim"] != "with the tokens these are 205000 numbers; must be at most 200000 on this page" {
		t.Errorf("%+v", a)
	}
	a = askJSON[liveProblem](s, "POST", "/live",
		liveQuestion{Page: "page-of-this-test", Given: given{"tokens": "201"}, Attention: true}, 422)
	if a.Problem != "Attention is shown of at most 200 tokens." {
		t.Errorf("%+v", a)
	}
	_, content := s.ask("POST", "/ensemble",
		ensembleQuestion{Page: "page-of-this-test", Given: given{"tokens": "201"}, Trajectories: 2})
	if !strings.Contains(string(content), "Many trajectories are shown of at most 200 tokens.") {
		t.Errorf("%s", content)
	}
}

// An answer contains only the frames that are computed within a short time, so that the first are seen soon;
// the page asks again for those that follow.
func TestFramesComeSoon(t *testing.T) {
	if usual := newPages().patience; usual < 50*time.Millisecond || usual > 500*time.Millisecond {
		t.Errorf("an answer waits for %v", usual)
	}
	s := serve(t, Options{})
	s.pages.patience = -1
	s.open("page-of-this-test")
	for from := range 3 {
		header, frames := s.liveAnswer(given{"tokens": "5"}, func(q *liveQuestion) { q.From = int64(from) })
		if header[3] != 1 || len(frames) != 1 || frames[0][0] != float64(from) {
			t.Errorf("from %d: %v, %v", from, header, frames)
		}
	}
}
