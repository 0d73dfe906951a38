package main

import (
	"bytes"
	"context"
	"math"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"antipode/cmd/antipode/interruption"
	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/field"
	"antipode/experiments/run"
	"antipode/sphere/must"
)

// If a table's rows are not those that its run computes, rerun names the first row that differs.
func TestRerunOfAnotherTable(t *testing.T) {
	t.Chdir(t.TempDir())
	var stdout, stderr bytes.Buffer
	arguments := strings.Fields("antipode tokens --quiet --tokens 2,3 --beta 1 --trajectories 20 " +
		"--depth 10 --horizon 5 --out t.arrow")
	if code := execute(t.Context(), arguments, &stdout, &stderr); code != exitDone {
		t.Fatalf("exit code %d: %s", code, &stderr)
	}
	table, err := data.ReadFile("t.arrow")
	if err != nil {
		t.Fatal(err)
	}
	for change, want := range map[string]string{
		"value":   "t.arrow: row 1, column single: ",
		"null":    "t.arrow: row 0, column p_single: null in the file, ",
		"fewer":   "t.arrow: has only 1 row\n",
		"more":    "t.arrow: has 4 rows, not 2",
		"version": "this program is version",
		"seed":    `antipode.seed "x": must be`,
		"shard":   `t.arrow: antipode.shard "2/2": `,
	} {
		changed := data.NewTable(table.Schema)
		changed.Schema.Metadata = append([]data.Entry(nil), table.Schema.Metadata...)
		switch change {
		case "fewer":
			err = changed.Write(table.Slice(0, 1).Columns...)
		case "more":
			err = changed.Write(table.Columns...)
			fallthrough
		default:
			if err == nil {
				err = changed.Write(table.Columns...)
			}
		}
		if err != nil {
			t.Fatal(err)
		}
		switch change {
		case "value":
			single := must.Get(data.ValuesOf[int64](changed, "single"))(t)
			single[1]++
		case "null":
			single := must.Get(data.ValuesOf[float64](changed, "p_single"))(t)
			single[0] = math.NaN()
		case "version":
			changed.Schema.Metadata[3].Value = "0"
		case "seed":
			changed.Schema.Metadata[2].Value = "x"
		case "shard":
			changed.Schema.Metadata = append(changed.Schema.Metadata,
				data.Entry{Key: run.KeyShard, Value: "2/2"})
		}
		must.Do(t, data.WriteFile("t.arrow", changed))
		stderr.Reset()
		code := execute(t.Context(), []string{"antipode", "rerun", "t.arrow", "--quiet"}, &stdout, &stderr)
		if code != exitFailed || strings.Count(stderr.String(), "\n") != 1 ||
			!strings.Contains(stderr.String(), want) {
			t.Errorf("%s: exit code %d, %q, want %q", change, code, &stderr, want)
		}
	}
}

// A table that says that it is a shard, of a command that has no shards, is refused.
func TestRerunOfAShardOfNoShards(t *testing.T) {
	t.Chdir(t.TempDir())
	table := experimenttest.Table(t, field.New(), run.Options{Seed: 1})
	table.Schema.Metadata = append(table.Schema.Metadata, data.Entry{Key: run.KeyShard, Value: "0/2"})
	must.Do(t, data.WriteFile("f.arrow", table))
	var stdout, stderr bytes.Buffer
	code := execute(t.Context(), []string{"antipode", "rerun", "f.arrow", "--quiet"}, &stdout, &stderr)
	if code != exitFailed || stderr.String() != "antipode: f.arrow: field has no shards\n" {
		t.Errorf("exit code %d, %q", code, &stderr)
	}
}

// An interrupted run keeps the finished pieces, and when it is resumed it writes the same file as an
// undisturbed run. The goroutines of engine, writer and journal end when it is interrupted.
func TestInterruptedRunGoesOn(t *testing.T) {
	mustEnd(t)
	t.Chdir(t.TempDir())
	var stdout, stderr bytes.Buffer
	arguments := strings.Fields("antipode phase --quiet --dim 3 --beta 1 --law uniform --trajectories 2000 " +
		"--depth 50 --horizon 40 --no-shortcuts --out")
	if code := execute(t.Context(), append(arguments, "whole.arrow"), &stdout, &stderr); code != exitDone {
		t.Fatalf("exit code %d: %s", code, &stderr)
	}
	before := runtime.NumGoroutine()
	stops := 0
	for code := interruption.Interrupted; code != exitDone; stops++ {
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			before := size("t.arrow.partial")
			for size("t.arrow.partial") < before+2000 && ctx.Err() == nil {
				time.Sleep(time.Millisecond)
			}
			cancel()
		}()
		stderr.Reset()
		code = execute(ctx, append(arguments, "t.arrow", "--resume"), &stdout, &stderr)
		cancel()
		if code != exitDone && (code != interruption.Interrupted ||
			!strings.Contains(stderr.String(), "t.arrow.partial")) {
			t.Fatalf("exit code %d: %s", code, &stderr)
		}
	}
	t.Logf("%d runs", stops)
	for deadline := time.Now().Add(time.Minute); runtime.NumGoroutine() > before; {
		time.Sleep(time.Millisecond)
		if time.Now().After(deadline) {
			t.Fatalf("%d goroutines, %d before the runs", runtime.NumGoroutine(), before)
		}
	}
	want := must.Get(os.ReadFile("whole.arrow"))(t)
	if got, err := os.ReadFile("t.arrow"); err != nil || !bytes.Equal(got, want) {
		t.Errorf("another file, %v", err)
	}
}

func size(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.Size()
}
