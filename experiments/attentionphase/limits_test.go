package attentionphase

import (
	"math"
	"strings"
	"testing"

	"antipode/experiments/experimenttest"
	"antipode/experiments/figure"
	"antipode/experiments/figure/figuretest"
	"antipode/experiments/run"
	"antipode/sphere/must"
)

// simulating returns an experiment with layers of the given number of tokens.
func simulating(tokens int64) *Experiment {
	a, samples := New(), int64(3)
	a.Beta, a.Rho, a.Tokens, a.Simulate, a.Dim = []float64{0.5, 1}, []float64{0, 0.5}, &tokens, &samples, 5
	return a
}

// A layer of 40 tokens in five dimensions, of which 32 rows are computed, takes 30(200+50) + 2·32·25 + 6400
// operations, and 6400 + 30·32·40 for each β, of 4e-10 s each. A layer has three numbers for each β.
func TestNeeds(t *testing.T) {
	a := simulating(40)
	for workers, busy := range map[int]float64{1: 1, 4: 4, 10: 6} {
		needs := experimenttest.Needs(t, a, run.Options{Workers: workers})
		want := (7500. + 1600 + 6400 + 2*(6400+38400)) * 6 * 4e-10 / busy
		if !(math.Abs(needs.Seconds/want-1) <= 1e-12) {
			t.Errorf("%d workers: %g s, want %g", workers, needs.Seconds, want)
		}
		if needs.Rows != 4 || needs.Kept != 8*6*6 {
			t.Errorf("%+v", needs)
		}
	}
}

// Layers of 2^24 tokens can be simulated, and no more, and there must be a number of tokens. A layer of 2^24
// tokens in 50 dimensions needs 8·2^24·(50+3·32) bytes, more than 16 GiB.
func TestMostTokens(t *testing.T) {
	if err := simulating(1 << 24).Validate(); err != nil {
		t.Error(err)
	}
	a := simulating(1<<24 + 1)
	experimenttest.CheckRefused(t, a.Validate(), "tokens", "must be at most 2^24")
	a.Tokens = nil
	experimenttest.CheckRefused(t, a.Validate(), "tokens", "must be a number of tokens")
	a = simulating(1 << 24)
	a.Dim = 50
	err := a.Run(t.Context(), run.Options{Workers: 1}, nil)
	experimenttest.CheckRefused(t, err, "tokens", "the run would need 18.3 GiB of memory")
}

// The report of a single β of 0 is about it.
func TestReportOfAFlatRow(t *testing.T) {
	a, tokens := New(), int64(20)
	a.Beta, a.Rho, a.Tokens = []float64{0}, []float64{0.5}, &tokens
	var text strings.Builder
	must.Do(t, a.Describe(&text, experimenttest.TableOf(t, a, Row{Rho: 0.5, Y2: 0.05, Cosine: 1})))
	if !strings.Contains(text.String(), "at β = 0 a token attends to 20 of 20 tokens") {
		t.Error(&text)
	}
}

// The line of the critical β is drawn up to the greatest β, which may be on it. Moments that are all 0 have
// an axis up to 1.
func TestCriticalLine(t *testing.T) {
	for beta, marks := range map[float64]int{1.9: 4, 2: 5} { // β_c = 2
		a := New()
		a.Beta, a.Rho = []float64{1, beta}, []float64{0.5}
		row := Row{Beta: 1, Rho: 0.5, Y2Simulated: math.NaN()}
		last := row
		last.Beta = beta
		drawn := figuretest.Draw(t, a, experimenttest.TableOf(t, a, row, last))
		p := drawn.Panels[0].Plot
		if len(p.Marks) != marks || p.Y.High != 1 {
			t.Errorf("up to β = %g: %d marks, axis up to %g", beta, len(p.Marks), p.Y.High)
		}
		if line, is := p.Marks[len(p.Marks)-1].(figure.Line); is && marks == 5 &&
			line.Points[1] != (figure.Point{X: 2, Y: 1}) {
			t.Errorf("the line ends at %v", line.Points[1])
		}
	}
}

// Runs and figures of layers fail if they cannot go on.
func TestFailures(t *testing.T) {
	for name, a := range map[string]*Experiment{"layers": simulating(6), "theory": New()} {
		a.Beta, a.Rho = []float64{0.5}, []float64{0.5}
		experimenttest.CheckStops(t, name, a)
		table := experimenttest.Table(t, a, run.Options{Seed: 1})
		experimenttest.CheckNoRoom(t, name, a, table)
		experimenttest.CheckColumns(t, name, a, table)
	}
}
