package main

import (
	"antipode/cmd/antipode/interruption"
	"antipode/internal/longtest"
	"antipode/sphere/must"
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	flag.Set("rapid.seed", "20261123") // properties are tried with the same cases each time
	flag.Set("rapid.checks", "60")
	flag.Set("rapid.nofailfile", "true")
	testscript.Main(m, map[string]func(){"antipode": main, deaf: goOn})
}

// deaf is the name of a program that prints a word when it receives a signal to stop, and goes on.
const deaf = "deaf"

func goOn() {
	ctx, stop := interruption.UntilSignal(context.Background())
	defer stop()
	fmt.Println("begun")
	<-ctx.Done()
	fmt.Println("heard")
	select {}
}

// mustEnd makes all tests fail if this test has not ended after five minutes. It waits for something that a
// faulty program would never do, and the machine may be busy.
func mustEnd(t *testing.T) {
	t.Helper()
	timer := time.AfterFunc(5*time.Minute, func() { panic(t.Name() + " does not end") })
	t.Cleanup(func() { timer.Stop() })
}

// The scripts of testdata give their words. Those that take long begin with [!long] skip, and run with the
// tag long.
func TestScripts(t *testing.T) {
	tables := must.Get(filepath.Abs(filepath.Join("..", "..", "experiments", "testdata", "rewritten")))(t)
	hidden, err := filepath.Abs(filepath.Join("..", "..", "experiments", "measure", "hidden", "testdata"))
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{Dir: "testdata", RequireExplicitExec: true, RequireUniqueNames: true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("TABLES", tables)
			env.Setenv("HIDDEN", hidden)
			return nil
		},
		Condition: func(name string) (bool, error) {
			if name != "long" {
				return false, fmt.Errorf("condition %q: must be long", name)
			}
			return longtest.Enabled, nil
		}})
}

func TestInterruptedRunLeavesNothing(t *testing.T) {
	t.Chdir(t.TempDir())
	must.Do(t, os.WriteFile("phase.arrow", []byte("earlier"), 0o666))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	null := must.Get(os.OpenFile(os.DevNull, os.O_WRONLY, 0))(t)
	defer null.Close()
	if code := execute(ctx, []string{"antipode", "phase"}, null, null); code != interruption.Interrupted {
		t.Errorf("exit code %d", code)
	}
	entries, err := os.ReadDir(".")
	if err != nil || len(entries) != 1 {
		t.Errorf("files %v, %v", entries, err)
	}
	if text, _ := os.ReadFile("phase.arrow"); string(text) != "earlier" {
		t.Errorf("the earlier file now holds %q", text)
	}
}

// Control characters in a file's name, or in what a file says of itself, have no effect on the terminal.
func TestErrorsAreOneVisibleLine(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, want := range map[string]string{
		"\x1b[31m.arrow":    `\x1b[31m.arrow`,
		"\u009b31m.arrow":   `\u009b31m.arrow`,
		"a\n\tb.arrow":      "a b.arrow",
		"\"ü\" 'β'\a.arrow": `"ü" 'β'\a.arrow`,
	} {
		var stdout, stderr bytes.Buffer
		execute(t.Context(), []string{"antipode", "inspect", name}, &stdout, &stderr)
		if got := stderr.String(); got != "antipode: stat "+want+": no such file or directory\n" {
			t.Errorf("%q: %q", name, got)
		}
	}
}

func TestExitCodes(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, c := range []struct {
		code      int
		arguments []string
	}{
		{exitDone, []string{"overlap", "--quiet"}},
		{exitDone, []string{"--help"}},
		{exitFailed, []string{"inspect", "nothing.arrow"}},
		{exitFailed, []string{"plot", "."}},
		{exitUsage, []string{"phse"}},
		{exitUsage, []string{"phase", "stray"}},
		{exitUsage, []string{"phase", "--bta", "1"}},
		{exitUsage, []string{"phase", "--beta"}},
		{exitUsage, []string{"phase", "--beta", "-1"}},
		{exitUsage, []string{"phase", "--out", "missing/a.arrow"}},
		{exitUsage, []string{"inspect"}},
	} {
		var stdout, stderr bytes.Buffer
		code := execute(t.Context(), append([]string{"antipode"}, c.arguments...), &stdout, &stderr)
		if code != c.code {
			t.Errorf("%v: exit code %d, want %d", c.arguments, code, c.code)
		}
		if lines := strings.Count(stderr.String(), "\n"); code != exitDone &&
			(lines != 1 || stdout.Len() > 0) {
			t.Errorf("%v: stdout %q, stderr %q; want one line on stderr", c.arguments, &stdout, &stderr)
		}
	}
	if entries, _ := os.ReadDir("."); len(entries) > 0 {
		t.Errorf("files left: %v", entries)
	}
}
