// Package interruption ends commands within a second after a signal, or after the process that started them
// has ended.
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

// Exit codes tell a scheduler what ended a command.
const (
	HangUp      = 129 // by SIGHUP
	Interrupted = 130 // by SIGINT, or the warning of a scheduler
	Terminated  = 143 // by SIGTERM
)

// Error is the error of a command that was ended by a signal. Remains says what is left on the disk.
type Error struct{ Remains string }

func (e Error) Error() string { return "interrupted; " + e.Remains }

// NothingWritten describes an interruption that leaves nothing on the disk.
const NothingWritten = "no file was written or changed"

// EndedBy reports whether an error says that this context has ended.
func EndedBy(ctx context.Context, err error) bool {
	return ctx.Err() != nil && errors.Is(err, ctx.Err())
}

// grace is how long a run may take to stop after a signal. After this time the program ends, even in the
// middle of its work.
const grace = time.Second

// UntilEnd runs an action that must end when its context is cancelled. If the action still runs one second
// (grace) after that, UntilEnd returns without it, and the action goes on in its own goroutine. The result
// stopped reports whether the action has ended.
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
