package network

import (
	"context"
	"math"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat"
)

func run(t testing.TB, e Ensemble) [][]Layer {
	t.Helper()
	runs, err := e.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return runs
}

// Large enough for gonum to split products among processors.
func TestSameBitsForAnyWorkers(t *testing.T) {
	n := small(PreNorm, GELU)
	n.Tokens, n.Dim, n.KeyDim, n.Layers = 130, 140, 0, 2
	e := Ensemble{Network: n, Networks: 2, Seed: 7, Gradients: true, Workers: 1}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	one := run(t, e)
	runtime.GOMAXPROCS(4)
	e.Workers = 2
	if many := run(t, e); !reflect.DeepEqual(one, many) {
		t.Error("rows depend on the number of workers or processors")
	}
	if reflect.DeepEqual(one[0], one[1]) {
		t.Error("two networks are the same")
	}
}

func TestDeeperNetworksContinue(t *testing.T) {
	for kind := range Kind(len(KindNames)) {
		n := small(kind, Tanh)
		deep := run(t, Ensemble{Network: n, Networks: 2, Gradients: true})
		n.Layers = 2
		shallow := run(t, Ensemble{Network: n, Networks: 2})
		for k := range shallow {
			for l, layer := range shallow[k] {
				layer.Local, layer.Whole = deep[k][l].Local, deep[k][l].Whole
				if layer != deep[k][l] {
					t.Errorf("%v, layer %d: %v with two layers, %v with three", kind, l, layer, deep[k][l])
				}
			}
		}
	}
}

// Tokens of a causal network do not depend on those after them.
func TestCausalNetworksDoNotLookAhead(t *testing.T) {
	for _, kind := range []Kind{PostNorm, GainPreNorm} {
		n := small(kind, GELU)
		n.Causal = true
		f := newFixed(n)
		f.value()
		before := append([]float64(nil), f.blocks[2].out.Data...)
		row(f.input, 3)[0] += 1
		f.value()
		for k, v := range f.blocks[2].out.Data {
			if changed := v != before[k]; changed != (k/n.Dim >= 3) {
				t.Fatalf("%v: coordinate %d of token %d, changed: %v", kind, k%n.Dim, k/n.Dim, changed)
			}
		}
	}
}

// Without query and key weights attention is uniform; that of gain control is then 0, and
// values alone would leave all tokens alike.
func TestUniformAttention(t *testing.T) {
	n := small(NoNorm, Linear)
	n.AlphaSA, n.AlphaMLP, n.Bias2 = 0, 0, 0
	n.Uniform = true
	flagged := run(t, Ensemble{Network: n, Networks: 1})[0][1]
	n.Uniform, n.QueryKey2 = false, 0
	cold := run(t, Ensemble{Network: n, Networks: 1})[0][1]
	for _, layer := range []Layer{flagged, cold} {
		if math.Abs(layer.Cosine-1) > 1e-14 || layer.Excess > 1e-32 {
			t.Errorf("uniform attention gives cosine %v, excess %g", layer.Cosine, layer.Excess)
		}
	}
	n.Kind = GainPreNorm
	_, err := (&Ensemble{Network: n, Networks: 2}).Run(context.Background())
	if err == nil || !strings.Contains(err.Error(), "network 0: layer 1: the tokens become 0") {
		t.Errorf("gain-controlled uniform attention without residual connection: %v", err)
	}
}

// Inputs have the geometry asked for: exactly, or within five standard errors of 400 draws.
func TestInputs(t *testing.T) {
	n := small(NoNorm, Linear)
	n.Layers = 0
	exact := run(t, Ensemble{Network: n, Networks: 1})[0][0]
	if math.Abs(exact.Q-n.Q) > 1e-15 || math.Abs(exact.P-n.P) > 1e-15 || math.Abs(exact.Cosine-n.P/n.Q) > 1e-15 {
		t.Errorf("simplex input %+v", exact)
	}
	n.Input = Gaussian
	var q, p []float64
	for _, layers := range run(t, Ensemble{Network: n, Networks: 400}) {
		q, p = append(q, layers[0].Q), append(p, layers[0].P)
	}
	for k, values := range [][]float64{q, p} {
		mean, deviation := stat.MeanStdDev(values, nil)
		if want := []float64{n.Q, n.P}[k]; math.Abs(mean-want) > 5*deviation/20 {
			t.Errorf("Gaussian input: %g ± %g, not %g", mean, deviation/20, want)
		}
	}
}

func TestLateStatistics(t *testing.T) {
	x := newMatrix(4, 2)
	copy(x.Data, []float64{9, 9, 9, 9, 1, 0, 3, 4})
	got := observe(x, 2)
	want := Layer{Q: 26. / 4, P: 3. / 2, Cosine: 3. / 5}
	if math.Abs(got.Q-want.Q)+math.Abs(got.P-want.P)+math.Abs(got.Cosine-want.Cosine) > 1e-15 {
		t.Errorf("%+v, not %+v", got, want)
	}
}

func TestBadInput(t *testing.T) {
	for want, change := range map[string]func(e *Ensemble){
		"networks 0":          func(e *Ensemble) { e.Networks = 0 },
		"workers -1":          func(e *Ensemble) { e.Workers = -1 },
		"tokens 1":            func(e *Ensemble) { e.Network.Tokens = 1 },
		"tokens 8: for":       func(e *Ensemble) { e.Network.Tokens = 8 },
		"dimension 0":         func(e *Ensemble) { e.Network.Dim = 0 },
		"heads 3: must":       func(e *Ensemble) { e.Network.Heads = 3 },
		"key dimension -1":    func(e *Ensemble) { e.Network.KeyDim = -1 },
		"layers -1":           func(e *Ensemble) { e.Network.Layers = -1 },
		"late tokens 1":       func(e *Ensemble) { e.Network.Late = 1 },
		"late tokens 6":       func(e *Ensemble) { e.Network.Late = 6 },
		"kind 9":              func(e *Ensemble) { e.Network.Kind = 9 },
		"weights NaN":         func(e *Ensemble) { e.Network.QueryKey2 = math.NaN() },
		"biases -1":           func(e *Ensemble) { e.Network.Bias2 = -1 },
		"MLP +Inf":            func(e *Ensemble) { e.Network.AlphaMLP = math.Inf(1) },
		"squared norm 0":      func(e *Ensemble) { e.Network.Q = 0 },
		"overlap 2":           func(e *Ensemble) { e.Network.P = 2 },
		"GiB of memory; must": func(e *Ensemble) { e.Network.Dim, e.Network.Heads = 1<<20, 1 },
	} {
		e := Ensemble{Network: small(PostNorm, ReLU), Networks: 1}
		change(&e)
		if _, err := e.Run(context.Background()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := (&Ensemble{Network: small(PostNorm, ReLU), Networks: 1}).Run(ctx); err != context.Canceled {
		t.Error(err)
	}
}

// A network overflows by an error, not by infinite rows.
func TestOverflow(t *testing.T) {
	n := small(NoNorm, Linear)
	n.Layers, n.AlphaMLP, n.AlphaSA = 200, 1e3, 1e3
	_, err := (&Ensemble{Network: n, Networks: 1}).Run(context.Background())
	if err == nil || !strings.Contains(err.Error(), "become 0 or overflow") {
		t.Error(err)
	}
}

// The memory that is estimated is that which is held, within 10 %.
func TestMemoryEstimate(t *testing.T) {
	n := small(PreNorm, ReLU)
	n.Tokens, n.Dim, n.KeyDim, n.Layers = 200, 300, 0, 4
	for _, gradients := range []bool{false, true} {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		m := newMachine(n, gradients)
		runtime.ReadMemStats(&after)
		held := float64(after.TotalAlloc - before.TotalAlloc)
		e := Ensemble{Network: n, Networks: 5, Workers: 1, Gradients: gradients}
		if estimate := e.Memory(); math.Abs(held/estimate-1) > 0.1 {
			t.Errorf("gradients %v: %g bytes held, %g estimated", gradients, held, estimate)
		}
		runtime.KeepAlive(m)
	}
}
