package interruption

import (
	"antipode/cmd/antipode/terminal"
	"context"
	"errors"
	"os"
	"os/signal"
	"slices"
	"syscall"
	"time"
)

// echo is the time within which repeated signals count as a single signal. The command timeout sends a signal
// both to the program and to its process group, and a terminal and a shell may both send the same signal.
const echo = 100 * time.Millisecond

// UntilSignal returns a context that ends when the program receives the first signal to stop. A second
// signal, at least echo (100 milliseconds) later, ends the program at once.
func UntilSignal(parent context.Context) (context.Context, context.CancelFunc) {
	if len(writeSignals) > 0 { // Ignore without arguments would ignore all signals
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
		terminal.Say(os.Stderr, "interrupted again; ended at once")
		os.Exit(stopped{last}.code())
	}()
	return ctx, func() { cancel(nil) }
}

var stopSignals = append([]os.Signal{os.Interrupt}, systemSignals...)

// stopped is the cause with which a context is cancelled when a signal stops the program.
type stopped struct{ signal os.Signal }

func (s stopped) Error() string { return s.signal.String() }

// code returns the exit code that tells a scheduler which signal ended the program. SIGUSR1, which a
// scheduler can send as a warning, gives the same code as SIGINT.
func (s stopped) code() int {
	switch s.signal {
	case syscall.SIGTERM:
		return Terminated
	case syscall.SIGHUP:
		return HangUp
	}
	return Interrupted
}

// Code returns the exit code of a command whose context has been ended by a signal or by the end of the
// parent process.
func Code(ctx context.Context) int {
	var by stopped
	switch cause := context.Cause(ctx); {
	case errors.As(cause, &by):
		return by.code()
	case errors.Is(cause, errParentEnded):
		return Terminated
	}
	return Interrupted
}
