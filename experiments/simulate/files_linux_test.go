package simulate

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/run"
	"antipode/sphere/must"
)

// countOpened starts to count, with Linux's inotify, how often a file is opened; opened returns the count.
func countOpened(t *testing.T, path string) (opened func() int) {
	t.Helper()
	watch, err := syscall.InotifyInit1(syscall.IN_NONBLOCK | syscall.IN_CLOEXEC)
	if err == nil {
		_, err = syscall.InotifyAddWatch(watch, path, syscall.IN_OPEN)
	}
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { syscall.Close(watch) })
	return func() (count int) {
		events := make([]byte, 1<<16)
		// if there was no event, it returns an error, and n is not positive
		n, _ := syscall.Read(watch, events)
		for at := 0; at < n; count++ {
			at += syscall.SizeofInotifyEvent + int(binary.NativeEndian.Uint32(events[at+12:]))
		}
		return count
	}
}

// Each input file is opened once, whatever the grid and the number of tables, from the parsing of parameters
// to the last row.
func TestFilesAreOpenedOnce(t *testing.T) {
	folder := t.TempDir()
	matrix, states := filepath.Join(folder, "B.txt"), filepath.Join(folder, "states.arrow")
	must.Do(t, os.WriteFile(matrix, []byte("1 0.5 0 0\n-2 0.25 0 0\n0 0 1 0\n0 0 0 1\n"), 0o666))
	saved := experimenttest.Table(t, smallSimulation(saveStates), run.Options{})
	must.Do(t, data.WriteFile(states, saved))
	matrixOpened, statesOpened := countOpened(t, matrix), countOpened(t, states)
	s := smallSimulation(saveOutcomes)
	seed, err := run.Configure(s, map[string]string{"interaction": matrix, "start": states, "beta": "0:3:0.1",
		"depth": "10,20", "trajectories": "2"}, false)
	if err != nil {
		t.Fatal(err)
	}
	outcomes := data.NewTable(run.Schema(s, seed))
	overlaps := data.SinkFunc(func(...data.Values) error { return nil })
	must.Do(t, s.RunTogether(t.Context(), run.Options{Seed: seed},
		run.Output{Save: saveOutcomes, Table: outcomes},
		run.Output{Save: saveOverlaps, Table: overlaps}))
	if err := s.Describe(&strings.Builder{}, outcomes); err != nil {
		t.Error(err)
	}
	if m, s := matrixOpened(), statesOpened(); m != 1 || s != 1 {
		t.Errorf("the matrix was opened %d times, the states %d times; want once each", m, s)
	}
}
