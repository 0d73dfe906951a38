package provenance

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"antipode/data"
	"antipode/experiments/parameter"
	"antipode/experiments/phase"
	"antipode/experiments/run"
	"antipode/experiments/simulate"
	"antipode/experiments/stability"
	"antipode/sphere/must"
)

// The crate describes the run by its program, version, seed and parameters, and its table.
func TestCrate(t *testing.T) {
	e := phase.New()
	e.Dim, e.Beta, e.Trajectories, e.Depth, e.Horizon = []int{3, 5}, []float64{1.5}, 10, 400, 1
	table := data.NewTable(run.Schema(e, 77))
	must.Do(t, data.WriteRows(table, phase.Row{}, phase.Row{}))
	path := filepath.Join(t.TempDir(), "a table.arrow")
	must.Do(t, data.WriteFile(path, table))
	content := must.Get(os.ReadFile(path))(t)
	var crate struct {
		Graph []map[string]any `json:"@graph"`
	}
	must.Do(t, json.Unmarshal(must.Get(json.Marshal(must.Get(Of(path))(t)))(t), &crate))
	entities := map[string]map[string]any{}
	for _, entity := range crate.Graph {
		entities[entity["@id"].(string)] = entity
	}
	version, _ := table.Schema.Value(data.KeyVersion)
	for id, want := range map[string]string{
		"#seed": "PropertyValue seed 77", "#parameter-dim": "PropertyValue dim 3,5",
		"#parameter-beta": "PropertyValue beta 1.5", "#parameter-depth": "PropertyValue depth 400",
		"#parameter-law":       "PropertyValue law gaussian",
		"#antipode-" + version: "SoftwareApplication antipode " + version,
		"a%20table.arrow": fmt.Sprintf("File a table.arrow table of antipode phase, 2 rows %d %x",
			len(content), sha256.Sum256(content)),
		"./": "Dataset antipode phase A run of antipode phase " + version +
			": its parameters, and the table that it wrote.",
		"#run": "CreateAction antipode phase #antipode-" + version + " a%20table.arrow " +
			"http://schema.org/CompletedActionStatus",
	} {
		var said []string
		for _, key := range []string{"@type", "name", "description", "value", "version", "contentSize",
			"sha256", "instrument", "result", "actionStatus"} {
			switch value := entities[id][key].(type) {
			case string:
				said = append(said, value)
			case map[string]any:
				said = append(said, value["@id"].(string))
			}
		}
		if got := strings.Join(said, " "); got != want {
			t.Errorf("%s: %q, want %q", id, got, want)
		}
	}
	for _, given := range entities["#run"]["object"].([]any) {
		id := given.(map[string]any)["@id"].(string)
		if entities[id] == nil {
			t.Errorf("%s is nowhere described", id)
		}
		delete(entities, id)
	}
	for id := range entities {
		if strings.HasPrefix(id, "#parameter-") || id == "#seed" {
			t.Errorf("the run was not given %s", id)
		}
	}
}

// Parameters have the texts that their flags take. Input files have different identities, also if they have
// the same name in different folders; a file that is read twice is one input.
func TestObjectsOf(t *testing.T) {
	of := func(e run.Experiment, texts ...string) map[string]any {
		for k := 0; k < len(texts); k += 2 {
			must.Do(t, parameter.ByName(e.Parameters(), texts[k]).Value.Set(texts[k+1]))
		}
		values := map[string]any{}
		for _, object := range objectsOf(e) {
			id := object["@id"].(string)
			if _, is := values[id]; is {
				t.Errorf("%s is there twice", id)
			}
			values[id] = cmp.Or(object["value"], object["name"])
		}
		return values
	}
	values := of(stability.New(), "masses", "2,2/3,3")
	if got := values["#parameter-masses"]; got != "2,2/3,3" {
		t.Errorf("masses %v", got)
	}
	e := simulate.New()
	const sum = "#sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
	must.Do(t, e.Start.UnmarshalText([]byte("a/h.arrow"+sum)))
	must.Do(t, e.Interaction.UnmarshalText([]byte(`C:\b\h.arrow`+sum)))
	values = of(e)
	for id, want := range map[string]string{"#input-a%2Fh.arrow": "a/h.arrow",
		"#input-C:%5Cb%5Ch.arrow": `C:\b\h.arrow`, "#parameter-start": "a/h.arrow" + sum} {
		if values[id] != want {
			t.Errorf("%s: %v, want %s", id, values[id], want)
		}
	}
	must.Do(t, e.Interaction.UnmarshalText([]byte("a/h.arrow"+sum)))
	of(e)
}

// The crate has the seed of a run, or all its seeds if there are several.
func TestSeedsOf(t *testing.T) {
	for seeds, want := range map[string]string{"5..7": "5,6,7", "9": "9"} {
		e, first := simulate.New(), uint64(0)
		must.Do(t, run.SeedParameter(e, &first).Value.Set(seeds))
		path := filepath.Join(t.TempDir(), "t.arrow")
		must.Do(t, data.WriteFile(path, data.NewTable(run.Schema(e, first))))
		crate := string(must.Get(json.Marshal(must.Get(Of(path))(t)))(t))
		if !strings.Contains(crate, `"name":"seed","value":"`+want+`"`) {
			t.Errorf("--seed %s: %s", seeds, crate)
		}
	}
}

// A table whose run is not known has no crate, and neither has a file that is missing or cannot be read; the
// error names the file.
func TestNoCrate(t *testing.T) {
	folder := t.TempDir()
	for change, want := range map[string]string{
		"command":    "x.arrow: metadata has no antipode.command",
		"experiment": `x.arrow: no experiment is called "phse"`,
		"parameters": "x.arrow: ",
		"seed":       `x.arrow: antipode.seed "one": must be a whole number`,
		"missing":    "y.arrow: no such file",
	} {
		path := filepath.Join(folder, "x.arrow")
		table := data.NewTable(run.Schema(phase.New(), 1))
		if change == "command" { // as in the table of another program
			table.Schema = data.Schema{Columns: table.Schema.Columns}
		}
		for k, entry := range table.Schema.Metadata {
			switch {
			case change == "experiment" && entry.Key == data.KeyCommand:
				table.Schema.Metadata[k].Value = "phse"
			case change == "parameters" && entry.Key == data.KeyParameters:
				table.Schema.Metadata[k].Value = "{"
			case change == "seed" && entry.Key == data.KeySeed:
				table.Schema.Metadata[k].Value = "one"
			}
		}
		must.Do(t, data.WriteFile(path, table))
		if change == "missing" {
			path = filepath.Join(folder, "y.arrow")
		}
		if crate, err := Of(path); err == nil || crate != nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v", change, err)
		}
	}
	for path, want := range map[string]string{filepath.Join(folder, "y.arrow"): "no such file",
		folder: "is a directory"} {
		if file, err := fileEntity(path, "y"); err == nil || file != nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, error %v", path, file, err)
		}
	}
}
