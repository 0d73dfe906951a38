package experiments

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/figure"
	"antipode/experiments/run"
	"antipode/internal/longtest"
	"antipode/sphere/must"
)

// The file of every small table is that of the current version, byte for byte on every machine, except for
// numbers by linear algebra. TestFilesOfAllVersions reads those of older versions.
func TestGoldenFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("TestRowsDoNotDependOnWorkers runs the same")
	}
	folder := filepath.Join("testdata", "tables", run.Version)
	for _, e := range All() {
		path := filepath.Join(folder, e.Name()+".arrow")
		got := smallFile(t, e.Name())
		if *update {
			must.Do(t, os.MkdirAll(folder, 0o777))
			must.Do(t, os.WriteFile(path, got, 0o666))
		}
		want := must.Get(os.ReadFile(path))(t)
		if !bytes.Equal(got, want) && !(linearAlgebra[e.Name()] &&
			sameNumbers(fileText(t, got), fileText(t, want), digits(e.Name()))) {
			t.Errorf("%s: another file than %s", e.Name(), path)
		}
	}
}

// fileText returns the text of the table in a file.
func fileText(t *testing.T, file []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file.arrow")
	must.Do(t, os.WriteFile(path, file, 0o666))
	table := must.Get(data.ReadFile(path))(t)
	return experimenttest.Text(table)
}

// soonDrawn changes a table so that its figure is drawn quickly. Lines of the exact law of Gaussian value
// matrices take long; the table is changed to one of a law that has no exact law. A table of the hybrid with
// signs is changed to one of the Gaussian law, whose exact law takes little time. Of stability, which has a
// line for each pair of masses in each dimension, only the rows of the first line are left.
func soonDrawn(table *data.Table) {
	switch command, _ := table.Schema.Value(data.KeyCommand); command {
	case "phase", "hybrid":
	case "stability":
		*table = *table.Slice(0, 2)
		return
	default:
		return
	}
	table.Schema.Metadata = slices.Clone(table.Schema.Metadata)
	for k, entry := range table.Schema.Metadata {
		if entry.Key == data.KeyParameters {
			table.Schema.Metadata[k].Value = strings.NewReplacer(`"method":"chain"`, `"method":"tokens"`,
				`"law":"gaussian"`, `"law":"uniform"`,
				`"law":"rademacher"`, `"law":"gaussian"`).Replace(entry.Value)
		}
	}
}

// Every table that any version has written can be read, described and drawn.
func TestFilesOfAllVersions(t *testing.T) {
	longtest.Only(t)
	paths, err := filepath.Glob(filepath.Join("testdata", "tables", "*", "*.arrow"))
	if err != nil || len(paths) < len(All()) {
		t.Fatalf("%d files, %v", len(paths), err)
	}
	for _, path := range paths {
		e, table, err := Read(path)
		if err != nil {
			t.Error(err)
			continue
		}
		if err := e.Describe(io.Discard, table); err != nil {
			t.Errorf("%s: %v", path, err)
		}
		soonDrawn(table)
		if _, err := e.Draw(table); err != nil && !errors.Is(err, figure.ErrNone) {
			t.Errorf("%s: %v", path, err)
		}
		r := must.Get(data.Open(path))(t)
		r.Close()
		for _, write := range []func(r *data.Reader, w io.Writer, rows int) error{
			(*data.Reader).WriteText, (*data.Reader).WriteCSV, (*data.Reader).WriteJSON,
			(*data.Reader).WriteJSONLines,
		} {
			r := must.Get(data.Open(path))(t)
			if err := write(r, io.Discard, -1); err != nil {
				t.Errorf("%s: %v", path, err)
			}
			r.Close()
		}
	}
}
