package questions

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"math"
	"strings"
	"testing"
	"testing/iotest"

	"antipode/sphere/must"
)

// answers returns the answers to the given lines.
func answers(t *testing.T, lines string) string {
	t.Helper()
	var w bytes.Buffer
	must.Do(t, Answer(t.Context(), 2, strings.NewReader(lines), &w))
	return w.String()
}

// The values are literals that the tests of the package overlap have too: the probability at d = 4 and β = 1,
// the threshold arccosh(d-2)/2, and the kinds of ends for clusters of equal and of unequal masses.
func TestAnswers(t *testing.T) {
	for question, want := range map[string]string{
		`{"id":1,"columns":["p_antipodal"],"parameters":{"dim":4,"beta":[0.5,1]}}`: `{"id":1,` +
			`"columns":{"p_antipodal":[0,0.11987699633762984]}}`,
		`{"id":-2,"columns":["minus_one","beta_c"],"parameters":{"dim":[2,4],"beta":"1"}}`: `{"id":-2,` +
			`"columns":` +
			`{"minus_one":["attracting","attracting"],"beta_c":[null,0.6584789484624083]}}`,
		`{"columns":["minus_one"],"parameters":{"dim":4.0,"masses":["1,2"],"attention":` +
			`"unnormalized"}}`: `{"id":0,"columns":{"minus_one":["entrance"]}}`,
		`{"id":3,"columns":["z0","beta"],"parameters":{"z0":[],"beta":2}}`: `{"id":3,` +
			`"columns":{"z0":[],"beta":[]}}`,
		`{"id":5,"columns":["epsilon","beta"],"parameters":{"epsilon":[0.5,1]}}`: `{"id":5,` +
			`"columns":{"epsilon":[0.5,1],"beta":[1,1]}}`,
		`{"id":6,"columns":["epsilon"],"parameters":{}}`: `{"id":6,"columns":{"epsilon":[null]}}`,
		`{"id":4,"columns":["plus_one","overlap_limit"],"parameters":{"drift":[0,1]}}`: `{"id":4,"columns":` +
			`{"plus_one":["attracting","attracting"],"overlap_limit":[null,null]}}`,
	} {
		if got := answers(t, question+"\n"); got != want+"\n" {
			t.Errorf("%s\nis answered by\n%swant\n%s", question, got, want)
		}
	}
}

// With an MLP, the probability agrees with that of an independent program to ten digits; where neither end
// attracts, the answer is the mean and the relaxation time of the stationary law, which their packages test
// against other methods. The third point has attention alone.
func TestAnswersWithMLP(t *testing.T) {
	line := `{"columns":["p_antipodal","overlap_limit","relaxation_time"],"parameters":{"dim":[4,12,4],` +
		`"beta":[1.5,0.5,1],"mlp":["tanh:0.5:4","tanh:5:36","none"]}}`
	var answer struct {
		Columns map[string][3]*float64
	}
	must.Do(t, json.Unmarshal([]byte(answers(t, line)), &answer))
	for name, want := range map[string][3]float64{
		"p_antipodal":     {0.2834918675, 0, 0.11987699633},
		"overlap_limit":   {math.NaN(), 0.26873201, math.NaN()},
		"relaxation_time": {math.NaN(), 0.07822301521, math.NaN()},
	} {
		for k, x := range answer.Columns[name] {
			switch {
			case (x == nil) != math.IsNaN(want[k]):
				t.Errorf("%s of point %d is there: %v", name, k, x != nil)
			case x != nil && math.Abs(*x-want[k]) > 1e-8:
				t.Errorf("%s of point %d is %v, want %v", name, k, *x, want[k])
			}
		}
	}
}

// Each mistake is answered by one error that names it, and the next question is answered as usual.
func TestMistakes(t *testing.T) {
	const next = `{"id":9,"columns":["dim"],"parameters":{}}`
	of := func(parameters string) string {
		return `{"id":1,"columns":["p_single"],"parameters":` + parameters + `}`
	}
	for line, want := range map[string]string{
		``:                                    "no whole JSON",
		`{"id":1,`:                            "no whole JSON",
		`hello`:                               "invalid character 'h'",
		`[1]`:                                 "is a JSON array; a line must be an object",
		`{"id":"a"}`:                          `"id" is a JSON string`,
		`{"id":1,"column":[]}`:                `unknown field "column"`,
		next + next:                           "more in the line than one JSON object",
		`{"id":1}`:                            "no columns are asked for; must be some of dim, beta",
		`{"id":1,"columns":["p_antipodl"]}`:   "did you mean p_antipodal",
		`{"id":1,"columns":["dim","dim"]}`:    "asked for twice",
		of(`{"dom":4}`):                       `no parameter \"dom\"`,
		of(`{"dim":{}}`):                      "is no value",
		of(`{"dim":null}`):                    "is no value",
		of(`{"dim":[[4]]}`):                   "is no value",
		of(`{"dim":1}`):                       "dim 1: 1 is out of bounds",
		of(`{"beta":[1,2,"nan"]}`):            "beta nan",
		of(`{"beta":"0:1:0.5"}`):              "3 points in one value",
		of(`{"dim":"2,3","epsilon":"0.5,1"}`): "4 points in one value",
		of(`{"beta":[1,2],"z0":[0,0.1,0.2]}`): `that of \"beta\" is 2 and that of \"z0\" 3`,
		of(`{"tolerance":0.1}`):               "there is no horizon",
		of(`{"masses":"1,2","epsilon":1}`):    "must be equal in the hybrid model",
		of(`{"boundary":true}`):               "is no point",
		of(`{"derivatives":true}`):            "derivatives: adds columns",
		of(`{"certify":[false,true]}`):        "certify: adds columns",
		of(`{"tokens":[2,3],"horizon":1}`):    "tokens 3: adds columns",
		"\xff\x00":                            "invalid character",
	} {
		got := strings.Split(answers(t, line+"\n"+next), "\n")
		if len(got) != 3 || !strings.Contains(got[0], `"error":`) ||
			got[1] != `{"id":9,"columns":{"dim":[4]}}` {
			t.Errorf("%q is answered by %q", line, got)
		}
		if !strings.Contains(strings.ReplaceAll(got[0], `\"`, `"`), strings.ReplaceAll(want, `\"`, `"`)) {
			t.Errorf("%q is answered by %s, want %q", line, got[0], want)
		}
	}
}

// An answer has the id of its question even if the id follows the mistake.
func TestIDAfterTheMistake(t *testing.T) {
	for _, mistake := range []string{`"parameters":{"dim":null},"columns":["dim"]`,
		`"parameters":{"beta":1,"dim":[4,[4]]},"columns":["dim"]`, `"columns":5`, `"column":[]`} {
		if got := answers(t, "{"+mistake+`,"id":3}`); !strings.HasPrefix(got, `{"id":3,"error":`) {
			t.Errorf("%s: %s", mistake, got)
		}
	}
}

// A line that is too long is one mistake, wherever it ends, and is not read into memory.
func TestLongLine(t *testing.T) {
	long := io.LimitReader(zeros{}, 3*longestLine)
	var w bytes.Buffer
	err := Answer(t.Context(), 1, io.MultiReader(long, strings.NewReader("\n{}\n"),
		io.LimitReader(zeros{}, longestLine+1)), &w)
	lines := strings.Split(w.String(), "\n")
	if err != nil || len(lines) != 4 || !strings.Contains(lines[0], "longer than") ||
		!strings.Contains(lines[1], "no columns") || !strings.Contains(lines[2], "longer than") {
		t.Errorf("%v, %q", err, lines)
	}
	points := `{"id":1,"columns":["dim"],"parameters":{"beta":[` + strings.Repeat("1,", mostPoints) + "1]}}\n"
	if got := answers(t, points); !strings.Contains(got, "1000001 points; must be at most 1000000") {
		t.Error(got)
	}
	most := question{Parameters: map[string]texts{"beta": {list: true, all: make([]string, mostPoints)}}}
	if count, err := most.points(); count != mostPoints || err != nil {
		t.Errorf("the largest question has %d points, %v", count, err)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	for k := range p {
		p[k] = '0'
	}
	return len(p), nil
}

// Answer ends with an error when reading or writing fails, or when its context has ended.
func TestEnds(t *testing.T) {
	const line = `{"id":1,"columns":["p_single"],"parameters":{}}` + "\n"
	broken := errors.New("broken")
	if err := Answer(t.Context(), 1, iotest.ErrReader(broken), io.Discard); !errors.Is(err, broken) {
		t.Errorf("a failing read: %v", err)
	}
	r, w := io.Pipe()
	r.CloseWithError(broken)
	if err := Answer(t.Context(), 1, strings.NewReader(line), w); !errors.Is(err, broken) {
		t.Errorf("a failing write: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var written bytes.Buffer
	if err := Answer(ctx, 1, strings.NewReader(line), &written); !errors.Is(err, context.Canceled) ||
		written.Len() > 0 {
		t.Errorf("the context has ended: %v, %q", err, &written)
	}
	if rows, err := rowsOf(ctx, nil); !errors.Is(err, context.Canceled) || rows != nil {
		t.Errorf("a point whose context has ended: %v, %v", rows, err)
	}
}

// Whatever the input, each line gets one answer, a JSON object with either columns or an error.
func FuzzAnswer(f *testing.F) {
	f.Add([]byte(`{"id":1,"columns":["p_antipodal","lyapunov"],` +
		`"parameters":{"dim":4,"beta":[0.5,1],"z0":-0.2}}`))
	f.Add([]byte(`{"id":1,"columns":["lifetime"],"parameters":{"masses":"1,3","covariance":"symmetric"}}`))
	f.Add([]byte(`{"columns":["p_single_depth"],"parameters":{"epsilon":"1","depth":2,"horizon":1,` +
		`"law":"uniform"}}`))
	f.Add([]byte("{\"parameters\":{\"interaction\":[\"resampled:1\",true,1e400]}}\n\n[]\r\n"))
	f.Fuzz(func(t *testing.T, lines []byte) {
		if bytes.Contains(lines, []byte("depth")) || bytes.Contains(lines, []byte("horizon")) ||
			bytes.Contains(lines, []byte("1e")) {
			t.Skip("takes long, and is tried by the tests of the laws")
		}
		var w bytes.Buffer
		must.Do(t, Answer(t.Context(), 1, bytes.NewReader(lines), &w))
		want := bytes.Count(lines, []byte("\n"))
		if len(lines) > 0 && lines[len(lines)-1] != '\n' {
			want++
		}
		got := bytes.Split(bytes.TrimSuffix(w.Bytes(), []byte("\n")), []byte("\n"))
		if want != bytes.Count(w.Bytes(), []byte("\n")) {
			t.Fatalf("%d answers to %d lines", len(got), want)
		}
		for _, line := range got[:want] {
			var answer struct {
				ID      *int64
				Columns map[string][]any
				Error   string
			}
			if err := json.Unmarshal(line, &answer); err != nil || answer.ID == nil ||
				(answer.Columns == nil) == (answer.Error == "") {
				t.Errorf("%s: %v", line, err)
			}
		}
	})
}
