package interruption

import (
	"context"
	"errors"
	"fmt"
	"strings"
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
