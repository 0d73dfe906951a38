package main

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"slices"
	"syscall"
	"time"
)

// echo is how long a signal may be heard twice: timeout(1) sends it to the program and to its
// process group, a terminal and a shell both do.
const echo = 100 * time.Millisecond

// untilSignal returns a context that ends with the first signal to stop. A second one, which
// is no echo of the first, ends the program at once.
func untilSignal(parent context.Context) (context.Context, context.CancelFunc) {
	if len(writeSignals) > 0 { // none would mean all
		signal.Ignore(writeSignals...)
	}
	ctx, cancel := context.WithCancelCause(parent)
	signals := make(chan os.Signal, 2)
	heeded := slices.DeleteFunc(slices.Clone(stopSignals), signal.Ignored) // nohup ignores SIGHUP
	signal.Notify(signals, heeded...)
	go func() {
		var last os.Signal
		select {
		case last = <-signals:
			cancel(stopped{last})
		case <-ctx.Done():
			return
		}
		for first := time.Now(); time.Since(first) < echo; {
			last = <-signals
		}
		say(os.Stderr, "interrupted again; ended at once")
		os.Exit(stopped{last}.code())
	}()
	return ctx, func() { cancel(nil) }
}

var stopSignals = append([]os.Signal{os.Interrupt}, systemSignals...)

// stopped is why a context has ended: a signal.
type stopped struct{ signal os.Signal }

func (s stopped) Error() string { return s.signal.String() }

// code is the exit code by which a scheduler knows the signal. The warning that it sends ahead, if it
// is asked to, counts as an interruption.
func (s stopped) code() int {
	switch s.signal {
	case syscall.SIGTERM:
		return exitTerminated
	case syscall.SIGHUP:
		return exitHangup
	}
	return exitInterrupted
}

// interruptedBy is the exit code of a context that has ended.
func interruptedBy(ctx context.Context) int {
	var by stopped
	if errors.As(context.Cause(ctx), &by) {
		return by.code()
	}
	return exitInterrupted
}
