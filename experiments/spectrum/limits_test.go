package spectrum

import (
	"context"
	"errors"
	"math"
	"testing"

	"antipode/experiments/experimenttest"
	"antipode/experiments/figure"
	"antipode/experiments/run"
	"antipode/sde/matrices"
)

// A layer of T tokens takes the operations of two computations of singular values, 2·8 T³, of eigenvalues,
// 40 T³, and of the layer itself; a layer of many tokens takes 430 (T+D)². An operation takes 4e-10 s.
func TestTimeOfARun(t *testing.T) {
	s := New()
	s.Tokens, s.Layers, s.Samples = 30, 2, 5
	n := s.networks()[0]
	layer := 27_000*(2*8+40) + n.Operations()
	for workers, busy := range map[int]float64{1: 1, 3: 3, 8: 5} {
		want := layer * 2 * 5 * 4e-10 / busy
		if got := s.seconds(run.Options{Workers: workers}, 5); !(math.Abs(got/want-1) <= 1e-12) {
			t.Errorf("%d workers: %g s, want %g", workers, got, want)
		}
	}
	s.Tokens = 3000
	n = s.networks()[0]
	want := math.Pow(float64(3000+n.Dim), 2) * 430 * 10 * 4e-10
	if got := s.seconds(run.Options{Workers: 1}, 5); !(math.Abs(got/want-1) <= 1e-12) {
		t.Errorf("3000 tokens: %g s, want %g", got, want)
	}
	if got := s.bytes(run.Options{Workers: 1}, 5); got != n.LargeMemory() {
		t.Errorf("3000 tokens: %g bytes, want %g", got, n.LargeMemory())
	}
}

// A run keeps five numbers of eight bytes for each row.
func TestNeeds(t *testing.T) {
	s := New()
	s.Tokens, s.Layers, s.Samples = 10, 3, 5
	s.Attention = []matrices.Attention{matrices.Markov, matrices.Softmax}
	needs := experimenttest.Needs(t, s, run.Options{Workers: 1})
	if rows := 2. * 5 * 3 * 32; needs.Rows != rows || needs.Kept != 8*5*rows ||
		!(math.Abs(needs.Seconds/s.seconds(run.Options{Workers: 1}, 10)-1) <= 1e-12) {
		t.Errorf("%+v", needs)
	}
}

// Runs, reports and figures of every form of the table fail if they cannot go on.
func TestFailures(t *testing.T) {
	for name, change := range map[string]func(s *Experiment){
		"values":    func(*Experiment) {},
		"attention": func(s *Experiment) { s.Save = saveAttention },
	} {
		s := New()
		s.Tokens, s.Layers, s.Samples = 6, 2, 1
		change(s)
		experimenttest.CheckStops(t, name, s)
		table := experimenttest.Table(t, s, run.Options{Seed: 1})
		experimenttest.CheckNoRoom(t, name, s, table)
		experimenttest.CheckColumns(t, name, s, table)
	}
}

// A summary needs two singular values of each sample, and ranks of every layer.
func TestWhatASummaryNeeds(t *testing.T) {
	s := New()
	s.Tokens, s.Layers = 6, 2
	n := s.networks()[0]
	whole := func() *layered {
		layers := map[layerKey]*layerValues{}
		for _, layer := range layersOf(n) {
			layers[layerKey{n.Attention, int32(layer)}] = &layerValues{singular: [][]float64{{2, 1}, {3, 2}},
				rank: []float64{1}, excess: []float64{0}}
		}
		return &layered{s, layers}
	}
	if !whole().hasSummary(n) {
		t.Error("a whole table has none")
	}
	for name, damage := range map[string]func(first, second *layerValues){
		"no singular values":   func(first, _ *layerValues) { first.singular = nil },
		"one singular value":   func(first, _ *layerValues) { first.singular[1] = []float64{3} },
		"no rank of layer 2":   func(_, second *layerValues) { second.rank = nil },
		"no excess of layer 2": func(_, second *layerValues) { second.excess = nil },
	} {
		table := whole()
		damage(table.at(n, 1), table.at(n, 2))
		if table.hasSummary(n) {
			t.Errorf("%s: a summary", name)
		}
	}
}

// A large attention matrix is not saved, and a run of large matrices stops if its context ends.
func TestLargeMatrices(t *testing.T) {
	s := New()
	s.Tokens, s.Save = 2001, saveAttention
	experimenttest.CheckRefused(t, s.Validate(), "save", "must be values above 2000 tokens")
	if s.Save = saveValues; s.Validate() != nil {
		t.Error(s.Validate())
	}
	n := matrices.Network{Tokens: 20, Dim: 20, Layers: 2, Heads: 1}
	ended, end := context.WithCancel(t.Context())
	end()
	if rows, err := largeRows(ended, n, 1, 0, 1); !errors.Is(err, context.Canceled) || rows != nil {
		t.Errorf("%d rows, error %v", len(rows), err)
	}
	rows, err := largeRows(t.Context(), n, 1, 0, 1)
	if err != nil || len(rows) != 2*(largeValues+2) {
		t.Errorf("%d rows, error %v", len(rows), err)
	}
}

// A histogram whose values are all near 0 has an axis to 1.3.
func TestHistogramOfZeros(t *testing.T) {
	p := figure.NewPlot("", "", "")
	p.X.Range(0, 5)
	addHistogram(p, []float64{0, 0, 0.01, 0.09}, 4)
	h := p.Marks[0].(figure.Histogram)
	if p.Y.Low != 0 || p.Y.High != 1.3 || h.Heights[0] != 10 || h.Heights[1] != 0 {
		t.Errorf("y from %v to %v, heights %v", p.Y.Low, p.Y.High, h.Heights)
	}
}
