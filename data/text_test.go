package data

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestWriteText(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.arrow")
	mustWrite(t, path, special())
	const want = `4 columns, 4 rows

column  type                      unit  meaning
n,m     int64                     1     a count
x       float64 or null
l       label: a, say "b", <c>\n
v       vector of 2                     state

antipode.command     phase
antipode.parameters  {"a":1}

                n,m     x  l        v
                  1  null  a        [0 1e+300]
                 -2   inf  say "b"  [inf -1]
9223372036854775807  -inf  <c>\n    [0.1 0.2]
`
	if got := form(t, "text", path, 3); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := form(t, "text", path, 0); got != want[:strings.Index(want, "\n      ")] {
		t.Errorf("no rows:\n%s", got)
	}
	if got := form(t, "text", path, -1); !strings.HasPrefix(got, want) ||
		strings.Count(got, "\n") != strings.Count(want, "\n")+1 {
		t.Errorf("all rows:\n%s", got)
	}
}

func TestTextOfNoRows(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.arrow")
	mustWrite(t, path, &Table{Schema{Columns: []Column{{Name: "x", Kind: Int32}}}, []Values{Slice[int32]{}}})
	if got := form(t, "text", path, -1); got != "1 column, 0 rows\n"+
		"by another program, or rewritten by one that leaves out the metadata of a run, as Polars does\n"+
		"\ncolumn  type   unit  meaning\nx       int32\n" {
		t.Errorf("%q", got)
	}
}

func TestTextIsSafeOnATerminal(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.arrow")
	evil := "\x1b]0;title\x07\u009b31m\u202e\r\n\x00\x7f"
	mustWrite(t, path, &Table{
		Schema{
			Columns:  []Column{{Name: evil, Unit: evil, Meaning: evil, Kind: Label, Labels: []string{evil}}},
			Metadata: []Entry{{evil, evil}},
		},
		[]Values{Slice[int8]{0}},
	})
	for _, r := range form(t, "text", path, -1) {
		if r != '\n' && Printable(string(r)) != string(r) {
			t.Errorf("%U reaches the terminal", r)
		}
	}
	for _, r := range form(t, "text", "testdata/pyarrow-zstd.arrow", -1) {
		if r == '\x1b' {
			t.Error("ESC reaches the terminal")
		}
	}
}

func TestLongValuesAreCut(t *testing.T) {
	for text, want := range map[string]string{
		strings.Repeat("é", 40): strings.Repeat("é", 40),
		strings.Repeat("é", 41): strings.Repeat("é", 39) + "…",
	} {
		if got := cut(text, maxCell); got != want {
			t.Errorf("%s is cut to %s", text, got)
		}
	}
	if got := cut(roundedVector(make([]float64, 1000)), maxCell); got != "["+strings.Repeat("0 ", 19)+"…" {
		t.Errorf("a long vector is %s", got)
	}
}

// Pages are aligned by themselves, but never narrower than the one before.
func TestPages(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.arrow")
	numbers := make([]int32, 3*pageRows)
	numbers[pageRows] = 1_000_000
	mustWrite(t, path, &Table{Schema{Columns: []Column{{Name: "n", Kind: Int32}}},
		[]Values{Slice[int32](numbers)}})
	lines := strings.Split(form(t, "text", path, -1), "\n")[6:]
	for i, want := range map[int]int{0: 1, pageRows - 1: 1, pageRows + 1: 7, 2*pageRows + 5: 7} {
		if got := len(lines[i]); got != want {
			t.Errorf("line %d is %q, %d characters instead of %d", i, lines[i], got, want)
		}
	}
	if len(lines) != 3*pageRows+2 {
		t.Errorf("%d lines", len(lines))
	}
}
