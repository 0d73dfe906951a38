package ordered

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"
)

// Results are delivered in the order of the items, for any number of workers, and if there are many more
// items than may wait for delivery.
func TestEach(t *testing.T) {
	for _, workers := range []int{0, 1, 3, 50} {
		for _, n := range []int64{0, 1, 1000} {
			next := int64(0)
			err := Each(t.Context(), workers, n, nil, square, func(k, got int64) error {
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

func square() func(ctx context.Context, k int64) (int64, error) {
	return func(_ context.Context, k int64) (int64, error) { return k * k, nil }
}

// The first error in the order of the items ends the run, whether it comes from an item, from deliver or from
// the context, and stops all workers.
func TestEachEnds(t *testing.T) {
	var working atomic.Int64
	wrong := errors.New("wrong")
	for name, test := range map[string]struct {
		result, deliver func(k int64, cancel func()) error
		want            error
	}{
		"result":  {failAt(70, wrong), failAt(-1, nil), wrong},
		"deliver": {failAt(-1, nil), failAt(70, wrong), wrong},
		"context": {failAt(-1, nil), func(k int64, cancel func()) error {
			if k == 70 {
				cancel()
			}
			return nil
		}, context.Canceled},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		last := int64(-1)
		err := Each(ctx, 4, 1000, nil, func() func(context.Context, int64) (int64, error) {
			return func(_ context.Context, k int64) (int64, error) {
				working.Add(1)
				defer working.Add(-1)
				time.Sleep(100 * time.Microsecond)
				return k, test.result(k, cancel)
			}
		}, func(k, _ int64) error {
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

func failAt(place int64, err error) func(k int64, cancel func()) error {
	return func(k int64, _ func()) error {
		if k == place {
			return err
		}
		return nil
	}
}

// When a run ends, the contexts of the items that are still computed are done, and the run waits for these
// computations.
func TestEachTellsWorkersOfTheEnd(t *testing.T) {
	wrong := errors.New("wrong")
	var told atomic.Int64
	err := Each(t.Context(), 3, 3, nil, func() func(context.Context, int64) (int64, error) {
		return func(ctx context.Context, k int64) (int64, error) {
			if k == 0 {
				time.Sleep(time.Millisecond)
				return k, wrong
			}
			<-ctx.Done()
			told.Add(1)
			return k, nil
		}
	}, func(int64, int64) error { t.Error("an item is delivered"); return nil })
	if n := told.Load(); err != wrong || n > 2 {
		t.Errorf("error %v, %d workers told", err, n)
	}
}

// squares is a checkpoint that holds every third item, but fails to read item 27, the last of these.
type squares struct{ kept [30]atomic.Bool }

func (*squares) Has(item int64) bool { return item%3 == 0 }

func (*squares) Read(item int64) (int64, error) {
	if item == 27 {
		return 0, errors.New("lost")
	}
	return item * item, nil
}

func (s *squares) Keep(item, _ int64) error {
	if s.kept[item].Swap(true) {
		return errors.New("twice")
	}
	return nil
}

// Items that the checkpoint holds are not computed, and all others are stored in it. An error of the
// checkpoint ends the run.
func TestEachTakesFromTheCheckpoint(t *testing.T) {
	var s squares
	next := int64(0)
	err := Each(t.Context(), 4, 30, &s, func() func(context.Context, int64) (int64, error) {
		return func(_ context.Context, k int64) (int64, error) {
			if k%3 == 0 {
				t.Errorf("item %d is computed again", k)
			}
			return k * k, nil
		}
	}, func(k, got int64) error {
		if k != next || got != k*k {
			t.Errorf("result %d is %d where %d is due", k, got, next)
		}
		next++
		return nil
	})
	if err == nil || err.Error() != "lost" || next != 27 {
		t.Errorf("error %v after %d items", err, next)
	}
	for k := range s.kept[:27] {
		if s.kept[k].Load() != (k%3 != 0) {
			t.Errorf("item %d is kept: %v", k, s.kept[k].Load())
		}
	}
}

// While the first result is late, exactly 16 items for each worker are begun. The results are then delivered
// in their order.
func TestResultsDoNotOvertake(t *testing.T) {
	const workers, n = 4, 1000
	var begun atomic.Int64
	released := make(chan struct{})
	go func() {
		deadline := time.Now().Add(30 * time.Second)
		for begun.Load() < 16*workers && time.Now().Before(deadline) {
			time.Sleep(time.Millisecond)
		}
		time.Sleep(50 * time.Millisecond) // time in which further items could begin
		if got := begun.Load(); got != 16*workers {
			t.Errorf("%d results are begun while the first is late, want %d", got, 16*workers)
		}
		close(released)
	}()
	next := int64(0)
	err := Each(t.Context(), workers, n, nil, func() func(ctx context.Context, k int64) (int64, error) {
		return func(_ context.Context, k int64) (int64, error) {
			if begun.Add(1); k == 0 {
				<-released
			}
			return 3 * k, nil
		}
	}, func(k, result int64) error {
		if k != next || result != 3*k {
			t.Errorf("result %d is %d where %d is due", k, result, next)
		}
		next++
		return nil
	})
	if err != nil || next != n {
		t.Errorf("%d results, error %v", next, err)
	}
}

// A run whose workers have ended because its context has ended returns the error of the context, and no
// result that was not computed, whichever of the two it notices first.
func TestCollectAfterTheEnd(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	q := Queue[int]{results: make(chan delivery[int])}
	close(q.results)
	for range 100 {
		if r, err := q.collect(ctx); err != context.Canceled {
			t.Fatalf("result %v, error %v", r, err)
		}
	}
}
