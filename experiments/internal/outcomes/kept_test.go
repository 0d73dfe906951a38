package outcomes

import (
	"errors"
	"math"
	"reflect"
	"testing"

	"antipode/experiments/run"
	"antipode/sde"
	"antipode/sphere"
	"antipode/sphere/must"
)

// kept is a journal in memory.
type kept map[int64][]byte

func (k kept) Has(block int64) bool                   { return k[block] != nil }
func (k kept) Read(block int64) ([]byte, error)       { return k[block], nil }
func (k kept) Append(block int64, bytes []byte) error { k[block] = bytes; return nil }

// Decisions and classifications are kept without loss. A decision takes at most DecisionBytes.
func TestDecisionsAreKept(t *testing.T) {
	var decisions []Decision
	var rows [][]Seen
	for _, outcome := range []sphere.Outcome{sphere.Single, sphere.Antipodal, sphere.Unclustered} {
		for _, pair := range []bool{false, true} {
			s := Seen{Outcome: outcome, Pair: pair, Clusters: 1e6, Largest: 3}
			decisions = append(decisions, Decision{Seen: s}, Decision{Seen: s, Early: true},
				Decision{Seen: s, Early: true, ErrorBound: 5e-10})
			rows = append(rows, []Seen{s, Together(7)}, []Seen{})
		}
	}
	for _, d := range decisions {
		if n := len(DecisionCodec.Append(nil, d)); n > DecisionBytes {
			t.Errorf("%+v takes %d bytes", d, n)
		}
	}
	one := run.NewCheckpoint(kept{}, DecisionCodec)
	must.Do(t, one.Keep(1, decisions))
	if got, err := one.Read(1); err != nil || !reflect.DeepEqual(got, decisions) {
		t.Errorf("%+v, %v", got, err)
	}
	several := run.NewCheckpoint(kept{}, SeenCodec)
	must.Do(t, several.Keep(1, rows))
	if got, err := several.Read(1); err != nil || !reflect.DeepEqual(got, rows) {
		t.Errorf("%+v, %v", got, err)
	}
}

// A cell whose bounds cannot be computed ends the run, and its tally is not written; the cells before it are.
func TestBoundsThatCannotBeComputed(t *testing.T) {
	cell := sde.Cell{Model: sde.Flow{}, Method: sde.Chain, Tokens: 2, Dim: 3, Beta: 1, Depth: 10,
		Start: sde.UniformStart{}}
	e := &sde.Ensemble[Decision]{Cells: []sde.Cell{cell, cell, cell}, Trajectories: 3, Layers: 5}
	d := NewDecider(e, 0.1, false)
	broken := errors.New("broken")
	d.bounds[1] = func() (errorBound, error) { return errorBound{}, broken }
	var written []int
	options := run.Options{Workers: 1}
	err := d.Run(t.Context(), options, e, nil, "", nil, func(cell int, tally Tally) error {
		if written = append(written, cell); tally.Trajectories() != 3 {
			t.Errorf("cell %d: %+v", cell, tally)
		}
		return nil
	})
	if !errors.Is(err, broken) || !reflect.DeepEqual(written, []int{0}) {
		t.Errorf("%v, cells %v", err, written)
	}
	if at := d.bound(1); at(-50, 0) != 1 {
		t.Errorf("bound %v", at(-50, 0))
	}
	failing := func(float64) (float64, bool, error) { return 2, true, broken }
	fine := func(float64) (float64, bool, error) { return 2, true, nil }
	if _, err := errorBoundOf(0.1, failing, fine); err != broken {
		t.Errorf("near -1: %v", err)
	}
	if _, err := errorBoundOf(0.1, fine, failing); err != broken {
		t.Errorf("near 1: %v", err)
	}
	if b, err := errorBoundOf(0.1, fine, fine); err != nil ||
		!(math.Abs(b.at(math.Log(0.01), 0)-0.01) <= 1e-15) {
		t.Errorf("%+v, %v", b, err)
	}
}

// Two antipodal trajectories are just enough for an interval of their mean imbalance.
func TestIntervalOfTwoImbalances(t *testing.T) {
	// Imbalances 0.25 and 0.75: the mean square is 0.3125, and the mean has the standard error 0.25.
	low, high := Means{Imbalance: 0.5, Square: 0.3125}.ImbalanceInterval(2)
	const half = 0.25 * 1.959963984540054
	if !(math.Abs(low-(0.5-half)) <= 1e-15) || !(math.Abs(high-(0.5+half)) <= 1e-15) {
		t.Errorf("from %v to %v", low, high)
	}
}
