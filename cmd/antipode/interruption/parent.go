package interruption

import (
	"antipode/experiments/wording"
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
)

// ParentVariable is the environment variable with the process number of the program that has started this
// program. If ParentVariable is set, the command ends, as after SIGTERM, when the named process has ended for
// whatever reason.
const ParentVariable = "ANTIPODE_PARENT"

// UntilParent returns a context that ends when the process that ParentVariable names has ended, or the given
// context if ParentVariable is not set. If the value of ParentVariable is not the number of a process,
// UntilParent returns an error.
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
		cancel(errParentEnded)
	}()
	return ctx, nil
}

// errParentEnded is the cause with which a context is cancelled when the parent process has ended.
var errParentEnded = errors.New("the process that started it has ended")
