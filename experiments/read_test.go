package experiments

import (
	"path/filepath"
	"strings"
	"testing"

	"antipode/data"
	"antipode/sphere/must"
)

func TestReadGivesWhatTextAndFigureNeed(t *testing.T) {
	if testing.Short() {
		t.Skip("TestRowsDoNotDependOnWorkers runs the same")
	}
	path := filepath.Join(t.TempDir(), "t.arrow")
	for _, e := range All() {
		small[e.Name()](e)
		table := smallTable(t, e.Name())
		must.Do(t, data.WriteFile(path, table))
		got, read, err := Read(path)
		if err != nil || got.Name() != e.Name() {
			t.Fatalf("%s: experiment %v, error %v", e.Name(), got, err)
		}
		var want, text strings.Builder
		must.Do(t, e.Describe(&want, table))
		if err := got.Describe(&text, read); err != nil || text.String() != want.String() {
			t.Errorf("%s: text %q, want %q, error %v", e.Name(), &text, &want, err)
		}
	}
}

func TestReadRefuses(t *testing.T) {
	folder := t.TempDir()
	for want, metadata := range map[string][]data.Entry{
		"metadata has no antipode.command":  nil,
		`no experiment is called "nothing"`: {{Key: data.KeyCommand, Value: "nothing"}},
		"antipode.parameters: ":             {{Key: data.KeyCommand, Value: "simulate"}},
		"antipode.parameters: tokens 0: 0 is out of bounds; must": {{Key: data.KeyCommand, Value: "simulate"},
			{Key: data.KeyParameters, Value: `{"tokens":0}`}},
		`antipode.parameters: attention "cubic": must be one of softmax, unnormalized`: {
			{Key: data.KeyCommand, Value: "simulate"},
			{Key: data.KeyParameters, Value: `{"attention":"cubic"}`},
		},
	} {
		path := filepath.Join(folder, "t.arrow")
		table := data.NewTable(data.Schema{Columns: []data.Column{{Name: "x", Kind: data.Float64}},
			Metadata: metadata})
		must.Do(t, data.WriteFile(path, table))
		if _, _, err := Read(path); err == nil || !strings.Contains(err.Error(), path+": ") ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	if _, _, err := Read("missing.arrow"); err == nil {
		t.Error("a missing file is read")
	}
}
