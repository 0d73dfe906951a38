package main

import (
	"context"
	"errors"
	"io"
	"os"
	"testing"
	"time"

	"antipode/sphere/must"
)

// If a command ends while it copies a table from standard input, which may wait for ever, the copy is
// removed.
func TestInterruptedCopyOfStandardInput(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("TMPDIR", folder) // Unix
	t.Setenv("TMP", folder)    // Windows
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	input, output := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- new(inspection).printStream(ctx, input, io.Discard) }()
	must.Get(output.Write([]byte("ARROW1")))(t) // returns when the copy has begun
	if files := must.Get(os.ReadDir(folder))(t); len(files) != 1 {
		t.Fatalf("files %v", files)
	}
	cancel()
	for len(must.Get(os.ReadDir(folder))(t)) > 0 { // until the test takes too long
		time.Sleep(time.Millisecond)
	}
	must.Do(t, output.Close())
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
