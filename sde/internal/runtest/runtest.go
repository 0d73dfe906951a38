// Package runtest has helpers for the tests of package sde and of the packages in its folder.
package runtest

import (
	"runtime"
	"testing"
	"time"
)

// CheckGoroutines fails the test if there are more goroutines than before a run. CheckGoroutines waits for
// goroutines that are about to end.
func CheckGoroutines(t *testing.T, before int) {
	t.Helper()
	for range 10_000 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Errorf("%d goroutines, %d before the run", runtime.NumGoroutine(), before)
}
