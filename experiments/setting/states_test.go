package setting

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"antipode/data"
	"antipode/experiments/internal/namedfile"
	"antipode/experiments/parameter"
	"antipode/sde"
	"antipode/sphere/must"
)

func vectors(name string, length int) data.Column {
	return data.Column{Name: name, Kind: data.Vector, Length: length}
}

// writeStates writes a table with the given columns and rows to a file.
func writeStates(t *testing.T, columns []data.Column, rows ...data.Values) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "states.arrow")
	table := data.NewTable(data.Schema{Columns: columns})
	must.Do(t, table.Write(rows...))
	must.Do(t, data.WriteFile(path, table))
	return path
}

// filled returns the configuration of one token on the circle from which a trajectory starts.
func filled(start sde.Start, trajectory int64) [2]float64 {
	var x [2]float64
	start.Fill(x[:], 2, trajectory, nil)
	return x
}

func TestReadStatesTakesTheLastRowOfEachTrajectory(t *testing.T) {
	path := writeStates(t, []data.Column{{Name: "trajectory", Kind: data.Int32}, vectors("x1", 2)},
		data.Slice[int32]{4, 4, 7, 4}, data.Slice[float64]{1, 0, 0, 1, -1, 0, 0, -1})
	start, _, err := readStates(path)
	if err != nil {
		t.Fatal(err)
	}
	for k, want := range [][2]float64{{0, 1}, {-1, 0}, {0, -1}, {0, 1}} {
		if got := filled(start, int64(k)); got != want {
			t.Errorf("trajectory %d starts from %v, want %v", k, got, want)
		}
	}
	start, _, err = readStates(writeStates(t, []data.Column{vectors("x1", 2)},
		data.Slice[float64]{1, 0, 0, 1}))
	if err != nil || filled(start, 0) != [2]float64{1, 0} || filled(start, 3) != [2]float64{0, 1} {
		t.Errorf("without numbers every row is a state: %v, error %v", start, err)
	}
}

// The ending of the name of a file of states may be in capital letters, as that of any file that is written.
func TestStartOfACapitalName(t *testing.T) {
	t.Chdir(t.TempDir())
	path := writeStates(t, []data.Column{vectors("x1", 2)}, data.Slice[float64]{0, 1})
	must.Do(t, os.Rename(path, "S.ARROW"))
	start, err := must.Get(ParseStart("S.ARROW"))(t).Of(1, 2)
	if err != nil || filled(start, 0) != [2]float64{0, 1} {
		t.Errorf("start %v, error %v", start, err)
	}
}

func TestReadStatesRefuses(t *testing.T) {
	for want, path := range map[string]string{
		"no column x1": writeStates(t, []data.Column{vectors("x2", 2)}, data.Slice[float64]{1, 0}),
		"x2 is of lists of 3 numbers": writeStates(t, []data.Column{vectors("x1", 2), vectors("x2", 3)},
			data.Slice[float64]{1, 0}, data.Slice[float64]{1, 0, 0}),
		"x1 is of values of kind float64": writeStates(t, []data.Column{{Name: "x1", Kind: data.Float64}},
			data.Slice[float64]{1}),
		"no states":         writeStates(t, []data.Column{vectors("x1", 2)}, data.Slice[float64]{}),
		"norm 2; must be 1": writeStates(t, []data.Column{vectors("x1", 2)}, data.Slice[float64]{2, 0}),
		"must be whole numbers": writeStates(t, []data.Column{{Name: "trajectory", Kind: data.Float64},
			vectors("x1", 2)}, data.Slice[float64]{0}, data.Slice[float64]{1, 0}),
		"no such file":       "missing.arrow",
		"not a regular file": t.TempDir(),
		"not an Arrow file":  writeText(t, "This is a text, not a table.\n"),
	} {
		if _, _, err := readStates(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	path := writeStates(t, []data.Column{vectors("x1", 2)}, data.Slice[float64]{1, 0})
	if _, err := ParseStart(path + namedfile.Mark + strings.Repeat("0", 64)); err == nil ||
		!strings.Contains(err.Error(), "have changed") {
		t.Errorf("another checksum: %v", err)
	}
}

func TestStartReadsBack(t *testing.T) {
	path := writeStates(t, []data.Column{vectors("x1", 2)}, data.Slice[float64]{1, 0})
	for _, text := range []string{"uniform", "overlap:-1", "overlap:0.25", "opposite:1,20", path} {
		start, err := ParseStart(text)
		if err != nil || namedfile.Name(start.String()) != text {
			t.Errorf("%s: text %q, error %v", text, start, err)
		}
		var again Start
		encoded, _ := json.Marshal(start)
		if err := json.Unmarshal(encoded, &again); err != nil || again.String() != start.String() {
			t.Errorf("%s: %s reads back as %v, error %v", text, encoded, again, err)
		}
	}
	for _, text := range []string{"", "overlap", "overlap:", "overlap:1.5", "overlap:2", "overlap:nan",
		"opposite:", "opposite:1", "opposite:3", "opposite:0,3", "opposite:1,2,3", "opposite:1,-1",
		"opposite:1,99999999999",
		"uniform:3", "x.txt", "missing.arrow"} {
		start := Start{name: "overlap:1"}
		err := StartParameter(&start).Set(text)
		if err == nil || start.name != "overlap:1" ||
			!strings.Contains(err.Error(), "must be ") || !strings.Contains(err.Error(), "overlap:Z") {
			t.Errorf("%q: start %v, error %v", text, start, err)
		}
	}
}

// A start that is parsed from a text is the one that the text names.
func TestStartOf(t *testing.T) {
	for text, want := range map[string]sde.Start{"uniform": sde.UniformStart{},
		"overlap:0.25": sde.PairStart{Overlap: 0.25}, "opposite:1,1": sde.OppositeStart{First: 1,
			Second: 1}} {
		start, _ := ParseStart(text)
		if got, err := start.Of(2, 3); got != want || err != nil {
			t.Errorf("%s: %v, error %v", text, got, err)
		}
	}
	var problem *parameter.Error
	if _, err := (Start{start: sde.PairStart{}}).Of(3, 3); !errors.As(err, &problem) ||
		problem.Parameter != "start" || problem.Problem != "needs 2 tokens, not 3" {
		t.Errorf("a pair of three tokens: %v", err)
	}
}
