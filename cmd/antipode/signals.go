package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
)

// untilSignal returns a context that ends with the first signal to stop. A second one
// ends the program at once.
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
		<-signals
		fmt.Fprintln(os.Stderr, "antipode: interrupted again; ended at once")
		os.Exit(exitInterrupted)
	}()
	return ctx, cancel
}

var stopSignals = append([]os.Signal{os.Interrupt}, systemSignals...)
