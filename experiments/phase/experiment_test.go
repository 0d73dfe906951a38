package phase

import (
	"errors"
	"io"
	"math"
	"strings"
	"testing"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/run"
	"antipode/experiments/setting"
	"antipode/internal/longtest"
	"antipode/sde"
	"antipode/sphere/invariant"
	"antipode/sphere/must"
)

func TestPhaseValidateNamesTheParameter(t *testing.T) {
	nan := math.NaN()
	experimenttest.Refuse(t, New, []struct {
		Name, Problem string
		Change        func(e *Experiment)
	}{
		{"dim", "no values", func(p *Experiment) { p.Dim = nil }},
		{"dim", "1 is out of bounds", func(p *Experiment) { p.Dim = []int{4, 1} }},
		{"dim", "4 is there twice", func(p *Experiment) { p.Dim = []int{4, 4} }},
		{"beta", "-1 is out of bounds", func(p *Experiment) { p.Beta = []float64{-1} }},
		{"beta", "NaN is out of bounds", func(p *Experiment) { p.Beta = []float64{nan} }},
		{"beta", "more than 100000 values", func(p *Experiment) { p.Beta = make([]float64, 100_001) }},
		{"attention", "must be softmax or unnormalized", func(p *Experiment) { p.Attention = 7 }},
		{"trajectories", "must be a whole number from 1", func(p *Experiment) { p.Trajectories = 0 }},
		{"depth", "must be a whole number from 1", func(p *Experiment) { p.Depth = -5 }},
		{"horizon", "must be a number above 0", func(p *Experiment) { p.Horizon = 0 }},
		{"horizon", "must be a number above 0", func(p *Experiment) { p.Horizon = nan }},
		{"horizon", "whole number of layers", func(p *Experiment) { p.Depth, p.Horizon = 10, 0.25 }},
		{"tolerance", "must be a number from 1e-12", func(p *Experiment) { p.Tolerance = 0 }},
		{"law", "must be gaussian, uniform, truncated-normal or rademacher",
			func(p *Experiment) { p.Law = -1 }},
		{"beta", "e^2β overflows",
			func(p *Experiment) { p.Beta, p.Attention = []float64{1, 800}, sde.Unnormalized }},
		{"covariance", "too little noise in the overlap", func(p *Experiment) { // for dim 9 alone
			p.Dim, p.Covariance = []int{3, 9}, invariant.Covariance{A: 1, B: -1 + 5e-6}
		}},
		{"beta", "at most 80 for the chain",
			func(p *Experiment) { p.Beta, p.Attention = []float64{1, 90}, sde.Unnormalized }},
	})
	many := New()
	many.Dim, many.Beta = make([]int, 1000), make([]float64, 1000)
	for k := range 1000 {
		many.Dim[k], many.Beta[k] = k+2, float64(k)/1000
	}
	if err := many.Validate(); err == nil || !strings.Contains(err.Error(), "1000000 cells") {
		t.Errorf("a grid of a million cells: %v", err)
	}
}

func TestLayers(t *testing.T) {
	// In floating-point numbers 0.07 × 100 and 1/3 × 3 are whole up to rounding only.
	for _, c := range []struct {
		depth   int64
		horizon float64
		want    int64
	}{{100, 0.1, 10}, {100, 0.07, 7}, {1, 1, 1}, {100, 500, 50_000}, {3, 1. / 3, 1}} {
		if n, err := setting.Layers(c.depth, c.horizon); n != c.want || err != nil {
			t.Errorf("%d × %v: %d, %v", c.depth, c.horizon, n, err)
		}
	}
	if _, err := setting.Layers(1, 0.1); err == nil {
		t.Error("a tenth of a layer")
	}
}

// smallPhase returns an experiment that takes a fraction of a second.
func smallPhase() *Experiment {
	p := New()
	p.Dim, p.Beta = []int{3, 5}, []float64{0.3, 1.5}
	p.Trajectories, p.Depth, p.Horizon = 20, 100, 2
	return p
}

// A run of a whole grid has the same rows as runs of its single cells.
func TestPhaseCellByCell(t *testing.T) {
	longtest.Only(t)
	p := smallPhase()
	whole := rowTexts(experimenttest.Table(t, p, run.Options{Seed: 2}))
	var alone []string
	for _, d := range p.Dim {
		for _, beta := range p.Beta {
			q := *p
			q.Dim, q.Beta = []int{d}, []float64{beta}
			alone = append(alone, rowTexts(experimenttest.Table(t, &q, run.Options{Seed: 2}))...)
		}
	}
	if strings.Join(whole, "\n") != strings.Join(alone, "\n") {
		t.Errorf("whole grid:\n%s\ncell by cell:\n%s", strings.Join(whole, "\n"),
			strings.Join(alone, "\n"))
	}
}

func rowTexts(table *data.Table) (texts []string) {
	for row := range table.Rows() {
		texts = append(texts, string(table.AppendRowJSON(nil, row)))
	}
	return texts
}

func TestPhaseStopsOnAWriteError(t *testing.T) {
	p := smallPhase()
	full := errors.New("disk full")
	sink := data.SinkFunc(func(...data.Values) error { return full })
	if err := p.Run(t.Context(), run.Options{}, sink); !errors.Is(err, full) {
		t.Errorf("error %v", err)
	}
}

// agreement runs an experiment with one cell. It returns the row, and the distance of the antipodal fraction
// from the theoretical probability in standard errors.
func agreement(t *testing.T, p *Experiment, seed uint64) (sigmas float64, cell Row) {
	t.Helper()
	rows, err := data.RowsOf[Row](experimenttest.Table(t, p, run.Options{Seed: seed}))
	if err != nil || len(rows) != 1 {
		t.Fatalf("%d rows, error %v", len(rows), err)
	}
	return rows[0].difference(), rows[0]
}

func phaseCell(
	d int, beta float64, attention sde.Attention, depth int64, horizon float64, trajectories int64,
) *Experiment {
	p := New()
	p.Dim, p.Beta, p.Attention = []int{d}, []float64{beta}, attention
	p.Depth, p.Horizon, p.Trajectories = depth, horizon, trajectories
	return p
}

// The simulated fraction agrees with the theory in two cells, and would not agree with a theory that has d-1
// for d-2; the long tests have more cells. 4.5 standard errors: one false alarm in 7·10^4 seeds. At d = 4, β
// = 1.5 the wrong theory gives 0.1511, the right value for d = 5.
func TestPhaseAgreesWithTheory(t *testing.T) {
	sigmas, c := agreement(t, phaseCell(4, 1.5, sde.Softmax, 50, 40, 1500), 1)
	if sigmas > 4.5 {
		t.Errorf("%d of %d antipodal, theory %v: %.1f standard errors", c.Antipodal, c.Trajectories,
			c.Horizon, sigmas)
	}
	const wrong = 0.1510543061
	if off := math.Abs(c.PAntipodal-wrong) / math.Sqrt(wrong*(1-wrong)/1500); off < 4.5 {
		t.Errorf("a wrong theory would be only %.1f standard errors off: no power", off)
	}
	if _, c = agreement(t, phaseCell(4, 0.3, sde.Softmax, 50, 40, 500), 1); c.Antipodal > 3 {
		t.Errorf("%v antipodal below the boundary, where theory has %v", c.Antipodal, c.Horizon)
	}
}

// A table that lacks the probabilities at the horizon can still be described and drawn.
func TestPhaseWithoutHorizon(t *testing.T) {
	if testing.Short() {
		t.Skip("other tests run the same at the same time")
	}
	p := smallPhase()
	p.Method, p.Law = sde.Tokens, sde.Uniform // there is no exact law to draw, which would take long
	table := experimenttest.Table(t, p, run.Options{Seed: 1})
	horizon := must.Get(data.ValuesOf[float64](table, "p_antipodal_horizon"))(t)
	for k := range horizon {
		horizon[k] = math.NaN()
	}
	var text strings.Builder
	if err := p.Describe(&text, table); err != nil || strings.Contains(text.String(), "NaN") {
		t.Errorf("text %q, error %v", &text, err)
	}
	if figure, err := p.Draw(table); err != nil || figure.WritePNG(io.Discard) != nil {
		t.Errorf("figure: %v", err)
	}
}
