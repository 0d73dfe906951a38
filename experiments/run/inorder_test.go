package run

import (
	"context"
	"errors"
	"runtime"
	"testing"
	"time"
)

// Results come in their order, whatever the number of workers, also many more than wait.
func TestInOrder(t *testing.T) {
	for _, workers := range []int{0, 1, 3, 50} {
		for _, n := range []int{0, 1, 1000} {
			next := 0
			err := InOrder(t.Context(), n, workers, square, func(k, got int) error {
				if k != next || got != k*k {
					t.Errorf("%d workers: result %d is %d where %d is due", workers, k, got, next)
				}
				next++
				return nil
			})
			if err != nil || next != n {
				t.Errorf("%d workers: %d results of %d, %v", workers, next, n, err)
			}
		}
	}
}

func square() func(ctx context.Context, k int) (int, error) {
	return func(_ context.Context, k int) (int, error) { return k * k, nil }
}

// The first error in order ends it, wherever it comes from, and leaves no goroutine.
func TestInOrderEnds(t *testing.T) {
	before := runtime.NumGoroutine()
	wrong := errors.New("wrong")
	for name, test := range map[string]struct {
		result, deliver func(k int, cancel func()) error
		want            error
	}{
		"result":  {failAt(70, wrong), failAt(-1, nil), wrong},
		"deliver": {failAt(-1, nil), failAt(70, wrong), wrong},
		"context": {failAt(-1, nil), func(k int, cancel func()) error {
			if k == 70 {
				cancel()
			}
			return nil
		}, context.Canceled},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		last := -1
		err := InOrder(ctx, 1000, 4, func() func(context.Context, int) (int, error) {
			return func(_ context.Context, k int) (int, error) { return k, test.result(k, cancel) }
		}, func(k, _ int) error {
			last = k
			return test.deliver(k, cancel)
		})
		cancel()
		if !errors.Is(err, test.want) || last < 69 || last == 999 {
			t.Errorf("%s: %v after result %d", name, err, last)
		}
	}
	for deadline := time.Now().Add(5 * time.Second); runtime.NumGoroutine() > before; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%d goroutines, %d before", runtime.NumGoroutine(), before)
		}
	}
}

func failAt(place int, err error) func(k int, cancel func()) error {
	return func(k int, _ func()) error {
		if k == place {
			return err
		}
		return nil
	}
}
