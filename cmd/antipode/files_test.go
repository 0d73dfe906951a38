package main

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"antipode/cmd/antipode/terminal"
	"antipode/data/durable"
	"antipode/internal/longtest"
	"antipode/sphere/must"
)

// A file that is not a table, or not a table of this program, is refused with exit code 1 and one line, and
// no file is created or changed.
func TestFilesThatAreNoTables(t *testing.T) {
	foreign := must.Get(os.ReadFile(filepath.Join("..", "..", "data", "testdata", "pandas.arrow")))(t)
	badFolder(t)
	own := "own.arrow"
	var null bytes.Buffer
	if code := execute(t.Context(), []string{"antipode", "overlap", "--out", own}, &null,
		&null); code != exitDone {
		t.Fatalf("exit code %d: %s", code, &null)
	}
	whole := must.Get(os.ReadFile(own))(t)
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
		must.Do(t, os.WriteFile(name, content, 0o666))
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
		"foreign.arrow":    {"plot"}, // inspect also reads tables of other programs
		"parameters.arrow": {"plot"},
		"json.arrow":       {"plot"},
		"command.arrow":    {"plot"},
	} {
		for _, command := range commands {
			before := listing(t)
			var stdout, stderr bytes.Buffer
			code := execute(t.Context(), []string{"antipode", command, file}, &stdout, &stderr)
			line := stderr.String()
			if code != exitFailed || stdout.Len() > 0 || strings.Count(line, "\n") != 1 ||
				!strings.Contains(line, file) {
				t.Errorf("%s %s: exit code %d, stdout %q, stderr %q", command, file, code, &stdout, line)
			}
			if after := listing(t); after != before {
				t.Errorf("%s %s: files before:\n%s\nafter:\n%s", command, file, before, after)
			}
		}
	}
	var stdout, stderr bytes.Buffer
	if code := execute(t.Context(), []string{"antipode", "inspect", "foreign.arrow"}, &stdout,
		&stderr); code != exitDone || stdout.Len() == 0 {
		t.Errorf("inspect foreign.arrow: exit code %d, %s", code, &stderr)
	}
}

// brokenWriter accepts room bytes and then fails with err, as a full disk would.
type brokenWriter struct {
	room int
	err  error
}

func (w *brokenWriter) Write(p []byte) (int, error) {
	if len(p) <= w.room {
		w.room -= len(p)
		return len(p), nil
	}
	return w.room, &fs.PathError{Op: "write", Path: "/dev/stdout", Err: w.err}
}

// If output cannot be written for lack of room, the command fails, also when it prints help or the version.
// If the reader has closed the pipe, as head does, the program ends silently.
func TestNothingCanBePrinted(t *testing.T) {
	longtest.Only(t)
	t.Chdir(t.TempDir())
	simulate := strings.Fields("simulate --trajectories 3 --depth 10 --horizon 1 --quiet --out")
	execute := func(stdout io.Writer, arguments ...string) (code int, said string) {
		var stderr bytes.Buffer
		code = execute(t.Context(), append([]string{"antipode"}, arguments...), stdout, &stderr)
		return code, stderr.String()
	}
	if code, said := execute(io.Discard, append(simulate, "t.arrow")...); code != exitDone {
		t.Fatalf("exit code %d, %q", code, said)
	}
	for _, arguments := range [][]string{
		{"--help"}, {"--version"}, {}, {"phase", "--help"}, {"completion"},
		{completeWord, ""}, {"describe"}, {"describe", "phase"}, {"explore", "--open=false"},
		{"overlap"}, {"overlap", "--json"},
		{"verify", "--list"}, {"verify", "--only", "eq5,eq21", "--out", "verdicts.arrow"},
		{"inspect", "t.arrow"}, {"inspect", "t.arrow", "--csv"}, {"inspect", "t.arrow", "--json"},
		{"inspect", "t.arrow", "--jsonl"},
		{"plot", "t.arrow"}, {"rerun", "t.arrow"}, append(simulate, "u.arrow"), append(simulate, "-"),
	} {
		for _, room := range []int{0, 5} {
			code, said := execute(&brokenWriter{room, syscall.ENOSPC}, arguments...)
			if code != exitFailed || strings.Count(said, "\n") != 1 ||
				!strings.Contains(said, "no space left") {
				t.Errorf("no room, %q: exit code %d, %q", arguments, code, said)
			}
			if code, said = execute(&brokenWriter{room, syscall.EPIPE}, arguments...); code != 141 ||
				said != "" {
				t.Errorf("no reader, %q: exit code %d, %q", arguments, code, said)
			}
		}
	}
	if _, err := os.Stat("verdicts.arrow"); err == nil {
		t.Error("verdicts were written that nobody has waited for")
	}
}

// A broken pipe other than standard output is a failure; so is a full disk after standard output was closed.
func TestOtherFailuresAreNoClosedOutput(t *testing.T) {
	broken := &fs.PathError{Op: "write", Path: "t.arrow", Err: syscall.EPIPE}
	if (&terminal.Output{Writer: io.Discard}).Unread(broken) {
		t.Error("a broken pipe is taken for standard output")
	}
	out := &terminal.Output{Writer: &brokenWriter{0, syscall.EPIPE}}
	if _, err := out.Write([]byte("text")); !out.Unread(err) {
		t.Errorf("%v is not that nobody reads", err)
	}
	if out.Unread(&fs.PathError{Op: "write", Path: "t.png", Err: syscall.ENOSPC}) {
		t.Error("a full disk is taken for a closed output")
	}
}

// A file name that cannot exist is bad usage; a folder that cannot be written to is a failure.
func TestFileProblem(t *testing.T) {
	for problem, usage := range map[error]bool{
		fs.ErrNotExist: true, syscall.ENAMETOOLONG: true, syscall.ENOTDIR: true,
		syscall.EACCES: false, syscall.EROFS: false, syscall.ENOSPC: false, syscall.EMFILE: false,
		durable.ErrLocked: false,
	} {
		err := fileProblem("out", "t.arrow", &fs.PathError{Op: "open", Path: "t.arrow", Err: problem})
		if got := errors.As(err, new(usageError)); got != usage || !strings.Contains(err.Error(), "t.arrow") {
			t.Errorf("%v: bad usage: %v, %v", problem, got, err)
		}
	}
}
