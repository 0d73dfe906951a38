package experiments

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/sphere/must"
)

// The default and the allowed values of every parameter, and what each figure and --paper change, are those
// in a golden file.
func TestPresets(t *testing.T) {
	var text strings.Builder
	for k := range All() {
		base := All()[k]
		fmt.Fprintln(&text, base.Name())
		for _, p := range base.Parameters() {
			fmt.Fprintf(&text, "\t%s %s; must be %s\n", p.Name, p.Value, p.Value.Allowed())
		}
		before := values(base)
		for _, figure := range figures(base) {
			for _, paper := range []bool{false, true} {
				e := All()[k]
				title := e.Name()
				if figure != "" {
					setParameter(t, e, "figure", figure)
					title += " --figure " + figure
				}
				if paper {
					setPaper(e)
					title += " --paper"
				}
				if changed := changes(e, before); changed != "" {
					fmt.Fprintf(&text, "%s\n%s", title, changed)
				}
			}
		}
	}
	path := filepath.Join("testdata", "presets.txt")
	if *update {
		must.Do(t, os.WriteFile(path, []byte(text.String()), 0o666))
	}
	want := strings.Split(string(must.Get(os.ReadFile(path))(t)), "\n")
	for k, line := range strings.Split(text.String(), "\n") {
		if k >= len(want) || line != want[k] {
			t.Fatalf("line %d is not that of %s: %s", k+1, path, line)
		}
	}
}

// figures returns the choices of the parameter figure of an experiment, or one empty choice if there is no
// such parameter.
func figures(e run.Experiment) []string {
	for _, p := range e.Parameters() {
		if chooser, is := p.Value.(parameter.Chooser); is && p.Name == "figure" {
			return chooser.Options()
		}
	}
	return []string{""}
}

// values returns the values of the parameters of an experiment as texts, by name.
func values(e run.Experiment) map[string]string {
	all := map[string]string{}
	for _, p := range e.Parameters() {
		all[p.Name] = p.Value.String()
	}
	return all
}

// changes returns a line for each parameter, except figure, whose value is not the one before.
func changes(e run.Experiment, before map[string]string) string {
	var text strings.Builder
	for _, p := range e.Parameters() {
		if value := p.Value.String(); p.Name != "figure" && value != before[p.Name] {
			fmt.Fprintf(&text, "\t%s %s\n", p.Name, value)
		}
	}
	return text.String()
}
