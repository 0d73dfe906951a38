package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"antipode/experiments/clustering"
	"antipode/experiments/run"
)

// What is told of a run, in lines and in JSON.
func TestProgress(t *testing.T) {
	state := run.State{Cells: 3, AllCells: 12, Outcome: func() string { return "antipodal 0.250 of 8" }}
	for style, want := range map[string]string{
		progressLines: "antipode phase: 25 % done, about 30s left, 3 of 12 cells, 2.5e+05 layers/s, antipodal 0.250 of 8\n",
		progressJSON:  `"done":0.25,"seconds":10`,
	} {
		var text bytes.Buffer
		p := newProgress(&text, "phase", style)
		p.watch(state)
		p.last = p.report(p.start.Add(10*time.Second), 2_500_000, 10_000_000)
		p.write()
		if !strings.Contains(text.String(), want) {
			t.Errorf("%s: %q, want %q", style, &text, want)
		}
		if style == progressJSON && !json.Valid(text.Bytes()) {
			t.Errorf("not JSON: %s", &text)
		}
	}
}

// A short run tells nothing, but for JSON, where the end is told.
func TestShortProgress(t *testing.T) {
	for style, lines := range map[string]int{progressAuto: 0, progressLines: 0, progressJSON: 1} {
		var text bytes.Buffer
		p := newProgress(&text, "field", style)
		p.update(1, 2)
		p.update(2, 2)
		p.finish()
		if strings.Count(text.String(), "\n") != lines {
			t.Errorf("%s: %q", style, &text)
		}
	}
}

// A run that the disk has no room for is refused, and a large one announced.
func TestPreflight(t *testing.T) {
	var text bytes.Buffer
	r := newRunner(clustering.NewSimulate(), &text, &text)
	r.out = t.TempDir() + "/t.arrow"
	if _, known := freeBytes(t.TempDir()); known {
		if err := r.preflight(run.Needs{Bytes: 1e18}); err == nil || !strings.Contains(err.Error(), "1e+06 TB") && !strings.Contains(err.Error(), "where") {
			t.Errorf("error %v", err)
		}
	}
	if err := r.preflight(run.Needs{Rows: 10, Bytes: 1e3}); err != nil || text.Len() > 0 {
		t.Errorf("a small run: %v, %q", err, &text)
	}
	if err := r.preflight(run.Needs{Rows: 1e8, Bytes: 2.1e9, Seconds: 7200}); err == nil && !strings.Contains(text.String(), "100000000 rows; this run may write 2.1 GB") {
		t.Errorf("a large run: %q", &text)
	}
}
