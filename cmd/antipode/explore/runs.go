package explore

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"antipode/data"
	"antipode/experiments"
	"antipode/experiments/run"
)

const (
	mostRuns  = 8         // number of finished runs that are not dropped, and of the current run
	mostTable = 128 << 20 // largest size, in bytes, of one table, and of all tables of earlier runs
)

// runs holds the runs of experiments that were started on the page, the oldest first. At most one run is in
// progress.
type runs struct {
	mutex   sync.Mutex
	all     []*pageRun
	last    int64 // number of the newest run
	closed  bool
	working sync.WaitGroup

	telling     sync.Mutex // if several locks are held, telling is locked last
	subscribers map[chan struct{}]bool
}

func newRuns() *runs { return &runs{subscribers: map[chan struct{}]bool{}} }

// A run that was started on the page has one of the following states.
const (
	running   = "running"
	done      = "done"
	cancelled = "cancelled"
	failed    = "failed"
)

// runState is the state of a run as the page shows it.
type runState struct {
	ID       int64    `json:"id"`
	Command  string   `json:"command"`
	Line     string   `json:"line"` // the command line of the run
	State    string   `json:"state"`
	Share    float64  `json:"share"` // fraction of the work that is done
	Seconds  float64  `json:"seconds"`
	Left     *float64 `json:"left"` // remaining time in seconds; null if unknown
	Cells    int      `json:"cells"`
	AllCells int      `json:"all_cells"`
	Outcome  string   `json:"outcome"`
	Rows     int      `json:"rows"`
	Bytes    int      `json:"bytes"` // size of the complete file of the table
	Notice   string   `json:"notice"`
	Problem  string   `json:"problem"`
}

// pageRun is a run that was started on the page.
type pageRun struct {
	owner   *runs
	cancel  context.CancelFunc
	begun   time.Time
	drawing sync.Mutex // held while the figure of the run is drawn

	mutex sync.Mutex
	state runState
	table *data.Table // rows that have been computed so far
	file  *boundedBuffer
	text  string // report on the complete table
	drawn picture
	rows  int // number of rows in the picture
}

// boundedBuffer is a file in memory with a limited size.
type boundedBuffer struct{ bytes.Buffer }

func (b *boundedBuffer) Write(p []byte) (int, error) {
	if b.Len()+len(p) > mostTable {
		return 0, fmt.Errorf(
			"the table is larger than the %d MiB that the page keeps in memory; the command writes it "+
				"to a file",
			mostTable>>20,
		)
	}
	return b.Buffer.Write(p)
}

// begin handles the request of the page to begin a run: it begins the run, or answers with the mistakes in
// the parameters of the run.
func (s *Server) begin(w http.ResponseWriter, r *http.Request) {
	c := s.asked(w, r)
	if c == nil {
		return
	}
	if !c.ok() {
		answer(w, http.StatusUnprocessableEntity,
			formAnswer{c.fields(), c.problem, c.Line(c.Command + ".arrow")})
		return
	}
	id, err := s.runs.begin(c)
	if err != nil {
		answer(w, http.StatusConflict, map[string]string{"problem": spoken(err)})
		return
	}
	answer(w, http.StatusCreated, map[string]int64{"id": id})
}

// begin begins a run, unless another run is in progress.
func (s *runs) begin(c *configured) (id int64, err error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.closed {
		return 0, errors.New("the server ends")
	}
	for _, other := range s.all {
		if state := other.seen(); state.State == running {
			return 0, fmt.Errorf("a run of %s is under way; cancel it, or wait for its end", state.Command)
		}
	}
	s.last++
	ctx, cancel := context.WithCancel(context.Background())
	p := &pageRun{owner: s, cancel: cancel, begun: time.Now(), file: &boundedBuffer{},
		table: data.NewTable(run.Schema(c.experiment, c.seed))}
	p.state = runState{ID: s.last, Command: c.Command, Line: c.Line(c.Command + ".arrow"), State: running}
	s.forget()
	s.all = append(s.all, p)
	s.working.Go(func() {
		defer cancel()
		p.end(ctx, p.run(ctx, c))
	})
	return s.last, nil
}

// forget drops the oldest finished runs if the page has too many runs, or if their tables are too large.
func (s *runs) forget() {
	bytes := 0
	for k := len(s.all) - 1; k >= 0; k-- {
		bytes += s.all[k].seen().Bytes
		if len(s.all)-k >= mostRuns || bytes > mostTable {
			s.all = slices.Clone(s.all[k+1:])
			return
		}
	}
}

// seen returns the current state of the run.
func (p *pageRun) seen() runState {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return p.state
}

// run computes the table of a run. The rows of the table are written to a file in memory, and to the table
// from which the figure is drawn.
func (p *pageRun) run(ctx context.Context, c *configured) error {
	writer, err := data.Stream(p.file, "the table", p.table.Schema)
	if err != nil {
		return err
	}
	sink := data.SinkFunc(func(columns ...data.Values) error {
		if err := writer.Write(columns...); err != nil {
			return err
		}
		p.mutex.Lock()
		defer p.mutex.Unlock()
		err := p.table.Write(columns...)
		p.state.Rows = p.table.Rows()
		p.owner.tell()
		return err
	})
	err = c.experiment.Run(ctx,
		run.Options{Seed: c.seed, Progress: p.progress, Notice: p.notice, Preflight: p.preflight}, sink)
	if err != nil {
		return err
	}
	return writer.Close()
}

// preflight refuses a run that would be too large, or take too long, for this page.
func (p *pageRun) preflight(needs run.Needs) error {
	if needs.Layers > mostRunLayers {
		return fmt.Errorf("the run has %.2g layers, and %.2g are what a browser computes in some minutes; "+
			"the command is much faster", needs.Layers, mostRunLayers)
	}
	if needs.Seconds > mostRunSeconds {
		return fmt.Errorf("the run would take some %s in this browser; the command is much faster",
			run.InWords(needs.Seconds))
	}
	bytes, err := needs.Bytes(p.table.Schema)
	if err != nil {
		return err
	}
	if bytes > mostTable {
		return fmt.Errorf(
			"the run may write %.3g MiB, and the page keeps no more than %d in memory; the command writes "+
				"it to a file",
			bytes/(1<<20),
			mostTable>>20,
		)
	}
	return nil
}

func (p *pageRun) progress(state run.State) {
	outcome := ""
	if state.Outcome != nil {
		outcome = state.Outcome()
	}
	p.mutex.Lock()
	s := &p.state
	s.Seconds, s.Share, s.Outcome = time.Since(p.begun).Seconds(), state.Share(), outcome
	s.Cells, s.AllCells = state.Cells, state.AllCells
	if left, known := state.SecondsLeft(s.Seconds); known {
		s.Left = &left
	}
	p.owner.tell()
	p.mutex.Unlock()
	pause()
}

func (p *pageRun) notice(text string) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.state.Notice = text
	p.owner.tell()
}

// end records how a run on the page has ended.
func (p *pageRun) end(ctx context.Context, err error) {
	var text bytes.Buffer
	if err == nil {
		err = experiments.MustByName(p.state.Command).Describe(&text, p.table)
	}
	p.mutex.Lock()
	defer p.mutex.Unlock()
	s := &p.state
	s.Seconds, s.Left = time.Since(p.begun).Seconds(), nil
	switch {
	case err == nil:
		s.State, s.Share, s.Bytes, p.text = done, 1, p.file.Len(), text.String()
	case ctx.Err() != nil:
		s.State = cancelled
	default:
		s.State, s.Problem = failed, spoken(err)
	}
	if err != nil {
		p.file = nil
	}
	p.owner.tell()
}

// states returns the states of all runs on the page.
func (s *runs) states() []runState {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	states := []runState{}
	for _, p := range s.all {
		states = append(states, p.seen())
	}
	return states
}

// subscribe returns a channel that receives a value when a run has changed, and a function that ends the
// subscription.
func (s *runs) subscribe() (changed <-chan struct{}, forget func()) {
	c := make(chan struct{}, 1)
	s.telling.Lock()
	defer s.telling.Unlock()
	s.subscribers[c] = true
	return c, func() {
		s.telling.Lock()
		defer s.telling.Unlock()
		delete(s.subscribers, c)
	}
}

// close cancels the run in progress and waits for its end.
func (s *runs) close() {
	s.mutex.Lock()
	s.closed = true
	for _, p := range s.all {
		p.cancel()
	}
	s.mutex.Unlock()
	s.working.Wait()
}

// found returns the run that a request names. If the run does not exist, found refuses the request and
// returns nil.
func (s *Server) found(w http.ResponseWriter, r *http.Request) *pageRun {
	id, err := strconv.ParseInt(r.PathValue("id"), 10, 64)
	s.runs.mutex.Lock()
	defer s.runs.mutex.Unlock()
	for _, p := range s.runs.all {
		if err == nil && p.state.ID == id {
			return p
		}
	}
	refuse(w, http.StatusNotFound, "there is no such run")
	return nil
}

func (s *Server) cancel(w http.ResponseWriter, r *http.Request) {
	if p := s.found(w, r); p != nil {
		p.cancel()
		w.WriteHeader(http.StatusNoContent)
	}
}

// sofar returns a table of the rows of the run that have been computed so far.
func (p *pageRun) sofar() *data.Table {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return p.table.Slice(0, p.table.Rows())
}

// runFigure answers a request with the figure of the rows that a run has computed so far, and with the report
// if the table is complete.
func (s *Server) runFigure(w http.ResponseWriter, r *http.Request) {
	p := s.found(w, r)
	if p == nil {
		return
	}
	p.drawing.Lock()
	defer p.drawing.Unlock()
	table := p.sofar()
	if p.rows != table.Rows() || table.Rows() == 0 {
		p.drawn, p.rows = draw(experiments.MustByName(p.state.Command), table), table.Rows()
	}
	p.mutex.Lock()
	text := p.text
	p.mutex.Unlock()
	answer(w, http.StatusOK, struct {
		picture
		Rows int    `json:"rows"`
		Text string `json:"text"`
	}{p.drawn, p.rows, text})
}

// runRows answers a request with a range of the rows that a run has computed so far.
func (s *Server) runRows(w http.ResponseWriter, r *http.Request) {
	if p := s.found(w, r); p != nil {
		table := p.sofar()
		from := int(number(r, "from", 0, int64(table.Rows())))
		answer(w, http.StatusOK,
			rowsOf(table.Slice(from, min(from+countOf(r), table.Rows())), from, int64(table.Rows())))
	}
}

// runTable answers a request with the file of the complete table of a run.
func (s *Server) runTable(w http.ResponseWriter, r *http.Request) {
	p := s.found(w, r)
	if p == nil {
		return
	}
	p.mutex.Lock()
	state, file := p.state, p.file
	p.mutex.Unlock()
	if state.State != done || r.PathValue("name") != state.Command+".arrow" {
		refuse(w, http.StatusNotFound, "there is no such table")
		return
	}
	w.Header().Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", state.Command+".arrow"))
	answerBytes(w, http.StatusOK, "application/vnd.apache.arrow.file", file.Bytes())
}

// tell informs all subscribers that a run has changed.
func (s *runs) tell() {
	s.telling.Lock()
	defer s.telling.Unlock()
	for c := range s.subscribers {
		select {
		case c <- struct{}{}:
		default:
		}
	}
}
