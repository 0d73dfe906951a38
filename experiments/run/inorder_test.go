package run

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"
)

// Results come in their order, whatever the number of workers, also many more than wait.
func TestInOrder(t *testing.T) {
	mustEnd(t)
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

// The first error in order ends it, wherever it comes from, and no worker goes on.
func TestInOrderEnds(t *testing.T) {
	mustEnd(t)
	var working atomic.Int64
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
			return func(_ context.Context, k int) (int, error) {
				working.Add(1)
				defer working.Add(-1)
				time.Sleep(100 * time.Microsecond)
				return k, test.result(k, cancel)
			}
		}, func(k, _ int) error {
			last = k
			return test.deliver(k, cancel)
		})
		if n := working.Load(); n != 0 {
			t.Errorf("%s: %d workers are left", name, n)
		}
		cancel()
		if !errors.Is(err, test.want) || last < 69 || last == 999 {
			t.Errorf("%s: %v after result %d", name, err, last)
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

// mustEnd ends the tests if this one has not ended in a minute: it waits for what may never come.
func mustEnd(t *testing.T) {
	t.Helper()
	timer := time.AfterFunc(time.Minute, func() { panic(t.Name() + " does not end") })
	t.Cleanup(func() { timer.Stop() })
}
