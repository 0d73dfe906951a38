// Package longtest separates tests that take long from those of go test ./... . Tests that take long run with
// the build tag long, as in .ci/commit and .ci/run.
//
//	longtest.Only(t)                          // skips the test without the tag
//	trajectories := longtest.Choose(100, 1e5) // 1e5 with the tag
package longtest

import "testing"

// Only skips the test unless it is compiled with the tag long.
func Only(t testing.TB) {
	t.Helper()
	if !Enabled {
		t.Skip("takes long: runs with -tags long")
	}
}

// Choose returns the value for tests compiled with the tag long, or else the value for quick tests.
func Choose[V any](quick, long V) V {
	if Enabled {
		return long
	}
	return quick
}
