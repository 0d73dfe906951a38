// Command antipode simulates how the tokens of deep, randomly initialised
// Transformers cluster, and computes the same analytically.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	code := execute(ctx, os.Args, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}
