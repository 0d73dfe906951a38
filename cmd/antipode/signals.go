package main

import (
	"context"
	"os"
	"os/signal"
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
	ctx, cancel := context.WithCancel(parent)
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, stopSignals...)
	go func() {
		select {
		case <-signals:
			cancel()
		case <-ctx.Done():
			return
		}
		for first := time.Now(); time.Since(first) < echo; {
			<-signals
		}
		say(os.Stderr, "interrupted again; ended at once")
		os.Exit(exitInterrupted)
	}()
	return ctx, cancel
}

var stopSignals = append([]os.Signal{os.Interrupt}, systemSignals...)
