//go:build long

package sde

import (
	"testing"
	"time"
)

// The prediction is within a factor of the time that a run takes; the factor is
// wide, as machines are shared.
func TestSeconds(t *testing.T) {
	var rows []record
	e := recording([]Cell{pairCell()}, 64, 50_000, &rows)
	predicted := e.Seconds()
	start := time.Now()
	runAll(t, e, &rows)
	if actual := time.Since(start).Seconds(); predicted > 30*actual || predicted < actual/30 {
		t.Errorf("predicted %.3g s, took %.3g s", predicted, actual)
	}
}
