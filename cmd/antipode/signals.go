package main

import (
	"context"
	"os"
	"os/signal"
)

// untilSignal returns a context that ends with the first signal to stop. A second one
// ends the program at once.
func untilSignal(parent context.Context) (context.Context, context.CancelFunc) {
	if len(writeSignals) > 0 { // none would mean all
		signal.Ignore(writeSignals...)
	}
	ctx, stop := signal.NotifyContext(parent, stopSignals...)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}

var stopSignals = append([]os.Signal{os.Interrupt}, systemSignals...)
