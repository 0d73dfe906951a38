// Package runtest helps the tests of package sde and of what is below it.
package runtest

import (
	"runtime"
	"testing"
	"time"
)

// MustEnd ends the tests if this one has not ended in a minute: it waits for what may never come.
func MustEnd(t *testing.T) {
	t.Helper()
	timer := time.AfterFunc(time.Minute, func() { panic(t.Name() + " does not end") })
	t.Cleanup(func() { timer.Stop() })
}

// CheckGoroutines checks that there are no more goroutines than there were before a run, at once or soon.
func CheckGoroutines(t *testing.T, before int) {
	t.Helper()
	for range 100 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Errorf("%d goroutines, %d before the run", runtime.NumGoroutine(), before)
}
