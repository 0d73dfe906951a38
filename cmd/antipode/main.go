// Command antipode simulates how the tokens of deep, randomly initialised Transformers cluster, and computes
// the same quantities analytically.
package main

import (
	"antipode/cmd/antipode/interruption"
	"context"
	"os"
)

func main() {
	ctx, stop := interruption.UntilSignal(context.Background())
	code := execute(ctx, os.Args, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}
