package experiments

import (
	"context"
	"errors"
	"maps"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"antipode/data"
	"antipode/experiments/phase"
	"antipode/experiments/run"
	"antipode/internal/longtest"
	"antipode/sde"
	"antipode/sphere/must"
)

// goroutines returns the stacks of all goroutines, by their numbers.
func goroutines() map[string]string {
	text := make([]byte, 1<<20)
	for {
		n := runtime.Stack(text, true)
		if n < len(text) {
			text = text[:n]
			break
		}
		text = make([]byte, 2*len(text))
	}
	stacks := map[string]string{}
	for stack := range strings.SplitSeq(string(text), "\n\n") {
		number, _, _ := strings.Cut(strings.TrimPrefix(stack, "goroutine "), " ")
		stacks[number] = stack
	}
	return stacks
}

// leavesNone fails the test if a goroutine that f starts is still there after f has returned. It waits up to
// ten seconds for goroutines that are about to end.
func leavesNone(t *testing.T, what string, f func()) {
	t.Helper()
	before := goroutines()
	f()
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(time.Millisecond) {
		left := goroutines()
		maps.DeleteFunc(left, func(number, stack string) bool {
			_, old := before[number]
			return old || !strings.Contains(stack, "\nantipode/")
		})
		if len(left) == 0 {
			return
		}
		if time.Now().After(deadline) {
			for _, stack := range left {
				t.Fatalf("%s: %d goroutines are left, one of them\n%s", what, len(left), stack)
			}
		}
	}
}

var errWrite = errors.New("no room on the disk")

// No goroutine of any experiment outlives a run that fails or is cancelled.
func TestNoGoroutineIsLeft(t *testing.T) {
	longtest.Only(t)
	for _, e := range All() {
		quick(e)
		options := run.Options{Seed: 1, Workers: 3}
		leavesNone(t, e.Name()+", a failing write", func() {
			err := e.Run(t.Context(), options, data.SinkFunc(func(...data.Values) error { return errWrite }))
			if !errors.Is(err, errWrite) {
				t.Errorf("%s: error %v of a failing write", e.Name(), err)
			}
		})
		leavesNone(t, e.Name()+", cancelled before", func() {
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			err := e.Run(ctx, options, data.SinkFunc(func(...data.Values) error { return nil }))
			if !errors.Is(err, context.Canceled) {
				t.Errorf("%s: error %v of a run that is cancelled before", e.Name(), err)
			}
		})
		leavesNone(t, e.Name()+", cancelled at the first row", func() {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			_ = e.Run(ctx, options, data.SinkFunc(func(...data.Values) error { cancel(); return nil }))
		})
	}
}

// No goroutine outlives a merge that fails or is cancelled. Where the theory is computed concurrently, there
// are far more cells than can be computed in the time that leavesNone waits.
func TestNoGoroutineOfAMergeIsLeft(t *testing.T) {
	longtest.Only(t)
	for _, e := range divisible() {
		if testing.Short() && e.Name() != "phase" && e.Name() != "stability" {
			continue
		}
		if p, ok := e.(*phase.Experiment); ok {
			p.Trajectories, p.Dim, p.Depth, p.Horizon, p.Beta = 1, []int{3}, 100, 20, nil
			for k := range 2000 {
				p.Beta = append(p.Beta, 0.001*float64(k+1))
			}
		}
		path := filepath.Join(t.TempDir(), "shard.arrow")
		part := sde.Part{Number: 0, Of: 1}
		writeRun(t, path, e, run.ShardSchema(e, 1, part), run.Options{Seed: 1, Part: part})
		merge := func(ctx context.Context, table data.Sink) error {
			shards := must.Get(OpenShards([]string{path}))(t)
			defer shards.Close()
			return e.Run(ctx, run.Options{Seed: 1, Workers: 2, Shards: shards.Readers}, table)
		}
		leavesNone(t, e.Name()+", a failing write of a merge", func() {
			err := merge(t.Context(), data.SinkFunc(func(...data.Values) error { return errWrite }))
			if !errors.Is(err, errWrite) {
				t.Errorf("%s: error %v of a failing write", e.Name(), err)
			}
		})
		leavesNone(t, e.Name()+", a merge that is cancelled", func() {
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			_ = merge(ctx, data.SinkFunc(func(...data.Values) error { return errWrite }))
		})
	}
}
