package setting

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"antipode/experiments/internal/namedfile"
	"antipode/experiments/parameter"
	"antipode/sde"
	"antipode/sphere/must"
)

func writeText(t *testing.T, text string) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "B.txt")
	must.Do(t, os.WriteFile(path, []byte(text), 0o666))
	return path
}

func TestReadMatrix(t *testing.T) {
	for text, want := range map[string][]float64{
		"1 2\n3 4\n":             {1, 2, 3, 4},
		"1,2\n3,4":               {1, 2, 3, 4},
		" 1 ,\t2 \r\n\n-3,4e-1 ": {1, 2, -3, 0.4},
		"7":                      {7},
	} {
		m, _, err := readMatrix(writeText(t, text))
		if err != nil || !slices.Equal(m.entries, want) || m.rows*m.rows != len(want) {
			t.Errorf("%q: %v, error %v", text, m, err)
		}
	}
}

func TestReadMatrixRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"":                                  "no numbers",
		"\n \n":                             "no numbers",
		"1 2\n":                             "not square",
		"1 2\n3 4\n5 6\n":                   "not square",
		"1 2\n\n3\n":                        "line 3 has 1 numbers",
		"1 2\n3 x\n":                        `line 2: "x" is not a number`,
		"1 2\n3 nan\n":                      `line 2: "nan" is not a number`,
		"1 2\n3 inf\n":                      `line 2: "inf" is not a number`,
		"1 2\n3 1e101\n":                    `line 2: "1e101" is not a number`,
		strings.Repeat("1 ", 10_001):        "more than 10000 rows",
		strings.Repeat("1", 2<<20):          "not a matrix",
		"1 2\n3 " + strings.Repeat("x", 99): `"xxxxxxxxxx" is not`,
	} {
		_, _, err := readMatrix(writeText(t, text))
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%.40q: error %v, want %q", text, err, want)
		}
	}
	if _, _, err := readMatrix(t.TempDir()); err == nil ||
		!strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("a folder: %v", err)
	}
}

// The text of an interaction from a file has a checksum of the numbers. The file is read once; later changes
// of it do not matter. If the text in metadata is read after the numbers in the file have changed, it is an
// error.
func TestMatrixOfAFile(t *testing.T) {
	path := writeText(t, "1 2\n3 4\n")
	b := must.Get(ParseInteraction(path))(t)
	if file, sum := namedfile.Split(b.String()); file != path || len(sum) != 64 {
		t.Errorf("text %q", b)
	}
	text := must.Get(b.MarshalText())(t)
	for _, change := range []string{"1 2\n3 5\n", "1 2 3\n4 5 6\n7 8 9\n"} {
		must.Do(t, os.WriteFile(path, []byte(change), 0o666))
		if got, err := b.Matrix(2); err != nil || !slices.Equal(got, []float64{1, 2, 3, 4}) {
			t.Errorf("after a change: %v, error %v", got, err)
		}
		var again Interaction
		if err := again.UnmarshalText(text); err != nil || again.String() != b.String() {
			t.Errorf("%s reads back as %v, error %v", text, again, err)
		}
		cells := []sde.Cell{{Model: sde.Transformer{}, Dim: 2, Tokens: 2}}
		if err := again.Check(cells); err != nil {
			t.Errorf("before the file is read: %v", err)
		}
		var problem *parameter.Error
		for _, err := range []error{again.Of(cells), again.Check(cells)} {
			if !errors.As(err, &problem) || problem.Parameter != "interaction" || problem.Value != path ||
				!strings.Contains(problem.Problem, "have changed") {
				t.Errorf("error %v", err)
			}
		}
	}
	if _, err := b.Matrix(3); err == nil || !strings.Contains(err.Error(), "has 2 rows; must have 3") {
		t.Errorf("a matrix of another dimension: %v", err)
	}
	if got := b.String(); InteractionParameter(&b).Set("missing") == nil || b.String() != got {
		t.Errorf("a wrong value changes the parameter to %q", b)
	}
}
