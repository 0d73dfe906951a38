package main

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"antipode/data"
)

// Files that hold no table, or not one of ours: exit code 1, one line, no file
// created or changed.
func TestFilesThatAreNoTables(t *testing.T) {
	foreign, err := os.ReadFile(filepath.Join("..", "..", "data", "testdata", "pandas.arrow"))
	if err != nil {
		t.Fatal(err)
	}
	badFolder(t)
	own := "own.arrow"
	var null bytes.Buffer
	if code := execute(t.Context(), []string{"antipode", "overlap", "--out", own}, &null, &null); code != exitDone {
		t.Fatalf("exit code %d: %s", code, &null)
	}
	whole, err := os.ReadFile(own)
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{
		"foreign.arrow":    foreign,
		"head.arrow":       whole[:len(whole)/2],
		"no-end.arrow":     whole[:len(whole)-1],
		"eight.arrow":      whole[:8],
		"nothing-to.arrow": bytes.Repeat([]byte{0}, 5000),
		"parameters.arrow": bytes.ReplaceAll(whole, []byte(`"softmax"`), []byte(`"softmix"`)),
		"json.arrow":       bytes.ReplaceAll(whole, []byte(`{"dim"`), []byte(`["dim"`)),
		"command.arrow":    bytes.ReplaceAll(whole, []byte("overlap"), []byte("overlop")),
	} {
		if err := os.WriteFile(name, content, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for file, commands := range map[string][]string{
		"missing.arrow":    {"inspect", "plot"},
		".":                {"inspect", "plot"},
		"folder.arrow":     {"inspect", "plot"},
		"empty.arrow":      {"inspect", "plot"},
		"text.arrow":       {"inspect", "plot"},
		"head.arrow":       {"inspect", "plot"},
		"no-end.arrow":     {"inspect", "plot"},
		"eight.arrow":      {"inspect", "plot"},
		"nothing-to.arrow": {"inspect", "plot"},
		"foreign.arrow":    {"plot"}, // inspect reads other people's tables
		"parameters.arrow": {"plot"},
		"json.arrow":       {"plot"},
		"command.arrow":    {"plot"},
	} {
		for _, command := range commands {
			before := listing(t)
			var stdout, stderr bytes.Buffer
			code := execute(t.Context(), []string{"antipode", command, file}, &stdout, &stderr)
			line := stderr.String()
			if code != exitFailed || stdout.Len() > 0 || strings.Count(line, "\n") != 1 || !strings.Contains(line, file) {
				t.Errorf("%s %s: exit code %d, stdout %q, stderr %q", command, file, code, &stdout, line)
			}
			if after := listing(t); after != before {
				t.Errorf("%s %s: files before:\n%s\nafter:\n%s", command, file, before, after)
			}
		}
	}
	var stdout, stderr bytes.Buffer
	if code := execute(t.Context(), []string{"antipode", "inspect", "foreign.arrow"}, &stdout, &stderr); code != exitDone || stdout.Len() == 0 {
		t.Errorf("inspect foreign.arrow: exit code %d, %s", code, &stderr)
	}
}

// fullWriter has no room.
type fullWriter struct{}

func (fullWriter) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

// What cannot be printed is a failure, also of help and version.
func TestNothingCanBePrinted(t *testing.T) {
	for _, arguments := range [][]string{{"--help"}, {"--version"}, {}, {"phase", "--help"}, {"completion"}, {"overlap"}, {"verify", "--list"}} {
		var stderr bytes.Buffer
		code := execute(t.Context(), append([]string{"antipode"}, arguments...), fullWriter{}, &stderr)
		if code != exitFailed || strings.Count(stderr.String(), "\n") != 1 || !strings.Contains(stderr.String(), "no space left") {
			t.Errorf("%q: exit code %d, %q", arguments, code, &stderr)
		}
	}
}

// A name that cannot be is bad usage; a folder that cannot be written to is a failure.
func TestFileProblem(t *testing.T) {
	for problem, usage := range map[error]bool{
		fs.ErrNotExist: true, syscall.ENAMETOOLONG: true, syscall.ENOTDIR: true,
		syscall.EACCES: false, syscall.EROFS: false, syscall.ENOSPC: false, data.ErrLocked: false,
	} {
		err := fileProblem("out", "t.arrow", &fs.PathError{Op: "open", Path: "t.arrow", Err: problem})
		if got := errors.As(err, new(usageError)); got != usage || !strings.Contains(err.Error(), "t.arrow") {
			t.Errorf("%v: bad usage: %v, %v", problem, got, err)
		}
	}
}
