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
	"antipode/sphere/must"
)

// The gallery has a command for every experiment, its commands are valid, and its pictures exist and are
// small.
func TestGallery(t *testing.T) {
	text := must.Get(os.ReadFile("README.md"))(t)
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
	pictures := must.Get(filepath.Glob("gallery/*"))(t)
	for _, picture := range pictures {
		if !slices.Contains(linked, picture) {
			t.Errorf("%s is not in the gallery's text", picture)
		}
	}
}

// checkCommand reports what is wrong in a command line, given as the name of the command and its flags with
// their values.
func checkCommand(t *testing.T, words []string) {
	t.Helper()
	e, err := ByName(words[0])
	if err != nil {
		t.Error(err)
		return
	}
	if m, ok := e.(*measure.Experiment); ok { // its files are the reader's: use the tests'
		small[e.Name()](m)
		words = slices.Delete(slices.Clone(words), 1, 2)
		if k := slices.Index(words, "--weights"); k > 0 {
			words[k+1] = "measure/weights/testdata/model.safetensors"
		}
	}
	if k := slices.Index(words, "--text"); k > 0 { // the reader's text
		words = slices.Clone(words)
		words[k+1] = "README.md"
	}
	for k := 1; k < len(words); k++ {
		flag := strings.TrimPrefix(words[k], "--")
		if flag == "paper" {
			if figure := slices.Index(words, "--figure"); figure > 0 { // the preset depends on it
				setParameter(t, e, "figure", words[figure+1])
			}
			setPaper(e)
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
			if err := p.Set(text); err != nil {
				t.Errorf("%s: --%s %s: %v", e.Name(), name, text, err)
			}
			return
		}
	}
	if name != "plot" && name != "out" && name != "seed" {
		t.Errorf("%s has no flag --%s", e.Name(), name)
	}
}

// paperFigures lists, for each paper, its figures with numerical results and its tables; the gallery's table
// has a row for each.
var paperFigures = map[string]string{
	"clustering": "Table 1, Fig. 1, Fig. 2, Fig. 3, Fig. 4, Fig. 5, Fig. 6, Fig. 7, Fig. 8, Fig. 9",
	"failure-modes": "Fig. 1a, Fig. 1b, Fig. 1c, Fig. 1d, Fig. 1e, Fig. 2, Fig. 3a, Fig. 3b, Fig. 3c, " +
		"Fig. 4, Fig. 5, Fig. 6, Fig. 7, Fig. 8, Fig. 9, Fig. 10, Fig. 11, Fig. 12, A.1 (e)",
	"failure-modes-v1": "Fig. 1, Fig. 2, Fig. 3, Fig. 4, Fig. 5, Fig. B.1, Fig. B.2, Fig. C.1, Fig. C.2, " +
		"Fig. C.3",
	"mind-the-gap": "Fig. 1, Fig. 2, Fig. 3, Fig. 4, Fig. 5, Fig. 6, Fig. 7, Fig. 8, Fig. 9, Fig. 10, " +
		"Fig. 11, Fig. 12",
	"rank-collapse": "Table 2, Table 3, Fig. 5, Fig. 6, Fig. 7, Fig. 8, Fig. 9, Fig. 10, Fig. 11, Fig. 12, " +
		"Fig. 13, Fig. 14, Fig. 15",
}

// The table of the papers' figures is complete, says of each figure how it agrees, and has valid commands. A
// figure without a command needs training, or is a diagram.
func TestTableOfFigures(t *testing.T) {
	text := must.Get(os.ReadFile("README.md"))(t)
	_, table, found := strings.Cut(string(text), "## Every figure of the papers")
	table, _, _ = strings.Cut(table, "\n## ")
	if !found {
		t.Fatal("there is no table")
	}
	rows := map[string][]string{}
	paper := ""
	for _, line := range strings.Split(table, "\n") {
		cells := strings.Split(line, "|")
		if len(cells) != 5 || strings.Contains(line, "---") || strings.Contains(line, "| figure |") {
			continue
		}
		for k := range cells {
			cells[k] = strings.TrimSpace(cells[k])
		}
		figure, command, agrees := cells[1], cells[2], cells[3]
		if name, isPaper := strings.CutPrefix(figure, "**"); isPaper {
			paper = strings.TrimSuffix(name, "**")
			continue
		}
		rows[paper] = append(rows[paper], figure)
		words := strings.Fields(strings.Trim(command, "`"))
		switch {
		case agrees == "":
			t.Errorf("%s, %s: does not say how it agrees", paper, figure)
		case command == "–":
			if agrees != "needs training" && !strings.HasPrefix(agrees, "a diagram") {
				t.Errorf("%s, %s: no command, but %q", paper, figure, agrees)
			}
		case words[0] != "antipode":
			t.Errorf("%s, %s: %q is no command", paper, figure, command)
		default:
			checkCommand(t, words[1:])
		}
	}
	for paper, want := range paperFigures {
		if got := strings.Join(rows[paper], ", "); got != want {
			t.Errorf("%s: %s, want %s", paper, got, want)
		}
	}
	if len(rows) != len(paperFigures) {
		t.Errorf("%d papers, want %d", len(rows), len(paperFigures))
	}
}
