package main

import (
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"antipode/sphere/must"
)

// withoutExample are packages that only developers of this module import.
var withoutExample = []string{"controls", "experimenttest", "figuretest", "must"}

// The documentation of every package that others import begins with an example. Each line of the example
// occurs in a test of that package, or in a test of all experiments.
func TestPackagesBeginWithAnExample(t *testing.T) {
	found := 0
	err := filepath.WalkDir(filepath.Join("..", ".."), func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil || !entry.IsDir():
			return err
		case slices.Contains([]string{"internal", "testdata", "cmd", ".git", ".ci"}, entry.Name()):
			return filepath.SkipDir
		case slices.Contains(withoutExample, entry.Name()):
			return nil
		}
		doc := packageComment(t, path)
		if doc == "" {
			return nil
		}
		found++
		lines := codeLines(doc)
		if len(lines) == 0 {
			t.Errorf("%s: go doc has no example", path)
		}
		tests := testsOf(t, path) + testsOf(t, filepath.Join("..", "..", "experiments"))
		for _, line := range lines {
			if !strings.Contains(tests, line) {
				t.Errorf("%s: %q is in no test", path, line)
			}
		}
		return nil
	})
	if err != nil || found < 40 {
		t.Errorf("%d packages, %v", found, err)
	}
}

// The README's program is built in an empty folder with the README's lines for go.mod, and prints that
// simulation and theory agree. The other modules are those that this module requires, from the module cache.
// go.mod lists all of them, as go mod tidy would: otherwise the go command would look for modules that these
// require in turn, which were never downloaded.
func TestProgramOfReadmeRuns(t *testing.T) {
	if testing.Short() {
		t.Skip("a program is linked")
	}
	readme, here := string(must.Get(os.ReadFile("../../README.md"))(t)), t.TempDir()
	checkout, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	lines := regexp.MustCompile(`(?m)^ +require antipode .*\n +replace antipode => .*$`).FindString(readme)
	code := regexp.MustCompile("(?s)\n```go\n(.*?)```").FindStringSubmatch(readme)
	if lines == "" || code == nil {
		t.Fatal("the README has no program, or no lines for go.mod")
	}
	lines = strings.Replace(lines, "../antipode", checkout, 1)
	ours := string(must.Get(os.ReadFile("../../go.mod"))(t))
	module := fmt.Sprintf("module mine\n\ngo 1.26.0\n\n%s\n%s", lines,
		ours[strings.Index(ours, "require ("):])
	program := `package main

import (
	"context"
	"fmt"
	"log"

	"antipode/data"
	"antipode/experiments/phase"
	"antipode/experiments/run"
)

func main() {
` + code[1] + "}\n"
	sums := string(must.Get(os.ReadFile("../../go.sum"))(t))
	for name, text := range map[string]string{"go.mod": module, "go.sum": sums, "main.go": program} {
		if err := os.WriteFile(filepath.Join(here, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	command := exec.CommandContext(t.Context(), "go", "run", ".")
	command.Dir = here
	command.Env = append(os.Environ(), "GOFLAGS=-mod=readonly "+os.Getenv("GOFLAGS"), "GOPROXY=off")
	said, err := command.CombinedOutput()
	const want = "β = 0.3: 0.001 simulated, 0.000 in the limit\n" +
		"β = 1.5: 0.225 simulated, 0.223 in the limit\n"
	if err != nil || string(said) != want {
		t.Errorf("error %v: %s", err, said)
	}
}

// packageComment returns the package comment in a folder, "" if the folder has no package.
func packageComment(t *testing.T, folder string) string {
	t.Helper()
	paths := must.Get(filepath.Glob(filepath.Join(folder, "*.go")))(t)
	for _, path := range paths {
		file := must.Get(parser.ParseFile(token.NewFileSet(), path, nil,
			parser.ParseComments|parser.PackageClauseOnly))(t)
		if text := file.Doc.Text(); strings.HasPrefix(text, "Package ") {
			return text
		}
	}
	return ""
}

var remark = regexp.MustCompile(`\s*// .*`)

// codeLines returns the lines of the first indented block of a comment, without remarks, blank lines and the
// line "return err".
func codeLines(doc string) (lines []string) {
	for line := range strings.Lines(doc) {
		code, indented := strings.CutPrefix(line, "\t")
		code = strings.TrimSpace(remark.ReplaceAllString(code, ""))
		switch {
		case !indented && len(lines) > 0:
			return lines
		case indented && code != "return err" && code != "":
			lines = append(lines, code)
		}
	}
	return lines
}

// testsOf returns the text of all test files in a folder.
func testsOf(t *testing.T, folder string) string {
	t.Helper()
	paths := must.Get(filepath.Glob(filepath.Join(folder, "*_test.go")))(t)
	var all strings.Builder
	for _, path := range paths {
		text := must.Get(os.ReadFile(path))(t)
		all.Write(text)
	}
	return all.String()
}
