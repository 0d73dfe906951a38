package main

import (
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"

	"antipode/sphere/must"
)

// leastVersions are versions of linked modules without a known defect: x/image before 0.45 has nine security
// advisories, and klauspost/compress 1.19.0 and 1.19.1 corrupt a register on arm64.
var leastVersions = map[string][]int{
	"golang.org/x/image":            {0, 45, 0},
	"github.com/klauspost/compress": {1, 19, 2},
}

// The modules in go.mod have at least these versions. The test records what a vulnerability scanner found
// once, since its data cannot be reached from CI.
func TestLeastVersionsOfModules(t *testing.T) {
	modules := must.Get(os.ReadFile(filepath.Join("..", "..", "go.mod")))(t)
	for module, least := range leastVersions {
		found := regexp.MustCompile(regexp.QuoteMeta(module) + ` v(\d+)\.(\d+)\.(\d+)`).FindSubmatch(modules)
		if found == nil {
			t.Errorf("%s is no longer there", module)
			continue
		}
		var version []int
		for _, digits := range found[1:] {
			n, _ := strconv.Atoi(string(digits))
			version = append(version, n)
		}
		if slices.Compare(version, least) < 0 {
			t.Errorf("%s is %v; must be at least %v", module, version, least)
		}
	}
}

func TestVersionSaysTheCommit(t *testing.T) {
	if got := commitOf([]debug.BuildSetting{{Key: "vcs", Value: "git"}, {Key: "vcs.revision", Value: "abc"},
		{Key: "vcs.modified", Value: "true"}}, "def"); got != "abc and changes" {
		t.Errorf("%q", got)
	}
	if got := commitOf([]debug.BuildSetting{{Key: "vcs.revision", Value: "abc"},
		{Key: "vcs.modified", Value: "false"}}, ""); got != "abc" {
		t.Errorf("%q", got)
	}
	if got := commitOf(nil, "def"); got != "def" {
		t.Errorf("%q", got)
	}
	if got := commitOf(nil, ""); got != "unknown" {
		t.Errorf("%q", got)
	}
}

// The manual page has every command and every flag of the program.
func TestManual(t *testing.T) {
	page := strings.ReplaceAll(succeed(t, "man"), `\-`, "-")
	if !strings.HasPrefix(page, ".TH") && !strings.Contains(page, "\n.TH") {
		t.Error("the manual page has no title")
	}
	for _, command := range newApp(io.Discard, io.Discard).Commands {
		if !strings.Contains(page, command.Name) {
			t.Errorf("the manual page has no command %s", command.Name)
		}
		for _, f := range command.Flags {
			if !strings.Contains(page, "--"+f.Names()[0]) {
				t.Errorf("the manual page has no flag --%s of %s", f.Names()[0], command.Name)
			}
		}
	}
}
