package ordered_test

import (
	"context"
	"fmt"
	"log"

	"antipode/sde/ordered"
)

func Example() {
	err := ordered.Each(context.Background(), 4, 10, nil, // workers, items, no checkpoint
		func() func(context.Context, int64) (int64, error) { // for each worker
			return func(_ context.Context, item int64) (int64, error) { return item * item, nil }
		},
		func(item, square int64) error { // in the order of items
			_, err := fmt.Print(square, " ")
			return err
		})
	if err != nil {
		log.Fatal(err)
	}
	// Output: 0 1 4 9 16 25 36 49 64 81
}
