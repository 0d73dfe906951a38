//go:build unix

package durable

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"antipode/sphere/must"
)

// A process that is killed loses nothing that it has appended, to the last piece.
func TestJournalOfAKilledProcess(t *testing.T) {
	const variable, pieces = "ANTIPODE_JOURNAL_OF_A_KILLED_PROCESS", 777
	if path := os.Getenv(variable); path != "" {
		j := openJournal(t, path, "run", DropPast)
		for k := range int64(pieces) {
			must.Do(t, j.Append(k, piece(k)))
		}
		must.Do(t, syscall.Kill(os.Getpid(), syscall.SIGKILL))
		select {}
	}
	path := filepath.Join(t.TempDir(), "j")
	command := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
	command.Env = append(os.Environ(), variable+"="+path)
	text, err := command.CombinedOutput()
	if status := command.ProcessState.Sys().(syscall.WaitStatus); !status.Signaled() ||
		status.Signal() != syscall.SIGKILL {
		t.Fatalf("%v: %s", err, text)
	}
	checkPieces(t, openJournal(t, path, "run", KeepPast), pieces)
}
