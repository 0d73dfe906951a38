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

// The exit codes HangUp, Interrupted and Terminated tell a scheduler which signal ended a command.
const (
	HangUp      = 129 // ended by SIGHUP
	Interrupted = 130 // ended by SIGINT, or by the warning of a scheduler
	Terminated  = 143 // ended by SIGTERM
)

// Error is the error of a command that was ended by a signal. The field Remains says which files the command
// leaves on the disk.
type Error struct{ Remains string }

func (e Error) Error() string { return "interrupted; " + e.Remains }

// NothingWritten is the value of Error.Remains for a command that leaves nothing on the disk.
const NothingWritten = "no file was written or changed"

// EndedBy reports whether the context has ended and err is the error of this end.
func EndedBy(ctx context.Context, err error) bool {
	return ctx.Err() != nil && errors.Is(err, ctx.Err())
}

// grace is how long a run may take to stop after a signal. After the grace time the program ends, even in the
// middle of its work.
const grace = time.Second

// UntilEnd runs an action that must end when its context is cancelled. If the action still runs one second
// (grace) after the cancellation, UntilEnd returns without waiting, and the action goes on in its own
// goroutine. The result stopped reports whether the action has ended.
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
