package main

import (
	"context"
	"errors"
	"time"

	"github.com/urfave/cli/v2"
)

// interruption is the end of a command by a signal, and says what it leaves.
type interruption struct{ remains string }

func (i interruption) Error() string { return "interrupted; " + i.remains }

const nothingWritten = "no file was written or changed"

// endedBy reports whether an error is that the context has ended.
func endedBy(ctx context.Context, err error) bool {
	return ctx.Err() != nil && errors.Is(err, ctx.Err())
}

// grace is how long a run may take to stop at a signal; after it the program ends with
// what is on the way unfinished.
const grace = time.Second

// untilEnd runs an action that ends with a context, and reports whether it has. It does
// not wait for one that goes on for more than the grace.
func untilEnd(ctx context.Context, action func() error) (stopped bool, err error) {
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

// interruptible is an action that does not look at its context, made to end with it.
func interruptible(action cli.ActionFunc) cli.ActionFunc {
	return func(c *cli.Context) error {
		_, err := untilEnd(c.Context, func() error { return action(c) })
		return err
	}
}
