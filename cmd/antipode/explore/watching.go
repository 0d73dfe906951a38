package explore

import (
	"context"
	"sync"
	"time"

	"antipode/experiments/simulate"
)

// watching is the trajectory that a page shows in motion. After each request of the page the trajectory
// waits, and the next request continues it.
type watching struct {
	patience time.Duration // time after which an answer has only the frames computed so far, but at least one
	mutex    sync.Mutex    // held while a request is answered
	current  *trajectory
	ending   sync.Mutex
	cancel   context.CancelFunc
	ended    bool
}

// key returns a text that identifies the scene.
func (s *scene) key() string {
	return string(inJSON([]any{s.seed, s.attention, s.first, s.second}))
}

// trajectory is a simulation in progress, of one trajectory or of two trajectories on the same noise.
type trajectory struct {
	key  string
	asks chan *frameRequest
	done chan struct{} // closed when the trajectory ends
	err  error         // error of the simulation; set before done is closed
}

// frameRequest is a request for the frames of some layers of a trajectory.
type frameRequest struct {
	next, step int64
	left       int
	until      time.Time // time at which the frames computed so far are enough
	frames     []float64
	late       bool          // whether the trajectory is already past the layers of the request
	answered   chan struct{} // closed when frames is complete
}

// look returns the frames of a scene that the page has asked for. If another trajectory is running, or if the
// running trajectory is already past the layers of the request, look starts the trajectory of the scene from
// the beginning.
func (t *watching) look(ctx context.Context, of *scene, asked liveQuestion) ([]float64, error) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	key := of.key()
	for {
		if t.current == nil || t.current.key != key {
			if !t.begin(of, key) {
				return nil, context.Canceled
			}
		}
		g := &frameRequest{
			next:     min(asked.From, of.horizon()),
			step:     asked.Step,
			left:     asked.Frames,
			until:    time.Now().Add(t.patience),
			answered: make(chan struct{}),
		}
		now := t.current
		select {
		case now.asks <- g:
		case <-now.done:
			t.current = nil
			if now.err != nil {
				return nil, now.err
			}
			continue
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		select {
		case <-g.answered:
		case <-now.done: // the last frames may be complete
			if now.err != nil {
				t.current = nil
				return nil, now.err
			}
			<-g.answered
		case <-ctx.Done(): // only some of the frames have been computed
			t.stop()
			return nil, ctx.Err()
		}
		if !g.late {
			return g.frames, nil
		}
		t.stop()
	}
}

// begin replaces the current trajectory by a new trajectory of a scene, unless the page has closed.
func (t *watching) begin(of *scene, key string) bool {
	t.stop()
	ctx, cancel := context.WithCancel(context.Background())
	t.ending.Lock()
	defer t.ending.Unlock()
	if t.ended {
		cancel()
		return false
	}
	t.cancel = cancel
	now := &trajectory{key: key, asks: make(chan *frameRequest), done: make(chan struct{})}
	t.current = now
	go func() {
		defer close(now.done)
		defer cancel()
		now.err = now.run(ctx, of)
	}()
	return true
}

// run simulates the trajectory and answers requests for frames until the trajectory ends.
func (t *trajectory) run(ctx context.Context, of *scene) error {
	var asked *frameRequest
	wanted := func(layer int64) bool {
		for {
			if asked == nil {
				select {
				case asked = <-t.asks:
				case <-ctx.Done():
					return false
				}
			}
			if asked.next >= layer {
				return asked.next == layer
			}
			asked.late = true
			close(asked.answered)
			asked = nil
		}
	}
	horizon := of.horizon()
	see := func(frames ...*simulate.Frame) error {
		for _, f := range frames {
			asked.add(f)
		}
		asked.next = min(asked.next+asked.step, horizon)
		asked.left--
		if asked.left == 0 || frames[0].Layer == horizon || time.Now().After(asked.until) {
			close(asked.answered)
			asked = nil
		}
		return nil
	}
	look := simulate.Look{Seed: of.seed, Attention: of.attention, Wanted: wanted}
	if of.second == nil {
		return of.first.Watch(ctx, look, func(f *simulate.Frame) error { return see(f) })
	}
	return of.first.Compare(ctx, of.second, look, func(f [2]*simulate.Frame) error { return see(f[:]...) })
}

// add appends a frame of one trajectory to the frames of a request.
func (g *frameRequest) add(f *simulate.Frame) {
	pair := 0.0
	if f.Pair {
		pair = 1
	}
	g.frames = append(g.frames, float64(f.Layer), float64(f.Outcome), pair, f.Energy)
	g.frames = append(append(append(g.frames, f.Overlaps...), f.Tokens...), f.Weights...)
}

// stop ends the current trajectory and waits for its end.
func (t *watching) stop() {
	if t.current == nil {
		return
	}
	t.cancel()
	<-t.current.done
	t.current = nil
}

// end stops the current trajectory, and lets no further trajectory begin.
func (t *watching) end() {
	t.ending.Lock()
	defer t.ending.Unlock()
	if t.ended = true; t.cancel != nil {
		t.cancel()
	}
}
