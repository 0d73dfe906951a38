package measure

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"antipode/data"
	"antipode/experiments/measure/inference"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/overlap/propagation"
	"antipode/sphere/must"
)

// A name of a file is refused for its ending, whether there is such a file or not; a file with the right
// ending is refused if it is missing, is not regular, cannot be opened, or has another checksum. A refused
// name changes nothing.
func TestNamesOfFilesThatAreRefused(t *testing.T) {
	good := statesFile(t, 1, 1, 2, 2)
	folder := t.TempDir()
	put := func(name string) string {
		path := filepath.Join(folder, name)
		must.Do(t, os.WriteFile(path, []byte("a text"), 0o666))
		return path
	}
	text, broken := put("states.txt"), put("broken.npy")
	must.Do(t, os.Mkdir(filepath.Join(folder, "folder.npy"), 0o777))
	sum := must.Get(checksum(good, ""))(t)
	for _, test := range []struct{ text, want string }{
		{good, ""}, {good + "#sha256:" + sum, ""}, {"none", ""},
		{"", "must be none or a file name"}, {text, "must be none or a file name"},
		{filepath.Join(folder, "missing.txt"), "must be none or a file name"},
		{filepath.Join(folder, "missing.npy"), "no such file"},
		{filepath.Join(folder, "folder.npy"), "must be none or a file name"},
		{folder, "must be none or a file name"},
		{broken, "is not a file of NumPy's save"},
		{good + "#sha256:" + strings.Repeat("1", 64), "have changed"},
	} {
		field := "before"
		v := fileValue{field: &field, extensions: []string{".npy"}, absent: none, check: checkStates}
		err := v.Set(test.text)
		switch {
		case test.want != "":
			if err == nil || !strings.Contains(err.Error(), test.want) || field != "before" {
				t.Errorf("%q: error %v, want %q; the field is %q", test.text, err, test.want, field)
			}
		case err != nil:
			t.Errorf("%q: %v", test.text, err)
		case test.text != none && field != good+"#sha256:"+sum, test.text == none && field != none:
			t.Errorf("%q: the field is %q", test.text, field)
		}
	}
	for text, good := range map[string]bool{"": true, none: true, "x.npy#sha256:ab": true, "x.NPY": true,
		"x.txt": false, ".npy#sha256:x.txt": true} {
		for _, absent := range []string{none, ""} {
			v := fileValue{field: &text, extensions: []string{".npy"}, absent: absent}
			if got := v.Check() == nil; got != (good && (absent != "" || text != "" && text != none)) {
				t.Errorf("%q, absent %q: accepted %v", text, absent, got)
			}
		}
	}
}

// Sequences may have up to 1024 tokens. As many of them are read as have 2²⁶ entries of Gram matrices in all
// layers together, but at least one. All tokens are missing here but one, which is not finite and shows
// whether its sequence is read.
func TestSequencesThatAreInferredFrom(t *testing.T) {
	const header, d = 128, 2
	for _, test := range []struct{ layers, tokens, read int }{{21, 1024, 3}, {32, 1024, 2}, {33, 1024, 1},
		{64, 1024, 1}, {65, 1024, 1}} {
		for broken := range 3 {
			path := statesFile(t, test.layers, 3, test.tokens, d)
			content := must.Get(os.ReadFile(path))(t)
			clear(content[header:])
			copy(content[header+2*broken*test.tokens*d:], []byte{0x00, 0x7E}) // NaN as a float16
			must.Do(t, os.WriteFile(path, content, 0o666))
			if err := collected(t, path); (err != nil) != (broken < test.read) {
				t.Errorf("%d layers, sequence %d is broken: %v", test.layers, broken, err)
			}
		}
	}
	if err := collected(t, statesFile(t, 1, 1, 1025, d)); err == nil || !strings.Contains(err.Error(),
		"has sequences of 1025 tokens; must be at most 1024") {
		t.Errorf("1025 tokens: %v", err)
	}
}

// collected collects the steps of the sequences in a file and returns the error.
func collected(t *testing.T, path string) error {
	t.Helper()
	m := New()
	m.File = path
	sources := must.Get(m.open(run.Options{Workers: 1}))(t)
	defer closeAll(sources)
	return m.transitions(t.Context(), &sources[0], &inference.Data{Dim: sources[0].states.Dim})
}

// The rows of an inference are kept as numbers without loss, also if there are as many as there can be.
func TestRowsOfAnInferenceAreKept(t *testing.T) {
	var rows []InferenceRow
	for k := range 6 {
		x := float64(k)
		rows = append(rows, inferenceRow(inferred(inferredNames[2*k]), x, x+0.5, x/8, -x))
	}
	for _, room := range []int{30, 35, 60} {
		numbers := packed(rows, room)
		if got := unpacked(numbers); len(numbers) != room || !slices.Equal(got, rows) {
			t.Errorf("%d numbers: %+v", len(numbers), got)
		}
	}
	if got := unpacked(packed(nil, 10)); len(got) != 0 {
		t.Errorf("no rows: %+v", got)
	}
}

// The theory starts from overlaps from 0 to 1, and fails for others with an error of the block. It begins
// with the measured cosine itself.
func TestStartOfTheory(t *testing.T) {
	m := New()
	for _, block := range append([]string{none}, propagation.KindNames...) {
		m.Block = block
		for _, overlap := range []float64{0, 0.5, 1, math.NaN(), -1e-9} {
			s := statisticsOf(slices.Repeat([]float64{4}, allNumbers))
			s.Overlap = overlap
			var input mean
			input.add(s.slice(allNumbers))
			theory, err := m.startTheory(&input, 3)
			var problem *parameter.Error
			if block != none && overlap < 0 {
				if !errors.As(err, &problem) || problem.Parameter != "block" {
					t.Errorf("%s, overlap %g: %v", block, overlap, err)
				}
				continue
			}
			first, err := must.Get(theory, err)(t).next()
			none := block == none || math.IsNaN(overlap)
			if err != nil || math.IsNaN(first) != none || !none && !(math.Abs(first-overlap) <= 1e-15) {
				t.Errorf("%s, overlap %g: starts at %g, %v", block, overlap, first, err)
			}
		}
	}
}

// Sequences without an overlap, of one token or of none, leave the number of tokens of the theory as it is.
func TestTokensOfTheory(t *testing.T) {
	m := New()
	m.Block = propagation.KindNames[0]
	second := func(lengths ...float64) float64 {
		var input mean
		for _, n := range lengths {
			s := statisticsOf([]float64{n, 4, 16})
			if n > 1 {
				s.Overlap = 0.2
			}
			input.add(s.slice(allNumbers))
		}
		theory := must.Get(m.startTheory(&input, 3))(t)
		must.Get(theory.next())(t)
		return must.Get(theory.next())(t)
	}
	want := second(30)
	for _, others := range [][]float64{{0}, {1}, {1, 0, 30}} {
		if got := second(append(others, 30)...); got != want {
			t.Errorf("with sequences of %v tokens: overlap %g, want %g", others, got, want)
		}
	}
	if got := second(20, 40, 0); got != want || second(20) == want {
		t.Errorf("with sequences of 20 and 40 tokens: overlap %g, want %g", got, want)
	}
}

// An error of the table ends the run, whichever rows are written.
func TestErrorsOfTheTable(t *testing.T) {
	full := errors.New("no space left")
	for _, each := range []bool{false, true} {
		for _, several := range []bool{false, true} {
			m := New()
			must.Do(t, m.statesOrWeights().Set(statesFile(t, 2, 2, 3, 2)))
			m.Each = each
			if several {
				must.Do(t, filesValue{m}.Set(statesFile(t, 2, 2, 3, 2)))
			}
			for after := range 2 {
				writes := 0
				err := m.Run(t.Context(), run.Options{Workers: 1}, data.SinkFunc(func(...data.Values) error {
					if writes++; writes > after {
						return full
					}
					return nil
				}))
				if !errors.Is(err, full) {
					t.Errorf("each %v, several %v, after %d writes: %v", each, several, after, err)
				}
			}
		}
	}
}

// A mask that is not that of the files, or not that of its checksum, is an error of the parameter mask. If
// there are several files, it names the one that the mask does not fit.
func TestMasksThatDoNotFit(t *testing.T) {
	first, second := statesFile(t, 1, 2, 4, 3), statesFile(t, 1, 2, 5, 3)
	const mask = "hidden/testdata/mask.npy" // 2 × 4
	for _, test := range []struct {
		mask, file string
		compare    []string
		want       string
	}{
		{mask, first, nil, ""},
		{mask, second, nil, "must be sequences × tokens, 2 × 5"},
		{mask, first, []string{second}, "2 × 5, as " + second + " has"},
		{mask + "#sha256:" + strings.Repeat("1", 64), first, nil, "have changed"},
		{"hidden/testdata/missing.npy", first, nil, "no such file"},
	} {
		m := New()
		m.Mask, m.File, m.Compare = test.mask, test.file, test.compare
		sources, err := m.open(run.Options{Workers: 1})
		var problem *parameter.Error
		switch {
		case test.want == "":
			if err != nil || len(sources) != 1 || len(sources[0].mask) != 8 {
				t.Errorf("%s: %v", test.mask, err)
			}
			closeAll(sources)
		case !errors.As(err, &problem) || problem.Parameter != "mask" ||
			!strings.Contains(err.Error(), test.want),
			len(test.compare) == 0 && strings.Contains(err.Error(), ", as "):
			t.Errorf("%s of %s: error %v, want %q", test.mask, test.file, err, test.want)
		}
	}
}

// What the report says about the layers follows from the signs of their drifts, and what it says about the
// test from the three probabilities, at the level of 1 %.
func TestWordsOfAnInference(t *testing.T) {
	const alike, apart, both = "all layers make tokens more alike", "all layers make tokens less alike.",
		"some layers make tokens more alike, others less."
	drifts := map[string][][]float64{alike: {{0}, {0, 0.5}, {0.25, 0.5}}, apart: {{-0.5, 0}, {-0.5, -0.25}},
		both: {{-0.5, 0.5}, {0.5, -0.125}}, "": {nil}}
	for want, cases := range drifts {
		for _, values := range cases {
			table := inferenceTable{}
			for _, x := range values {
				table["drift"] = append(table["drift"], InferenceRow{Value: x})
			}
			var b strings.Builder
			table.inWords(&b)
			for _, text := range []string{alike, apart, both} {
				if strings.Contains(b.String(), text) != (text == want) {
					t.Errorf("drifts %v: %s", values, &b)
				}
			}
			if len(values) == 2 && !strings.Contains(b.String(), "A layer changes the cosine of two ") {
				t.Errorf("drifts %v: %s", values, &b)
			}
		}
	}
	const memory, length, overlap = "Successive layers act alike", "The steps do not have one size",
		"attention of this form cannot produce"
	for _, test := range []struct {
		overlap, length, memory float64
		want                    []string
	}{
		{0.5, 0.25, 0.75, []string{"At the level of 1 % the states may come from random"}},
		{0.5, 0.25, 0.001, []string{"At the level of 1 % the states do not come", memory}},
		{0.5, 0.001, 0.5, []string{"At the level of 1 % the states do not come", length}},
		{0.001, 0.5, 0.5, []string{"At the level of 1 % the states do not come", overlap}},
		{0.0033, 0.0033, 0.0033, []string{"the states do not come", memory, length, overlap}},
		{0.0034, 0.001, 0.0034, []string{"the states do not come", length}},
	} {
		table := inferenceTable{"p_overlap": {{Value: test.overlap}}, "p_length": {{Value: test.length}},
			"p_memory": {{Value: test.memory}}}
		var b strings.Builder
		table.inWords(&b)
		for _, text := range []string{"the states may come", "the states do not come", memory, length,
			overlap} {
			wanted := strings.Contains(strings.Join(test.want, "\n"), text)
			if strings.Contains(b.String(), text) != wanted {
				t.Errorf("%+v: %s", test, &b)
			}
		}
		if !strings.Contains(b.String(), test.want[0]) {
			t.Errorf("%+v: %s", test, &b)
		}
	}
}
