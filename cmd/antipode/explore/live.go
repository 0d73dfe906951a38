package explore

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"net/http"
	"sync"

	"antipode/cmd/antipode/commandline"
	"antipode/experiments/simulate"
)

// What one trajectory on the page may be.
const (
	mostTokens = 200
	mostDim    = 1000
	mostLayers = 1_000_000
	mostFrames = 1 << 20 // numbers in an answer
)

// liveQuestion asks for some layers of a trajectory: those from one on, at least 0, with a step of at least
// 1, and at the end the last.
type liveQuestion struct {
	Page   string            `json:"page"`
	Given  map[string]string `json:"given"`
	From   int64             `json:"from"`
	Step   int64             `json:"step"`
	Frames int               `json:"frames"`
}

// liveProblem is the answer where there is something wrong.
type liveProblem struct {
	Problems map[string]string `json:"problems"`
	Problem  string            `json:"problem"`
}

// live answers with layers of trajectory 0 of the run with a seed, as little-endian float64: the numbers of
// tokens, of dimensions, of layers of the whole, of frames, and whether the last of them is the end; then of
// each frame layer, outcome, antipodal pair, energy of its largest value, the overlaps with the first token,
// and the tokens.
func (s *Server) live(w http.ResponseWriter, r *http.Request) {
	var asked liveQuestion
	if !question(w, r, &asked) {
		return
	}
	open := s.openPage(w, asked.Page)
	if open == nil {
		return
	}
	c, watched := s.watched(asked.Given)
	if !c.ok() {
		answer(w, http.StatusUnprocessableEntity, liveProblem{c.problems, c.problem})
		return
	}
	asked.From, asked.Step = max(0, asked.From), max(1, min(asked.Step, mostLayers))
	numbers := 4 + int(watched.Tokens)*int(watched.Dim+1)
	asked.Frames = max(1, min(asked.Frames, mostFrames/numbers))
	frames, err := open.watching.look(r.Context(), watched, c.seed, asked)
	if err != nil {
		if r.Context().Err() == nil {
			answer(w, http.StatusUnprocessableEntity, liveProblem{Problem: spoken(err)})
		}
		return
	}
	layers := math.Round(watched.Horizon * float64(watched.Depth))
	count := len(frames) / numbers
	end := 0.0
	if count == 0 || frames[(count-1)*numbers] == layers {
		end = 1
	}
	w.Header().Set("Antipode-Command", headerText(c.Line("live.arrow")))
	content := make([]byte, 0, 8*(5+len(frames)))
	head := []float64{float64(watched.Tokens), float64(watched.Dim), layers, float64(count), end}
	for _, x := range append(head, frames...) {
		content = binary.LittleEndian.AppendUint64(content, math.Float64bits(x))
	}
	answerBytes(w, http.StatusOK, "application/octet-stream", content)
}

// headerText is a text as JSON of visible ASCII, which is what a header may hold.
func headerText(text string) string {
	quoted, err := json.Marshal(text)
	if err != nil {
		panic(err) // it is a string
	}
	var ascii []byte
	for _, r := range string(quoted) {
		if r < 0x80 {
			ascii = append(ascii, byte(r))
		} else if r < 0x10000 {
			ascii = fmt.Appendf(ascii, `\u%04x`, r)
		}
	}
	return string(ascii)
}

// watched is the simulation that is watched, and its configuration, whose command saves the same states.
func (s *Server) watched(given map[string]string) (*configured, *simulate.Experiment) {
	c, err := s.configure(commandline.Setting{Command: simulate.New().Name(), Given: given})
	if err != nil {
		panic(err) // the registry has it
	}
	if !c.ok() {
		return c, nil
	}
	watched, err := c.experiment.(*simulate.Experiment).Watched()
	if c.note(err); !c.ok() {
		return c, nil
	}
	layers := watched.Horizon * float64(watched.Depth)
	for _, bound := range []struct {
		name    string
		holds   bool
		problem string
	}{
		{"tokens", watched.Tokens >= 2 && watched.Tokens <= mostTokens,
			fmt.Sprintf("must be from 2 to %d on this page", mostTokens)},
		{"dim", watched.Dim <= mostDim, fmt.Sprintf("must be at most %d on this page", mostDim)},
		{"horizon", layers <= mostLayers,
			fmt.Sprintf("these are %.0f layers; must be at most %d on this page", layers, mostLayers)},
	} {
		if !bound.holds {
			c.problems[bound.name] = bound.problem
		}
	}
	c.Given = saving(c.Given, watched)
	return c, watched
}

// saving are the values given with those that make the command save what is watched.
func saving(given map[string]string, watched *simulate.Experiment) map[string]string {
	with := map[string]string{}
	maps.Copy(with, given)
	for _, p := range watched.Parameters() {
		switch p.Name {
		case "save", "every", "trajectories":
			with[p.Name] = p.Value.String()
		}
	}
	return with
}

// watching is the trajectory that a page watches. It goes on from one request to the next, and waits
// between them.
type watching struct {
	mutex   sync.Mutex // held while a request is answered
	current *trajectory
	ending  sync.Mutex
	cancel  context.CancelFunc
	ended   bool
}

// trajectory is one under way.
type trajectory struct {
	key  string
	asks chan *frameRequest
	done chan struct{} // closed when it is at its end
	err  error         // then
}

// frameRequest asks for the frames of some layers of a trajectory.
type frameRequest struct {
	next, step int64
	left       int
	frames     []float64
	late       bool          // the trajectory is past them
	answered   chan struct{} // closed when all are there
}

// look returns the frames that are asked for. It begins anew where the trajectory is another one or already
// past them.
func (t *watching) look(
	ctx context.Context,
	e *simulate.Experiment,
	seed uint64,
	asked liveQuestion,
) ([]float64, error) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	text, err := json.Marshal(e)
	if err != nil {
		return nil, err
	}
	key := fmt.Sprint(seed, string(text))
	horizon := int64(math.Round(e.Horizon * float64(e.Depth)))
	for {
		if t.current == nil || t.current.key != key {
			if !t.begin(e, seed, key, horizon) {
				return nil, context.Canceled
			}
		}
		g := &frameRequest{
			next:     min(asked.From, horizon),
			step:     asked.Step,
			left:     asked.Frames,
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
		case <-now.done: // the last frames may have come with it
			if now.err != nil {
				t.current = nil
				return nil, now.err
			}
			<-g.answered
		case <-ctx.Done(): // it has half of them
			t.stop()
			return nil, ctx.Err()
		}
		if !g.late {
			return g.frames, nil
		}
		t.stop()
	}
}

// begin begins a trajectory in place of the present one; not if the page has closed.
func (t *watching) begin(e *simulate.Experiment, seed uint64, key string, horizon int64) bool {
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
		now.err = now.run(ctx, e, seed, horizon)
	}()
	return true
}

// run answers what is asked, for as long as the trajectory goes.
func (t *trajectory) run(ctx context.Context, e *simulate.Experiment, seed uint64, horizon int64) error {
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
	return e.Watch(ctx, seed, wanted, func(s *simulate.Frame) error {
		pair := 0.0
		if s.Pair {
			pair = 1
		}
		asked.frames = append(asked.frames, float64(s.Layer), float64(s.Outcome), pair, s.Energy)
		asked.frames = append(append(asked.frames, s.Overlaps...), s.Tokens...)
		asked.next = min(asked.next+asked.step, horizon)
		if asked.left--; asked.left == 0 || s.Layer == horizon {
			close(asked.answered)
			asked = nil
		}
		return nil
	})
}

// stop ends the present trajectory and waits for that.
func (t *watching) stop() {
	if t.current == nil {
		return
	}
	t.cancel()
	<-t.current.done
	t.current = nil
}

// end ends what is watched for good.
func (t *watching) end() {
	t.ending.Lock()
	defer t.ending.Unlock()
	if t.ended = true; t.cancel != nil {
		t.cancel()
	}
}
