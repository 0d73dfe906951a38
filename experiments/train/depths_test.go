package train

import (
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"antipode/data"
	"antipode/experiments/figure"
	"antipode/experiments/figure/figuretest"
	"antipode/sde/network"
)

// Simulated networks of two tokens agree with the theory's u. With the identity as value matrix and 2,000
// weak layers they agree to 0.2 %. With Gaussian values, the rate per unit of time is (d-2)/2 in the theory
// and lies between (d-2)/2 and (d-1)/2 in networks; the mean of 300 networks of 60 layers lies between these,
// up to 3 % (its standard error is 1 %).
func TestCollapseOfNetworks(t *testing.T) {
	growth := func(e *Experiment, networks int) (simulated, theory float64) {
		s := e.settings()[0]
		n := s.network
		n.Tokens, n.Outputs, n.Uniform = 2, 0, true
		n.Input, n.Embedding, n.Q, n.P = network.Gaussian, network.Embedding{}, 1, 0.3
		ensemble := network.Ensemble{Network: n, Networks: networks, Seed: 5}
		all, err := ensemble.Run(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		for _, layers := range all {
			first, last := layers[0].Cosine, layers[len(layers)-1].Cosine
			simulated += (math.Atanh(last) - math.Atanh(first)) / float64(networks)
		}
		return simulated, s.collapse()
	}
	e := New()
	e.Task, e.Dim, e.MLP, e.LayerNorm, e.DepthScaling = masked, 24, noMLP, rms, true
	e.Layers, e.Values = []int{2000}, []string{"identity:0.25"}
	e.AlphaSA, e.Branches = []float64{2}, []float64{0.2}
	simulated, theory := growth(e, 3)
	// α = 2, a branch of 0.2/√2000 and a factor of 1/2: u = √2000 · 0.1 · 0.5.
	if want := math.Sqrt(2000) * 0.05; !(math.Abs(theory-want) <= 1e-12) ||
		!(math.Abs(simulated/theory-1) <= 2e-3) {
		t.Errorf("identity: u = %v, networks %v, want %v", theory, simulated, want)
	}
	e.Layers, e.Values = []int{60}, []string{"gaussian:0.7"}
	e.AlphaSA, e.Branches = []float64{1}, []float64{0.6}
	simulated, theory = growth(e, 300)
	if want := 11 * 0.7 * 0.36; !(math.Abs(theory-want) <= 1e-12) {
		t.Errorf("gaussian: u = %v, want %v", theory, want)
	}
	if !(simulated >= 0.97*theory && simulated <= 1.03*theory*23/22) {
		t.Errorf("gaussian: u = %v, networks %v", theory, simulated)
	}
}

// The report gives no theory for networks that the theory does not cover.
func TestCollapseIsOfWhatTheTheoryCovers(t *testing.T) {
	for _, set := range []func(e *Experiment){
		func(e *Experiment) { e.MLP = "relu" },
		func(e *Experiment) { e.Norm = []string{"pre-norm"} },
		func(e *Experiment) { e.Attention = []string{free} },
		func(e *Experiment) { e.Attention = []string{gain} },
		func(e *Experiment) { e.AlphaSA = []float64{0} },
	} {
		e := New()
		e.MLP = noMLP
		if u := e.settings()[0].collapse(); !(u > 0) {
			t.Errorf("u = %v", u)
		}
		if set(e); !math.IsNaN(e.settings()[0].collapse()) {
			t.Errorf("%v, %v: u = %v", e.Norm, e.Attention, e.settings()[0].collapse())
		}
	}
}

// The fraction of the variance that an increasing curve explains is that of the best increasing step
// function, found by trying all sets of steps.
func TestExplained(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 1))
	for range 40 {
		const n = 7
		x, y := make([]float64, n), make([]float64, n)
		for k := range x {
			x[k], y[k] = float64(random.IntN(5)), random.NormFloat64()+0.3*float64(k)
		}
		if got, want := explained(x, y), bestSteps(x, y); !(math.Abs(got-want) <= 1e-12) {
			t.Errorf("%v, %v: %v, want %v", x, y, got, want)
		}
	}
}

// bestSteps returns the largest explained fraction over every set of places between different x where a step
// function may rise.
func bestSteps(x, y []float64) float64 {
	mean, total := 0.0, 0.0
	for _, v := range y {
		mean += v / float64(len(y))
	}
	for _, v := range y {
		total += (v - mean) * (v - mean)
	}
	best := 0.0
	for cuts := range 1 << 4 { // whether it rises after 0, after 1, after 2, after 3
		var sums, counts [5]float64
		for k := range x {
			block := 0
			for place := range int(x[k]) {
				block += cuts >> place & 1
			}
			sums[block] += y[k]
			counts[block]++
		}
		between, last, ordered := 0.0, math.Inf(-1), true
		for b := range sums {
			if counts[b] > 0 {
				level := sums[b] / counts[b]
				ordered, last = ordered && level >= last, level
				between += counts[b] * (level - mean) * (level - mean)
			}
		}
		if ordered {
			best = max(best, between/total)
		}
	}
	return best
}

// depthCurves returns an experiment of three depths and two kinds of values with two seeds each, and its
// curves.
func depthCurves() (*Experiment, []*learningCurve) {
	e := New()
	e.Task, e.MLP, e.Seeds, e.Steps, e.Dim, e.Heads = masked, noMLP, 2, 10, 10, 1
	e.Layers, e.Values = []int{4, 16, 64}, []string{"gaussian:1/d", sharedIdentity}
	var rows []Row
	for k, losses := range [][2]float64{{1, 1.2}, {3, 3.1}, {2, 2.1}, {3, 3.4}, {4, 5}, {3, 7}} {
		for seed, loss := range losses {
			rows = append(rows, Row{Run: int32(2*k + seed), Step: 10, Layer: math.NaN(), ValidationLoss: loss,
				Status: finished})
		}
	}
	return e, learningCurvesOf(e, rows)
}

func TestDescribeDepths(t *testing.T) {
	_, curves := depthCurves()
	var text strings.Builder
	if err := describeDepths(&text, curves); err != nil {
		t.Fatal(err)
	}
	// Student's quantile for one degree of freedom is 12.706. The differences of the two seeds are -2 and
	// -1.9, then -1 and -1.3, then 1 and -2.
	want := strings.ReplaceAll(`masked, 4 layers: gaussian:1/d values learn more than
 shared-identity values, the loss differs by -1.95 ± 0.64 (95 %, 2 seeds).
masked, 16 layers: undecided whether gaussian:1/d values learn more than
 shared-identity values, the loss differs by -1.15 ± 1.9 (95 %, 2 seeds).
masked, 64 layers: undecided whether gaussian:1/d values learn more than
 shared-identity values, the loss differs by -0.5 ± 19 (95 %, 2 seeds).
`, "\n ", " ")
	got, collapse, _ := strings.Cut(text.String(), "An increasing")
	if got != want {
		t.Errorf("%s", got)
	}
	if !strings.Contains(collapse, "u, from 1.6 to 64, explains 0.") ||
		!strings.Contains(collapse, "the 6 mean") {
		t.Errorf("%s", collapse)
	}
}

func TestDepthFigure(t *testing.T) {
	e, curves := depthCurves()
	f, err := e.depthFigure(curves, &data.Table{})
	if err != nil {
		t.Fatal(err)
	}
	depth := figuretest.Read(t, f, 0, "validation loss at the end", "layers", "")
	depth.Logarithmic(true, false)
	depth.Has(figuretest.LineOf(figure.SeriesStroke(0, 1.5), 4, 1.1, 16, 2.05, 64, 4.5))
	theory := figuretest.Read(t, f, 1, "over the theory of the initialisation",
		"growth u of artanh of the overlap, up to the last layer", "")
	theory.Has(figuretest.LineOf(figure.SeriesStroke(0, 1.5), 1.6, 1.1, 6.4, 2.05, 25.6, 4.5))
	theory.Has(figuretest.LineOf(figure.SeriesStroke(1, 1.5), 4, 3.05, 16, 3.2, 64, 5))
	if len(f.Panels) != 2 {
		t.Errorf("%d panels", len(f.Panels))
	}
}
