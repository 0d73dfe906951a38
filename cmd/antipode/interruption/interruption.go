// Package interruption ends commands at a signal, or with the process that has started them, within a second.
//
//	ctx, stop := interruption.UntilSignal(context.Background())
//	defer stop()
//	_, err := interruption.UntilEnd(ctx, func() error { return command(ctx) })
//	if interruption.EndedBy(ctx, err) {
//		os.Exit(interruption.Code(ctx))
//	}
package interruption

import (
	"context"
	"errors"
	"time"
)

// Exit codes, by which a scheduler knows what ended a command.
const (
	HangUp      = 129 // by SIGHUP
	Interrupted = 130 // by SIGINT, or the warning of a scheduler
	Terminated  = 143 // by SIGTERM
)

// Error is the end of a command by a signal, and says what remains of it.
type Error struct{ Remains string }

func (e Error) Error() string { return "interrupted; " + e.Remains }

// NothingWritten describes an interruption that leaves nothing on the disk.
const NothingWritten = "no file was written or changed"

// EndedBy reports whether an error is that the context has ended.
func EndedBy(ctx context.Context, err error) bool {
	return ctx.Err() != nil && errors.Is(err, ctx.Err())
}

// grace is how long a run may take to stop at a signal; after that the program ends and
// leaves its current work unfinished.
const grace = time.Second

// UntilEnd runs an action that ends with a context, and reports whether it has. It does
// not wait for one that goes on for more than the grace.
func UntilEnd(ctx context.Context, action func() error) (stopped bool, err error) {
	done := make(chan error, 1)
	go func() { done <- action() }()
	select {
	case err := <-done:
		return true, err
	case <-ctx.Done():
	}
	select {
	case err := <-done:
		return true, err
	case <-time.After(grace):
		return false, ctx.Err()
	}
}
