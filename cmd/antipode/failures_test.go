package main

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/iotest"
	"testing/synctest"

	"antipode/cmd/antipode/interruption"
	"antipode/data"
	"antipode/data/durable"
	"antipode/experiments/experimenttest"
	"antipode/experiments/field"
	"antipode/experiments/run"
	"antipode/sphere/must"
)

// unwritable is an experiment whose table cannot be written, because two of its columns have one name.
type unwritable struct{ *field.Experiment }

func (unwritable) Columns() []data.Column {
	column := data.Column{Name: "n", Kind: data.Int64}
	return []data.Column{column, column}
}

func (unwritable) Run(context.Context, run.Options, data.Sink) error { return nil }

// A table that cannot be written is an error of everything that would write it, or that predicts its size.
func TestTableThatCannotBeWritten(t *testing.T) {
	r := experimentRunner(unwritable{field.New()}, io.Discard, io.Discard)
	r.out = filepath.Join(t.TempDir(), "t.arrow")
	for what, does := range map[string]func() error{
		"preflight":       func() error { return preflight([]*openTable{{runner: r}}, run.Needs{}) },
		"dry run":         func() error { _, err := r.predict(t.Context()); return err },
		"standard output": func() error { return r.toStdout(t.Context()) },
	} {
		if err := does(); err == nil || !strings.Contains(err.Error(), `"n"`) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// lasting is an experiment whose report is not ready before it is released.
type lasting struct {
	*field.Experiment
	released <-chan struct{}
}

func (l lasting) Describe(io.Writer, *data.Table) error { <-l.released; return nil }

// A command that is interrupted while it prints its report says that the table is complete.
func TestInterruptedReport(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.arrow")
	must.Do(t, data.WriteFile(path, experimenttest.Table(t, field.New(), run.Options{})))
	synctest.Test(t, func(t *testing.T) {
		released := make(chan struct{})
		r := experimentRunner(lasting{field.New(), released}, io.Discard, io.Discard)
		r.out = path
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		err := r.finish(ctx)
		want := "interrupted; " + path + " is whole"
		if !errors.As(err, new(interruption.Error)) || err.Error() != want {
			t.Errorf("%v", err)
		}
		close(released)
		synctest.Wait()
		if err := r.finish(t.Context()); err != nil {
			t.Errorf("not interrupted: %v", err)
		}
	})
}

// The error of a journal that cannot be removed is said beside the error of the run, and the journal of
// something else is refused.
func TestJournalsThatFail(t *testing.T) {
	failed := errors.New("it failed")
	r, journal := tableRunner(t, false, false)
	t.Cleanup(func() { durable.Inject(nil) })
	durable.Inject(func(string, string) error { return errInjected })
	err := unfinished(t.Context(), failed, []*openTable{{runner: r, journal: journal}})
	durable.Inject(nil)
	if !errors.Is(err, failed) || !errors.Is(err, errInjected) ||
		!strings.HasPrefix(err.Error(), "it failed; ") {
		t.Errorf("an empty journal that cannot be removed: %v", err)
	}
	path := partialName(r.out)
	other := must.Get(durable.OpenJournal(path, "no list of metadata", durable.DropPast))(t)
	must.Do(t, errors.Join(other.Append(3, []byte("finished")), other.Close()))
	r.past.resume = true
	if _, err := r.openJournal(r.schema(), r.log); !errors.As(err, new(usageError)) ||
		err.Error() != "--resume: "+path+": belongs to another run"+orRestart {
		t.Errorf("the journal of something else: %v", err)
	}
}

// A table on standard input is copied to a temporary file, which does not remain, whatever fails.
func TestStandardInputThatFails(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("TMPDIR", folder)
	broken := errors.New("broken")
	err := (&inspection{}).printStream(t.Context(), iotest.ErrReader(broken), io.Discard)
	if !errors.Is(err, broken) || !strings.HasPrefix(err.Error(), "standard input: ") {
		t.Errorf("a read that fails: %v", err)
	}
	if left := must.Get(os.ReadDir(folder))(t); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
	t.Setenv("TMPDIR", filepath.Join(folder, "missing"))
	err = (&inspection{}).printStream(t.Context(), strings.NewReader("a text"), io.Discard)
	if !errors.Is(err, fs.ErrNotExist) || !strings.HasPrefix(err.Error(), "standard input: ") {
		t.Errorf("no folder for temporary files: %v", err)
	}
}

// The problem of a file that no flag names is called by the name of the file, with the flag that would name
// another one. Only a mistake in the command line is bad usage.
func TestProblemOfAnUnnamedFile(t *testing.T) {
	for problem, usage := range map[error]bool{syscall.EACCES: false, syscall.ENOTDIR: true} {
		d := &destination{unnamed: true}
		err := d.problem("out", "t.arrow", &fs.PathError{Op: "open", Path: "t.arrow", Err: problem})
		want := "t.arrow: open t.arrow: " + problem.Error() + "; --out FILE writes elsewhere"
		if err.Error() != want || errors.As(err, new(usageError)) != usage {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// Command lines of which each lacks something, or has something too much.
func TestCommandLinesThatAreRefused(t *testing.T) {
	badFolder(t)
	for line, want := range map[string]string{
		"merge text.arrow":                       "--out: is missing; must be the name of the whole",
		"rerun text.arrow --resume --restart":    "--restart: deletes the run that --resume continues",
		"spectrum --json --out -":                "--out -: the command prints to standard output already",
		"verify --list --only nope":              `--only nope: no claim is called "nope"`,
		"phase --dry-run stray":                  `takes no argument "stray"`,
		"propagation --alpha-sa 0 --out -":       "--alpha-sa 0: ",
		"simulate --save states,x --out a.arrow": "--save states,x: must be",
	} {
		refuse(t, []string{want}, strings.Fields(line)...)
	}
	screen, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip(err)
	}
	defer screen.Close()
	var stderr strings.Builder
	code := execute(t.Context(), strings.Fields("antipode simulate --out -"), screen, &stderr)
	if want := "antipode: --out -: standard output is a terminal, and a table is not text; must be a pipe " +
		"or a file\n"; code != exitUsage || stderr.String() != want {
		t.Errorf("a table on a terminal: exit code %d, %q", code, &stderr)
	}
}
