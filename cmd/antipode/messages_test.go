package main

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"

	"antipode/experiments/simulate"
)

// All messages of the program have one form, and --log-level selects among them.
func TestMessages(t *testing.T) {
	const (
		begin  = "antipode: begin command=phase seed=3\n"
		resume = "antipode: resume file=\"a b.arrow\" pieces=2 seconds=1.5\n"
		given  = "antipode: warning: an unfinished run is given up file=a.arrow.partial\n"
	)
	for level, want := range map[string]string{
		"debug": begin + resume + given, "info": begin + resume + given, "warn": given, "error": "",
	} {
		var text bytes.Buffer
		r := newReporting(&text)
		r.level = level
		r.beginLog("phase", 3)
		r.log.With("file", "a b.arrow").Info("resume", "pieces", 2, slog.Float64("seconds", 1.5))
		r.log.Warn("an unfinished run is given up", "file", "a.arrow.partial")
		if text.String() != want {
			t.Errorf("%s: %q, want %q", level, &text, want)
		}
	}
}

// Every line on stderr begins with the program's name, whether runs succeed, are announced, are resumed or
// fail.
func TestEveryLineBeginsAlike(t *testing.T) {
	t.Chdir(t.TempDir())
	run := strings.Fields("antipode simulate --trajectories 9 --depth 10 --horizon 1")
	run = append(run, "--log-level", "debug", "--progress", "lines")
	var stderr bytes.Buffer
	for _, more := range []string{"", "--resume", "--horizon 0.25", "--shard 0/2", "--bad"} {
		var stdout bytes.Buffer
		execute(t.Context(), append(run, strings.Fields(more)...), &stdout, &stderr)
	}
	experimentRunner(simulate.New(), &stderr, &stderr).notice("this run may take 2 hours")
	lines := strings.SplitAfter(strings.TrimSpace(stderr.String()), "\n")
	for _, line := range lines {
		if !strings.HasPrefix(line, "antipode: ") {
			t.Errorf("%q", line)
		}
	}
	if len(lines) < 10 {
		t.Errorf("only %d lines", len(lines))
	}
}
