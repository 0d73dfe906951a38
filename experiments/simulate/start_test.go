package simulate

import (
	"path/filepath"
	"strings"
	"testing"

	"antipode/data"
	"antipode/experiments/internal/namedfile"
	"antipode/sde"
)

func vectors(name string, length int) data.Column {
	return data.Column{Name: name, Kind: data.Vector, Length: length}
}

// writeStates writes a table of the columns with the rows.
func writeStates(t *testing.T, columns []data.Column, rows ...data.Values) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "states.arrow")
	table := data.NewTable(data.Schema{Columns: columns})
	if err := table.Write(rows...); err != nil {
		t.Fatal(err)
	}
	if err := data.WriteFile(path, table); err != nil {
		t.Fatal(err)
	}
	return path
}

// filled is the configuration that a start gives a trajectory of one token on the circle.
func filled(start sde.Start, trajectory int64) [2]float64 {
	var x [2]float64
	start.Fill(x[:], 2, trajectory, nil)
	return x
}

func TestReadStatesTakesTheLastRowOfEachTrajectory(t *testing.T) {
	path := writeStates(t, []data.Column{{Name: "trajectory", Kind: data.Int32}, vectors("x1", 2)},
		data.Slice[int32]{4, 4, 7, 4}, data.Slice[float64]{1, 0, 0, 1, -1, 0, 0, -1})
	start, err := ReadStates(path)
	if err != nil {
		t.Fatal(err)
	}
	for k, want := range [][2]float64{{0, 1}, {-1, 0}, {0, -1}, {0, 1}} {
		if got := filled(start, int64(k)); got != want {
			t.Errorf("trajectory %d starts from %v, want %v", k, got, want)
		}
	}
	start, err = ReadStates(writeStates(t, []data.Column{vectors("x1", 2)}, data.Slice[float64]{1, 0, 0, 1}))
	if err != nil || filled(start, 0) != [2]float64{1, 0} || filled(start, 3) != [2]float64{0, 1} {
		t.Errorf("without numbers every row is a state: %v, error %v", start, err)
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
		if _, err := ReadStates(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	path := writeStates(t, []data.Column{vectors("x1", 2)}, data.Slice[float64]{1, 0})
	if _, err := startFrom(path + namedfile.Mark + strings.Repeat("0", 64)); err == nil ||
		!strings.Contains(err.Error(), "have changed") {
		t.Errorf("another checksum: %v", err)
	}
}

func TestStartReadsBack(t *testing.T) {
	path := writeStates(t, []data.Column{vectors("x1", 2)}, data.Slice[float64]{1, 0})
	for _, text := range []string{"uniform", "overlap:-1", "overlap:0.25", "opposite:1,20", path} {
		var field string
		v := startChoice{&field}
		if err := v.Set(text); err != nil || namedfile.Name(field) != text || v.Check() != nil {
			t.Errorf("%s: text %q, errors %v, %v", text, field, err, v.Check())
		}
		want, err := startFrom(text)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := startFrom(v.String()); err != nil || got.String() != want.String() {
			t.Errorf("%s: start %v, error %v", text, got, err)
		}
	}
	for _, text := range []string{"", "overlap", "overlap:", "overlap:1.5", "overlap:nan", "opposite:",
		"opposite:1", "opposite:1,2,3", "opposite:1,-1", "opposite:1,99999999999", "uniform:3", "x.txt"} {
		field := "uniform"
		if err := (startChoice{&field}).Set(text); err == nil || field != "uniform" {
			t.Errorf("%q is a start: %q", text, field)
		}
	}
}
