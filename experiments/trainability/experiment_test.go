package trainability

import (
	"math"
	"strings"
	"testing"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/internal/networks"
	"antipode/experiments/run"
	"antipode/overlap/propagation"
	"antipode/sde/network"
	"antipode/sphere/must"
)

// The parameters of the experiment become those of the block.
func TestBlockHasTheParameters(t *testing.T) {
	d := &Experiment{Block: "pre-norm", SigmaW2: 0.5, SigmaB2: 0.02, SigmaV2: 0.3, AlphaMLP: 1.2,
		Activation: "gelu"}
	want := propagation.Block{
		Kind: propagation.PreNorm, Beta: 0.7, SigmaV2: 0.3, SigmaW2: 0.5, SigmaB2: 0.02, AlphaSA: 0.8,
		AlphaMLP: 1.2, Activation: propagation.GELU, Tokens: math.Inf(1),
	}
	if got := d.block(0.8, 0.7); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func TestTrainabilityRows(t *testing.T) {
	c := New()
	c.AlphaSA, c.Beta = []float64{1, 2, 0.5}, []float64{1.8, 0.5}
	table := experimenttest.Table(t, c, run.Options{})
	rows, err := data.RowsOf[Row](table)
	if err != nil || len(rows) != 6 {
		t.Fatal(err, len(rows))
	}
	for _, r := range rows {
		m := must.Get(propagation.NewMap(c.block(r.AlphaSA, r.Beta)))(t)
		signal, err := m.Signal(propagation.State{Q: 1}, 60)
		if err != nil || signal.Cosine != r.Cosine || signal.Verdict(r.Beta, 0.99) != r.Verdict {
			t.Errorf("%+v, %v; row %+v", signal, err, r)
		}
	}
}

// The standard deviations in the report are those of the weights that a network of the block draws, within
// five standard errors, and that of queries gives β back.
func TestDeviationsAreThoseOfNetworks(t *testing.T) {
	e := New()
	const beta, tokens, dim = 0.7, 12, 64
	want := e.deviationsOf(beta, tokens, dim)
	drawn := must.Get(network.New(networks.Of(e.block(1, beta), 0.1, tokens, dim, 4), 7, 0))(t)
	got := map[float64]int{}
	for _, p := range drawn.Parameters {
		sum := 0.0
		for _, x := range p.Value {
			sum += x * x
		}
		measured := math.Sqrt(sum / float64(len(p.Value)))
		// the matrices of the MLP have the deviation of values here
		for _, d := range []float64{want.query, want.value, want.bias} {
			if n := float64(len(p.Value)); math.Abs(measured/d-1) < 5/math.Sqrt(2*n) {
				got[d]++
			}
		}
	}
	if e.SigmaV2 != e.SigmaW2 || got[want.query] != 8 || got[want.value] != 12 || got[want.bias] != 8 {
		t.Errorf("deviations %+v of matrices: %v", want, got)
	}
	back, err := propagation.EffectiveBeta(want.query, dim, tokens)
	if err != nil || !(math.Abs(back-beta) <= 1e-12) {
		t.Errorf("β of the deviation is %g, %v", back, err)
	}
}

// The report warns of cells close to the edge, and has the standard deviations: √(0.707107 √log 512 / 768) =
// 0.0479544, and √(0.2/768) = 0.0161374.
func TestReportOfAnInitialisation(t *testing.T) {
	e, tokens, dim := New(), int64(512), int64(768)
	e.AlphaSA, e.Beta, e.Tokens, e.Dim = []float64{1.3, 4}, []float64{0.5}, &tokens, &dim
	table := experimenttest.Table(t, e, run.Options{})
	var text strings.Builder
	must.Do(t, e.Describe(&text, table))
	for _, want := range []string{
		"of 2 cells 2 trainable, 0 rank collapse and 0 entropy collapse",
		"Warning: 1 of the trainable cells has less",
		"α_SA ≥ 3.93033 and β ≤ 0.707107", "For α_SA ≥ α_c = 1.22823",
		"with α_SA = 1 at layer 44; with α_SA = 3.93 at layer 368",
		"W_Q, W_K  0.0479544 at most", "W_V       0.0161374 ",
		"0.0161374 for a hidden layer of d, 0.00806872 for one of 4 d",
		"b_1, b_2  0.02",
	} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("%q is not in\n%s", want, text.String())
		}
	}
	for want, strengths := range map[string][]float64{
		"Warning: all trainable cells have less": {0.5, 1.3, 2},
		"Warning: the trainable cell has less":   {1.3},
	} {
		e.AlphaSA = strengths
		text.Reset()
		if err := e.Describe(&text, experimenttest.Table(t, e, run.Options{})); err != nil ||
			!strings.Contains(text.String(), want) {
			t.Errorf("strengths %v: error %v, %q is not in\n%s", strengths, err, want, &text)
		}
	}
}
