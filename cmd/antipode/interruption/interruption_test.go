package interruption

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
)

// UntilEnd returns the error of an action that ends when its context does, and does not wait longer than the
// grace for one that goes on.
func TestUntilEnd(t *testing.T) {
	failed := errors.New("it failed")
	if stopped, err := UntilEnd(t.Context(), func() error { return failed }); !stopped || err != failed {
		t.Errorf("%v, %v", stopped, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	stopped, err := UntilEnd(ctx, func() error {
		cancel()
		<-ctx.Done()
		return fmt.Errorf("its own: %w", ctx.Err())
	})
	if !stopped || !EndedBy(ctx, err) || !strings.HasPrefix(err.Error(), "its own") {
		t.Errorf("%v, %v", stopped, err)
	}
	if EndedBy(t.Context(), context.Canceled) || EndedBy(ctx, failed) {
		t.Error("ended by a context that has not, or by another error")
	}
	release := make(chan struct{})
	defer close(release)
	if stopped, err := UntilEnd(ctx, func() error { <-release; return nil }); stopped ||
		err != context.Canceled {
		t.Errorf("%v, %v", stopped, err)
	}
}

// The exit code says which signal has ended a command, or that its parent has; what is no signal of its own
// counts as an interruption.
func TestCode(t *testing.T) {
	for cause, want := range map[error]int{stopped{os.Interrupt}: 130, stopped{syscall.SIGTERM}: 143,
		stopped{syscall.SIGHUP}: 129, stopped{syscall.SIGPIPE}: 130, errParentEnded: 143,
		context.Canceled: 130} {
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(cause)
		if got := Code(ctx); got != want {
			t.Errorf("%v: exit code %d, want %d", cause, got, want)
		}
	}
	if text := (stopped{syscall.SIGTERM}).Error(); text != "terminated" {
		t.Error(text)
	}
}
