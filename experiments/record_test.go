package experiments

import (
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"antipode/experiments/experimenttest"
	"antipode/experiments/figure"
	"antipode/experiments/figure/figuretest"
	"antipode/experiments/run"
	"antipode/sphere/must"
)

// texts is a folder for the texts of recorded runs. If a run gives something else than in another commit, the
// texts of both commits can be compared.
var texts = flag.String("texts", "", "folder to which the texts of all recorded runs are written")

// output is what a run gives: the report as text and as JSON, the rows of the table and a description of the
// figure.
type output struct{ report, json, rows, figure string }

// outputOf runs an experiment. The figure and the JSON are left out unless they are requested.
func outputOf(t *testing.T, e run.Experiment, all bool) output {
	t.Helper()
	table := experimenttest.Table(t, e, run.Options{Seed: 1})
	var report strings.Builder
	must.Do(t, e.Describe(&report, table))
	out := output{report: report.String()}
	if s, is := e.(run.Summarizer); is && all {
		var object strings.Builder
		must.Do(t, s.WriteJSON(&object, table))
		out.json = object.String()
	}
	if all {
		switch drawn, err := e.Draw(table); {
		case err == nil:
			const most = 1000 // values of a list; maps have many more
			out.figure = figuretest.Described(drawn, most, most)
		case errors.Is(err, figure.ErrNone):
			out.figure = err.Error()
		default:
			t.Errorf("%s %s: %v", e.Name(), run.ParametersJSON(e), err)
		}
	}
	table.Schema.Metadata = nil
	out.rows = experimenttest.Text(table)
	return out
}

// record compares what runs of an experiment give with a file that has a line for each run, or writes this
// file.
type record struct {
	path string
	want map[string]string // lines by the names of runs; those that were compared are removed
	got  []string
}

func newRecord(t *testing.T, folder, experiment string) *record {
	t.Helper()
	r := &record{filepath.Join("testdata", folder, experiment+".txt"), map[string]string{}, nil}
	if *update {
		return r
	}
	for line := range strings.Lines(string(must.Get(os.ReadFile(r.path))(t))) {
		run, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		r.want[run] = rest
	}
	return r
}

// check compares what a run gives with the record, unless that is nil.
func (r *record) check(t *testing.T, name string, e run.Experiment, out output) {
	t.Helper()
	if r == nil {
		return
	}
	parts := []struct{ name, text string }{
		{"parameters", run.ParametersJSON(e)}, {"report", out.report}, {"JSON", out.json},
		{"rows", out.rows}, {"figure", out.figure},
	}
	line := name
	want := strings.Split(r.want[name], "\t")
	for k, part := range parts {
		got := summaryOf(part.text)
		line += "\t" + got.String()
		if !*update && (k >= len(want) || !got.near(want[k])) {
			t.Errorf("%s: the %s is other than in %s:\n%s", name, part.name, r.path,
				shortened(part.text))
		}
		if *texts != "" {
			file := strings.ReplaceAll(fmt.Sprintf("%s %s %s.txt", e.Name(), name, part.name), "/", "-")
			must.Do(t, os.WriteFile(filepath.Join(*texts, file), []byte(part.text), 0o666))
		}
	}
	r.got = append(r.got, line)
	delete(r.want, name)
}

// finish checks that all recorded runs were compared, or writes the file.
func (r *record) finish(t *testing.T) {
	t.Helper()
	for name := range r.want {
		t.Errorf("%s is in %s, and was not run", name, r.path)
	}
	if *update {
		must.Do(t, os.MkdirAll(filepath.Dir(r.path), 0o777))
		must.Do(t, os.WriteFile(r.path, []byte(strings.Join(r.got, "\n")+"\n"), 0o666))
	}
}

// summary stands for a text with numbers. Last digits of numbers differ between machines. A hash of rounded
// numbers would differ, too, if a number were on the edge between two roundings. Therefore numbers are
// summed.
type summary struct {
	words uint32  // a hash of the text without its numbers
	sum   float64 // of a function of the numbers, with random weights that depend on their places
}

// smallest is the size below which the absolute difference of numbers counts, and not the relative one.
const smallest = 1e-3

// tolerance is larger than all differences between machines. A relative change of a single number by twice
// the tolerance is noticed.
const tolerance = 1e-7

func summaryOf(text string) summary {
	hash, random := fnv.New32a(), rand.New(rand.NewPCG(1, 2))
	s := summary{}
	var words []byte
	for len(text) > 0 {
		length := numberLength(text)
		x, is := 0., length > 0
		if is {
			var err error
			x, err = strconv.ParseFloat(text[:length], 64)
			is = err == nil
		}
		if !is { // not a number, or beyond float64
			length = max(length, 1)
			if text[0] == '#' { // a colour, whose digits are none of a number
				length = min(9, len(text))
			}
			words = append(words, text[:length]...)
		} else {
			weight := 0.5 + 0.5*random.Float64()
			if random.IntN(2) == 0 {
				weight = -weight
			}
			s.sum += weight * math.Asinh(x/smallest)
			words = append(words, '0')
		}
		text = text[length:]
	}
	hash.Write(words)
	s.words = hash.Sum32()
	return s
}

// numberLength returns the length of the number with which a text begins, 0 if it begins with none.
func numberLength(text string) int {
	digits := func(from int) int {
		for from < len(text) && '0' <= text[from] && text[from] <= '9' {
			from++
		}
		return from
	}
	is := func(at int, characters string) bool {
		return at < len(text) && strings.IndexByte(characters, text[at]) >= 0
	}
	start := 0
	if is(0, "-") {
		start = 1
	}
	end := digits(start)
	if end == start {
		return 0
	}
	if is(end, ".") && digits(end+1) > end+1 {
		end = digits(end + 1)
	}
	if is(end, "e") {
		from := end + 1
		if is(from, "+-") {
			from++
		}
		if digits(from) > from {
			end = digits(from)
		}
	}
	return end
}

// String returns the summary as it is in files.
func (s summary) String() string { return fmt.Sprintf("%08x %.9f", s.words, s.sum) }

// near reports whether a summary is nearly that in a file.
func (s summary) near(text string) bool {
	words, number, _ := strings.Cut(text, " ")
	sum, err := strconv.ParseFloat(number, 64)
	return words == fmt.Sprintf("%08x", s.words) && err == nil && math.Abs(s.sum-sum) <= tolerance
}

// shortened returns the beginning of a text.
func shortened(text string) string {
	const most = 2000
	if len(text) > most {
		return text[:most] + " …"
	}
	return text
}

// A summary is nearly that of a text whose numbers differ in their last digits or in the sign of zero. It is
// another one if a number differs in the eighth digit, if two numbers are exchanged, or if a word differs.
func TestSummary(t *testing.T) {
	const text = "antipodal 0.12345678901 of 1000, NaN, #5e4093ff, error -1e-17 and 0"
	want := summaryOf(text).String()
	for change, near := range map[string]bool{
		"12345678901 12345678902": true, "-1e-17 2e-16": true, "0\n -0\n": true,
		"12345678901 12345686901": false, "1000 1001": false, "NaN 0": false, "4093 4094": false,
		"antipodal single": false, "-1e-17 1e-9": false,
	} {
		from, to, _ := strings.Cut(change, " ")
		if changed := strings.Replace(text+"\n", from, to, 1); summaryOf(changed).near(
			summaryOf(text+"\n").String()) != near {
			t.Errorf("%q: near is %v", changed, !near)
		}
	}
	if exchanged := "antipodal 1000 of 0.12345678901, NaN, #5e4093ff, error -1e-17 and 0"; summaryOf(
		exchanged).near(want) {
		t.Error("exchanged numbers are not noticed")
	}
}
