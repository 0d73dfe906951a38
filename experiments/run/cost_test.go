package run

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"antipode/data"
	"antipode/experiments/parameter"
	"antipode/sde"
	"antipode/sde/brownian"
)

// fixed returns the parameters dim and trajectories, with the value 5.
func fixed() []parameter.Parameter {
	number := int64(5)
	five := parameter.Whole(&number, parameter.Range{Low: 1, High: 9})
	return []parameter.Parameter{{Name: "dim", Value: five}, {Name: "trajectories", Value: five}}
}

// A run may need 16 GiB or take a year, but no more; one of more than a minute is announced, with what it
// keeps if it keeps anything.
func TestLimitsOfCost(t *testing.T) {
	const year = 31_536_000
	for _, c := range []struct {
		memory, seconds float64
		journal         Journal
		refused, notice string
	}{
		{1 << 34, 60, nil, "", ""},
		{math.Nextafter(1<<34, math.Inf(1)), 0, nil,
			"dim 5: the run would need 16 GiB of memory; must be at most 16 GiB", ""},
		{0, 61, nil, "", "this run may take up to 61 seconds on this machine"},
		{0, year, nil, "", "this run may take up to 365 days on this machine"},
		{0, year + 1, nil,
			"trajectories 5: the run would take about 365 days on this machine; must be less than a year",
			""},
		{0, 7000, memory{}, "", "this run may take up to 2 hours on this machine, and keep up to 3 kB of " +
			"finished work until its table is whole"},
	} {
		notice := ""
		var asked []Needs
		needs := Needs{Seconds: c.seconds, Kept: 3000}
		options := Options{Journal: c.journal, Notice: func(text string) { notice += text },
			Preflight: func(n Needs) error { asked = append(asked, n); return nil }}
		err := CheckCost(c.memory, needs, options, fixed(), "dim", "trajectories")
		if c.refused == "" && err != nil || c.refused != "" && (err == nil || err.Error() != c.refused) {
			t.Errorf("%g bytes, %g s: %v", c.memory, c.seconds, err)
		}
		if notice != c.notice || (len(asked) == 1 && asked[0].Kept == 3000) != (c.refused == "") {
			t.Errorf("%g bytes, %g s: notice %q, asked %v", c.memory, c.seconds, notice, asked)
		}
	}
	options := Options{}
	if err := CheckCost(0, Needs{Seconds: 1e6}, options, fixed(), "dim", "trajectories"); err != nil {
		t.Errorf("nobody is told: %v", err)
	}
	refused := errors.New("no")
	options.Preflight = func(Needs) error { return refused }
	if err := CheckCost(0, Needs{}, options, fixed(), "dim", "trajectories"); err != refused {
		t.Errorf("%v", err)
	}
	options.Shards = []*data.Reader{}
	if err := CheckCost(1<<40, Needs{Seconds: 1e9}, options, fixed(), "dim", "trajectories"); err != nil {
		t.Errorf("a merge of shards: %v", err)
	}
}

// A time is stated in the largest unit of which it has two, rounded.
func TestUnitsOfTime(t *testing.T) {
	const hour, day, year = 3600., 86_400., 31_536_000.
	for _, c := range []struct {
		seconds float64
		want    string
	}{
		{0, "0 seconds"}, {89.9, "90 seconds"}, {90.1, "2 minutes"}, {1.5*hour - 1, "90 minutes"},
		{1.5*hour + 1, "2 hours"}, {1.5*day - 1, "36 hours"}, {1.5*day + 1, "2 days"},
		{1.5*year - 1, "547 days"}, {1.5*year + 1, "2 years"},
	} {
		if got := InWords(c.seconds); got != c.want {
			t.Errorf("%v s: %q, want %q", c.seconds, got, c.want)
		}
	}
}

// counting returns a simulation of two cells of flows, with 10 trajectories of 3 layers each, whose rows are
// counted.
func counting(rows *int) Simulation[[]float64] {
	cell := sde.Cell{Model: sde.Flow{}, Tokens: 2, Dim: 3, Beta: 1, Depth: 10, Start: sde.UniformStart{}}
	return Simulation[[]float64]{
		Ensemble: &sde.Ensemble[[]float64]{Cells: []sde.Cell{cell, cell}, Trajectories: 10, Layers: 3,
			Observer: func(int) func(*[]float64, *sde.View) {
				return func(row *[]float64, v *sde.View) { *row = []float64{float64(v.Trajectory)} }
			},
			Reduce: func(int, int64, []float64) error { *rows++; return nil },
		},
		Codec: Floats, Parameters: fixed(), Size: "dim", Rows: []float64{7}, KeptBytes: 9,
	}
}

// A simulation states its needs before it begins: the rows of its table, and the bytes of what is kept
// of each trajectory. It is prepared only if these are allowed.
func TestNeedsOfASimulation(t *testing.T) {
	rows, prepared := 0, 0
	var asked Needs
	s := counting(&rows)
	refused := errors.New("no")
	s.Prepare = func(context.Context) error { prepared++; return refused }
	allow := func(err error) Options {
		return Options{Workers: 1, Preflight: func(n Needs) error { asked = n; return err }}
	}
	if err := s.Run(t.Context(), allow(refused)); err != refused || prepared != 0 || rows != 0 {
		t.Errorf("%v; %d times prepared, %d rows", err, prepared, rows)
	}
	seconds := asked.Seconds
	if asked.Rows != 7 || asked.Cells != 2 || asked.Layers != 60 || asked.Kept != 180 || !(seconds > 0) {
		t.Errorf("needs %+v", asked)
	}
	// The time of a run that takes a thousandth of its layers is as short; it is measured.
	s.Share = 1e-3
	if err := s.Run(t.Context(), allow(refused)); err != refused || !(asked.Seconds < 0.1*seconds) {
		t.Errorf("%v; %v s, and %v s for all layers", err, asked.Seconds, seconds)
	}
	if err := s.Run(t.Context(), allow(nil)); err != refused || prepared != 1 || rows != 0 {
		t.Errorf("%v; %d times prepared, %d rows", err, prepared, rows)
	}
}

// The progress of a simulation counts layers and cells, and tells what an earlier run has left. The
// ensemble's own Finish is called too, and its error ends the run.
func TestProgressOfASimulation(t *testing.T) {
	earlier := memory{}
	for _, restored := range []int64{0, 60} {
		rows, journal := 0, later{earlier, memory{}}
		s := counting(&rows)
		var finished []int
		s.Finish = func(cell int) error { finished = append(finished, cell); return nil }
		var states []State
		options := Options{Workers: 1, Journal: journal,
			Progress: func(s State) { states = append(states, s) }}
		if err := s.Run(t.Context(), options); err != nil || rows != 20 || fmt.Sprint(finished) != "[0 1]" {
			t.Errorf("%v; %d rows, cells %v", err, rows, finished)
		}
		last := states[len(states)-1]
		last.Outcome = nil
		if last.Done != 60 || last.Restored != restored || last.Total != 60 || last.Cells != 2 ||
			last.AllCells != 2 || len(states) < 2 || (len(journal.memory) > 0) != (restored == 0) {
			t.Errorf("%d states, the last %+v; %d blocks are kept", len(states), last, len(journal.memory))
		}
		earlier = journal.memory
	}
	rows, full := 0, errors.New("full")
	s := counting(&rows)
	s.Finish = func(int) error { return full }
	if err := s.Run(t.Context(), Options{Workers: 1}); !errors.Is(err, full) || rows != 10 {
		t.Errorf("%v after %d rows", err, rows)
	}
}

// Coupled cells state the rows of their table, run only the trajectories of a shard, and restore those that
// are kept.
func TestCoupledCells(t *testing.T) {
	cell := sde.Cell{Model: sde.Transformer{Sigma: 1}, Tokens: 2, Dim: 3, Beta: 1, Depth: 4,
		Start: sde.UniformStart{}}
	fine := cell
	fine.Depth = 8
	earlier := memory{}
	refused := errors.New("no")
	for _, c := range []struct {
		preflight error
		restored  int64
		rows      []int64
	}{{refused, 0, nil}, {nil, 0, []int64{1, 4, 7}}, {nil, 3, []int64{1, 4, 7}}} {
		var rows []int64
		journal := later{earlier, memory{}}
		e := &brownian.Ensemble[[]float64]{Cells: []sde.Cell{cell, fine}, Trajectories: 10, Steps: 2,
			Observer: func() func(*[]float64, int, int64, []float64) {
				return func(row *[]float64, _ int, _ int64, x []float64) { *row = append(*row, x[0]) }
			},
			Reduce: func(trajectory int64, row []float64) error {
				if len(row) != 6 {
					return fmt.Errorf("%d numbers", len(row))
				}
				rows = append(rows, trajectory)
				return nil
			},
		}
		var asked Needs
		var last State
		err := Coupled(t.Context(), e, Floats, Options{Workers: 1, Journal: journal,
			Part: sde.Part{Number: 1, Of: 3}, Progress: func(s State) { last = s },
			Preflight: func(n Needs) error { asked = n; return c.preflight }},
			Needs{Rows: 12, Kept: 34}, fixed(), "dim")
		if err != c.preflight || !slices.Equal(rows, c.rows) ||
			asked.Rows != 12 || asked.Kept != 34 ||
			!(asked.Seconds > 0) {
			t.Errorf("%v; rows of trajectories %v, want %v; needs %+v", err, rows, c.rows, asked)
		}
		if c.rows != nil && (last.Done != 3 || last.Restored != c.restored || last.Total != 3) {
			t.Errorf("progress %+v", last)
		}
		earlier = journal.memory
	}
}

// Each shard of n needs the part of its pieces, and its table has a row for each kept number.
func TestNeedsOfShards(t *testing.T) {
	whole := Needs{Rows: 3, Cells: 2, Layers: 5, Kept: 800, Seconds: 30}
	needs := func(rows, kept, seconds float64) Needs {
		return Needs{Rows: rows, Cells: 2, Layers: 5, Kept: kept, Seconds: seconds}
	}
	for _, c := range []struct {
		part  sde.Part
		parts int64
		want  Needs
	}{
		{sde.Part{}, 10, whole}, {sde.Part{Number: 0, Of: 3}, 0, whole},
		{sde.Part{Number: 0, Of: 1}, 10, needs(100, 800, 30)},
		{sde.Part{Number: 0, Of: 3}, 10, needs(40, 320, 12)},
		{sde.Part{Number: 1, Of: 3}, 10, needs(30, 240, 9)},
		{sde.Part{Number: 9, Of: 12}, 10, needs(10, 80, 3)},
		{sde.Part{Number: 10, Of: 12}, 10, needs(0, 0, 0)},
		{sde.Part{Number: 0, Of: 3}, 1, needs(100, 800, 30)},
	} {
		got := whole.Of(c.part, c.parts)
		for _, x := range []*float64{&got.Kept, &got.Seconds} {
			*x = math.Round(1e9**x) / 1e9
		}
		if fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("shard %v of %d pieces: %+v, want %+v", c.part, c.parts, got, c.want)
		}
	}
}

// The prediction of the remaining time counts only the work of this run.
func TestRemainingTime(t *testing.T) {
	for _, c := range []struct {
		state State
		left  float64
		known bool
	}{
		{State{Total: 10}, 0, false}, {State{Done: 4, Restored: 4, Total: 10}, 0, false},
		{State{Done: 5, Restored: 4, Total: 10}, 100, true}, {State{Done: 5, Total: 10}, 20, true},
		{State{Done: 10, Total: 10}, 0, true},
	} {
		if left, known := c.state.SecondsLeft(20); left != c.left || known != c.known {
			t.Errorf("%+v: %v s, %v; want %v", c.state, left, known, c.left)
		}
	}
	for want, s := range map[float64]State{0: {}, 0.5: {Done: 2, Total: 4}, 1: {Done: 1, Total: 1}} {
		if s.Share() != want {
			t.Errorf("%+v: share %v", s, s.Share())
		}
	}
	o := Options{Workers: 3}
	if o.WorkerCount() != 3 || o.WorkersFor(2) != 2 || o.WorkersFor(4) != 3 || (Options{}).WorkerCount() < 1 {
		t.Errorf("workers %d, %v, %v", o.WorkerCount(), o.WorkersFor(2), o.WorkersFor(4))
	}
}

// A shard is k/n with k below n, and n at most 100,000.
func TestLimitsOfShards(t *testing.T) {
	for text, want := range map[string]sde.Part{
		"0/1": {Number: 0, Of: 1}, "99999/100000": {Number: 99_999, Of: 100_000},
		"1/1": {}, "0/0": {}, "0/100001": {}, "-1/2": {}, "1": {}, "0/": {}, "/2": {}, "0/1/2": {}, "0/x": {},
		"x/2": {},
	} {
		got, err := ParseShard(text)
		if got != want || (err == nil) != (want.Of > 0) ||
			err != nil && !strings.Contains(err.Error(), "n at most 100000") {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
}

// Steps of a piece are reported as they are done, not more of them than the piece has, and the rest once the
// piece is taken. Outside of a piece nothing is reported.
func TestStepsOfPieces(t *testing.T) {
	var seen []string
	report := func(s State) { seen = append(seen, fmt.Sprintf("%d/%d/%d", s.Done, s.Restored, s.Total)) }
	for second, want := range map[int64]string{1: "[2/1/5 3/1/5 5/1/5]", 9: "[2/1/5 5/1/5 5/1/5]"} {
		p := Pieces{
			Count: 1, Steps: 5, Length: func(int) int { return 0 },
			Worker: Shared(func(ctx context.Context, piece int) ([]float64, error) {
				Advance(ctx, 2, 1)
				Advance(ctx, second, 0)
				return nil, nil
			}),
			Take: func(int, []float64) error { return nil },
		}
		seen = nil
		err := p.Run(t.Context(), Options{Workers: 1, Progress: report}, nil)
		Advance(t.Context(), 3, 3)
		if err != nil || fmt.Sprint(seen) != want {
			t.Errorf("%v, %v; want %s", seen, err, want)
		}
	}
}

// An error of any step of a piece ends the run.
func TestErrorsOfPieces(t *testing.T) {
	wrong := errors.New("wrong")
	for name, change := range map[string]func(p *Pieces, o *Options){
		"take":   func(p *Pieces, _ *Options) { p.Take = func(int, []float64) error { return wrong } },
		"forget": func(p *Pieces, _ *Options) { p.Forget = func(int) error { return wrong } },
		"append": func(_ *Pieces, o *Options) { o.Journal = broken{append: wrong} },
		"read":   func(_ *Pieces, o *Options) { o.Journal = broken{has: true, read: wrong} },
		"worker": func(p *Pieces, _ *Options) {
			p.Worker = Shared(func(context.Context, int) ([]float64, error) { return nil, wrong })
		},
	} {
		var got [][]float64
		p, o := five(&got), Options{Workers: 1}
		change(&p, &o)
		if err := p.Run(t.Context(), o, nil); !errors.Is(err, wrong) {
			t.Errorf("%s: %v", name, err)
		}
	}
	forgotten := 0
	var got [][]float64
	p := five(&got)
	p.Forget = func(int) error { forgotten++; return nil }
	if err := p.Run(t.Context(), Options{Workers: 1}, nil); err != nil || forgotten != 5 {
		t.Errorf("%d forgotten, %v", forgotten, err)
	}
}

// later is a journal with the blocks of an earlier run. It keeps its own in the memory.
type later struct {
	earlier Journal
	memory
}

func (l later) Has(block int64) bool             { return l.earlier.Has(block) }
func (l later) Read(block int64) ([]byte, error) { return l.earlier.Read(block) }

// broken is a journal that fails.
type broken struct {
	has          bool
	read, append error
}

func (b broken) Has(int64) bool             { return b.has }
func (b broken) Read(int64) ([]byte, error) { return nil, b.read }
func (b broken) Append(int64, []byte) error { return b.append }

// The blocks of several ensembles in one journal do not meet.
func TestJournalsOfSeveralEnsembles(t *testing.T) {
	all := memory{}
	o := Options{Journal: all}.From(10)
	if err := o.Journal.Append(2, []byte{7}); err != nil {
		t.Fatal(err)
	}
	bytes, err := o.Journal.Read(2)
	if err != nil || string(bytes) != "\x07" || !o.Journal.Has(2) || o.Journal.Has(12) ||
		string(all[12]) != "\x07" {
		t.Errorf("%v, %v; %v", bytes, err, all)
	}
	if none := (Options{}).From(10); none.Journal != nil {
		t.Errorf("%v", none.Journal)
	}
}
