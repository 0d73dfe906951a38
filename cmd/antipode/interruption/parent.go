package interruption

import (
	"antipode/experiments/wording"
	"context"
	"fmt"
	"os"
	"strconv"
)

// ParentVariable is the environment variable in which a program that starts this one can leave its own
// process number. Then the command ends when that process has ended, for whatever reason, as by SIGTERM.
const ParentVariable = "ANTIPODE_PARENT"

// UntilParent returns a context that ends with the process that ParentVariable names, if it is set. It is an
// error if its value is not the number of a process.
func UntilParent(ctx context.Context) (context.Context, error) {
	text := os.Getenv(ParentVariable)
	if text == "" {
		return ctx, nil
	}
	number, err := strconv.Atoi(text)
	if err != nil || number < 1 {
		return ctx, fmt.Errorf("%s=%s in the environment: must be the number of the process that starts "+
			"antipode", ParentVariable, wording.Quoted(text))
	}
	ended, err := watchParent(number)
	if err != nil {
		return ctx, fmt.Errorf("%s=%d in the environment: %w", ParentVariable, number, err)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	go func() {
		<-ended
		cancel(parentEnded{})
	}()
	return ctx, nil
}

// parentEnded is the cause of a context that has ended because the parent process has.
type parentEnded struct{}

func (parentEnded) Error() string { return "the process that started it has ended" }
