package train

import (
	"math"
	"strings"
	"testing"

	"antipode/internal/domaintest"
	"antipode/internal/longtest"
	"antipode/overlap/propagation"
)

// mapped returns an experiment on a map of 2 × 2 initialisations, with two learning rates and two seeds, and
// rows of how its runs ended.
func mapped(t *testing.T) (*Experiment, []Row) {
	t.Helper()
	e := New()
	figureOf("trainability").ours(e)
	e.AlphaSA, e.Beta, e.LearningRate, e.Seeds = []float64{0.1, 2}, []float64{0.5, 4}, []float64{0.01, 0.1}, 2
	if err := e.Validate(); err != nil {
		t.Fatal(err)
	}
	best, _ := e.best()
	loss := func(share float64) float64 { return math.Log(7) + share*(best-math.Log(7)) }
	// The fractions learned, by α, β, learning rate and seed. NaN means that the run diverged.
	shares := [2][2][2][2]float64{
		{{{0.1, 0.3}, {0.1, 0.1}}, {{0.5, 0.7}, {0, 0}}},
		{{{0.2, 0.2}, {math.NaN(), 1.8}}, {{0.1, 0.1}, {0.3, 0.1}}},
	}
	var rows []Row
	number := int32(0)
	for a, alpha := range e.AlphaSA {
		for b, beta := range e.Beta {
			for r, rate := range e.LearningRate {
				for s := range 2 {
					row := Row{Run: number, Layers: 12, AlphaSA: alpha, Beta: beta, LearningRate: rate,
						Layer: math.NaN()}
					rows = append(rows, row)
					row.Layer, row.Cosine = 0, 0.04+0.04*float64(s)
					rows = append(rows, row)
					row.Layer, row.Step, row.Status = math.NaN(), 300, finished
					if row.ValidationLoss = loss(shares[a][b][r][s]); math.IsNaN(row.ValidationLoss) {
						row.Status, row.ValidationLoss = diverged, loss(0.9)
					}
					rows = append(rows, row)
					number++
				}
			}
		}
	}
	return e, rows
}

// A cell has the result of the best learning rate: the mean over seeds, where a diverged run counts as
// nothing learned. It disagrees with the theory if only one of them says that the network learns.
func TestMap(t *testing.T) {
	e, rows := mapped(t)
	p, err := planeOf(e, learningCurvesOf(e, rows), rows)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.cells) != 4 || !(math.Abs(p.start-0.06) <= 1e-15) {
		t.Fatalf("%+v", p)
	}
	for k, want := range []struct {
		learned, rate float64
		verdict       propagation.Verdict
		disagrees     bool
	}{
		{0.2, 0.01, propagation.Verdict(1), false}, {0.6, 0.01, propagation.Verdict(2), true},
		{0.9, 0.1, propagation.Trainable, false}, {0.2, 0.1, propagation.Verdict(2), false},
	} {
		c := p.cells[k]
		if !(math.Abs(c.learned-want.learned) <= 1e-12) || c.rate != want.rate ||
			p.disagree(c) != want.disagrees {
			t.Errorf("cell %d: %+v, %v", k, c, p.disagree(c))
		}
		if (c.verdict == propagation.Trainable) != (want.verdict == propagation.Trainable) {
			t.Errorf("cell %d: verdict %v", k, c.verdict)
		}
	}
	var text strings.Builder
	if err := p.describe(&text, e); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"the largest learned fraction is 0.9 (α = 2, β = 0.5, rate 0.1)",
		"Of 4 cells the theory of the initialisation calls 1 trainable; 1 of these learn at least half of " +
			"this fraction, and 0 do not", "Of the other 3 cells 1 learn at least half of it"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("%s\nlacks %s", text.String(), want)
		}
	}
	for k := range p.cells {
		p.cells[k].learned -= 2 // all networks are worse than a predictor that sees nothing
	}
	text.Reset()
	err = p.describe(&text, e)
	if err != nil || !strings.Contains(text.String(), "learned fraction is 0 (") {
		t.Errorf("%v: %s", err, &text)
	}
}

// A grid that is not a plane, or is not covered by the theory, is refused with a message that names the
// problem.
func TestMapsAreRefused(t *testing.T) {
	longtest.Only(t)
	for want, change := range map[string]func(e *Experiment){
		"several values of alpha-sa and of weight-beta": func(e *Experiment) { e.Beta = []float64{1} },

		"one value of every list":              func(e *Experiment) { e.Attention = []string{softmax, gain} },
		"post-norm or pre-norm":                func(e *Experiment) { e.Norm = []string{"peri-norm"} },
		"post-norm or pre-norm, and attention": func(e *Experiment) { e.Attention = []string{free} },
		"an MLP that the theory covers":        func(e *Experiment) { e.Branches = []float64{0.5} },
		"a task that can be learned":           func(e *Experiment) { e.Task, e.Data = images, "digits" },
	} {
		e := New()
		figureOf("trainability").ours(e)
		change(e)
		if err := e.Validate(); err == nil || !strings.HasPrefix(err.Error(), "map true: needs "+want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// Of settings that differ only in the learning rate, the one with the smallest final loss is kept.
func TestBestRates(t *testing.T) {
	e, rows := mapped(t)
	best, reduced := bestRates(learningCurvesOf(e, rows))
	if !reduced || len(best) != 4 {
		t.Fatalf("%d settings, %v", len(best), reduced)
	}
	for k, want := range []float64{0.01, 0.01, 0.01, 0.1} { // not a rate at which a run diverges
		if got := best[k].LearningRate[0]; got != want {
			t.Errorf("setting %d: rate %v, want %v", k, got, want)
		}
	}
	e.Beta = e.Beta[:1]
	var few []Row
	for _, r := range rows {
		if r.Beta == e.Beta[0] {
			r.Run = r.Run/8*4 + r.Run%4 // four settings with two seeds remain; each α had eight runs
			few = append(few, r)
		}
	}
	if all, reduced := bestRates(learningCurvesOf(e, few)); reduced || len(all) != 4 {
		t.Errorf("%d settings, %v", len(all), reduced)
	}
}

// Networks of a cell learn if they learn half as much as those of the best cell, and if those learn at all.
// The report has a critical strength, or says that there is none.
func TestCellsThatLearn(t *testing.T) {
	with := func(alphaC float64, learned ...float64) *plane {
		p := &plane{alphaC: alphaC}
		for _, share := range learned {
			p.cells = append(p.cells, cell{learned: share})
		}
		return p
	}
	for _, c := range []struct {
		p    *plane
		want []bool
	}{
		{with(0, 0.75, 0.375, domaintest.Below(0.375), 0), []bool{true, true, false, false}},
		{with(0, 0, -1, math.Inf(-1)), []bool{false, false, false}},
	} {
		for k, want := range c.want {
			if got := c.p.learns(c.p.cells[k]); got != want {
				t.Errorf("%+v: cell %d learns: %v", c.p.cells, k, got)
			}
		}
	}
	for alphaC, want := range map[float64]string{1.25: "α_c = 1.25 for", 0: "α_c = 0 for"} {
		var text strings.Builder
		err := with(alphaC, 0.5).describe(&text, New())
		if err != nil || !strings.Contains(text.String(), want) {
			t.Errorf("%q is not in %q, %v", want, text.String(), err)
		}
	}
	var text strings.Builder
	if err := with(math.NaN(), 0.5).describe(&text, New()); err != nil ||
		!strings.Contains(text.String(), "α_c = none for") {
		t.Errorf("%q, %v", text.String(), err)
	}
}
