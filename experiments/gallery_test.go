package experiments

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"antipode/experiments/measure"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
)

// The gallery shows every experiment, by commands that are right and pictures that are
// there and small.
func TestGallery(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	shown := map[string]bool{}
	commands := regexp.MustCompile(`(?m)^antipode (.*)$`).FindAllStringSubmatch(string(text), -1)
	for _, command := range commands {
		words := strings.Fields(command[1])
		shown[words[0]] = true
		checkCommand(t, words)
	}
	for _, e := range All() {
		if !shown[e.Name()] {
			t.Errorf("%s is not in the gallery", e.Name())
		}
	}
	var linked []string
	for _, link := range regexp.MustCompile(`\]\((gallery/[^)]*)\)`).FindAllStringSubmatch(string(text), -1) {
		linked = append(linked, filepath.FromSlash(link[1]))
		const largest = 150_000
		if info, err := os.Stat(link[1]); err != nil || info.Size() > largest {
			t.Errorf("%s is not there or larger than %d bytes: %v", link[1], largest, err)
		}
	}
	pictures, err := filepath.Glob("gallery/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, picture := range pictures {
		if !slices.Contains(linked, picture) {
			t.Errorf("%s is not in the gallery's text", picture)
		}
	}
}

// checkCommand notes what is wrong with the words of a command: its name, and flags each
// with its value.
func checkCommand(t *testing.T, words []string) {
	t.Helper()
	e, err := ByName(words[0])
	if err != nil {
		t.Error(err)
		return
	}
	if m, ok := e.(*measure.Experiment); ok { // of a reader's file, in whose place one of ours is
		small[e.Name()](m)
		words = slices.Delete(slices.Clone(words), 1, 2)
	}
	for k := 1; k < len(words); k++ {
		flag := strings.TrimPrefix(words[k], "--")
		if flag == "paper" {
			if figure := slices.Index(words, "--figure"); figure > 0 { // the preset depends on it
				setParameter(t, e, "figure", words[figure+1])
			}
			e.Paper()
		}
	}
	for k := 1; k < len(words); k++ {
		switch flag := strings.TrimPrefix(words[k], "--"); {
		case flag == "paper":
		case setSwitch(e, flag):
		case k+1 < len(words):
			k++
			setParameter(t, e, flag, words[k])
		default:
			t.Errorf("%s: --%s has no value", words[0], flag)
		}
	}
	if err := e.Validate(); err != nil {
		t.Errorf("%s: %v", strings.Join(words, " "), err)
	}
}

func setSwitch(e run.Experiment, name string) bool {
	for _, p := range e.Parameters() {
		if value, ok := p.Value.(parameter.Switch); ok && p.Name == name {
			*value.On = true
			return true
		}
	}
	return false
}

func setParameter(t *testing.T, e run.Experiment, name, text string) {
	t.Helper()
	for _, p := range e.Parameters() {
		if p.Name == name {
			if err := p.Value.Set(text); err != nil {
				t.Errorf("%s: --%s %s: %v", e.Name(), name, text, err)
			}
			return
		}
	}
	if name != "plot" && name != "out" && name != "seed" {
		t.Errorf("%s has no flag --%s", e.Name(), name)
	}
}
