// Package runtest has helpers for the tests of package sde and of the packages in its folder.
package runtest

import (
	"runtime"
	"testing"
	"time"
)

// MustEnd stops all tests if this one has not ended in a minute. It is for tests that would hang on a
// failure.
func MustEnd(t *testing.T) {
	t.Helper()
	timer := time.AfterFunc(time.Minute, func() { panic(t.Name() + " does not end") })
	t.Cleanup(func() { timer.Stop() })
}

// CheckGoroutines checks that, after a tenth of a second at most, there are no more goroutines than before a
// run.
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
