package simulate

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"antipode/experiments/internal/interaction"
	"antipode/experiments/internal/namedfile"
	"antipode/experiments/parameter"
)

func writeText(t *testing.T, text string) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "B.txt")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestReadMatrix(t *testing.T) {
	for text, want := range map[string][]float64{
		"1 2\n3 4\n":             {1, 2, 3, 4},
		"1,2\n3,4":               {1, 2, 3, 4},
		" 1 ,\t2 \r\n\n-3,4e-1 ": {1, 2, -3, 0.4},
		"7":                      {7},
	} {
		matrix, rows, err := interaction.ReadMatrix(writeText(t, text), "")
		if err != nil || !slices.Equal(matrix, want) || rows*rows != len(want) {
			t.Errorf("%q: %v, %d rows, error %v", text, matrix, rows, err)
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
		"1 2\n3 " + strings.Repeat("x", 99): `"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx" is not`,
	} {
		_, _, err := interaction.ReadMatrix(writeText(t, text), "")
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%.40q: error %v, want %q", text, err, want)
		}
	}
	if _, _, err := interaction.ReadMatrix(t.TempDir(), ""); err == nil ||
		!strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("a folder: %v", err)
	}
}

// The text of the parameter tells which numbers the file had.
func TestMatrixThatHasChangedIsRefused(t *testing.T) {
	path := writeText(t, "1 2\n3 4\n")
	s := smallSimulation(saveOutcomes)
	s.Dim = 2
	if err := interaction.Parameter(&s.Interaction).Value.Set(path); err != nil {
		t.Fatal(err)
	}
	if file, sum := namedfile.Split(s.Interaction); file != path || len(sum) != 64 {
		t.Errorf("text %q", s.Interaction)
	}
	if err := s.Validate(); err != nil {
		t.Error(err)
	}
	for _, change := range []string{"1 2\n3 5\n", "1 2 3\n4 5 6\n7 8 9\n"} {
		if err := os.WriteFile(path, []byte(change), 0o666); err != nil {
			t.Fatal(err)
		}
		var problem *parameter.Error
		if err := s.Validate(); !errors.As(err, &problem) || problem.Parameter != "interaction" ||
			problem.Value != path ||
			!strings.Contains(problem.Problem, "have changed") {
			t.Errorf("error %v", err)
		}
	}
	s.Interaction = path
	if err := s.Validate(); err == nil || !strings.Contains(err.Error(), "has 3 rows; must have 2") {
		t.Errorf("a matrix of another dimension: %v", err)
	}
	if got := s.Interaction; interaction.Parameter(&s.Interaction).Value.Set("missing") == nil ||
		s.Interaction != got {
		t.Errorf("a wrong value changes the parameter to %q", s.Interaction)
	}
}
