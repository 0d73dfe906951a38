package network

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"antipode/sde/internal/kernels"
	"antipode/sde/internal/rowwise"
	"antipode/sphere/must"

	"gonum.org/v1/gonum/stat"
)

func run(t testing.TB, e Ensemble) [][]Layer {
	t.Helper()
	runs := must.Get(e.Run(context.Background()))(t)
	return runs
}

// The networks are large enough for products in several blocks.
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
	for kind := range Placement(len(PlacementNames)) {
		n := small(kind, Tanh)
		n.GainControl = kind == PreNorm
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
	for _, norm := range []Placement{PostNorm, PreNorm} {
		n := small(norm, GELU)
		n.Causal, n.GainControl = true, norm == PreNorm
		r := rand.New(rand.NewPCG(1, 2))
		transformer := perturbed(t, n, r)
		input := sequence(n, n.Tokens, r)
		w := transformer.Workspace(Batch{})
		before := append([]float64(nil), w.Forward(input).Data...)
		row(input.Vectors, 3)[0]++
		for k, v := range w.Forward(input).Data {
			if changed := v != before[k]; changed != (k/n.Dim >= 3) {
				t.Fatalf("%v: coordinate %d of token %d, changed: %v", norm, k%n.Dim, k/n.Dim, changed)
			}
		}
	}
}

// The layers of an ensemble agree with Transformers of the same numbers, evaluated in simple loops. The
// gradients in Whole are those of the probe with respect to the weights of each layer.
func TestEnsembleIsOfTransformers(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 3))
	for range 60 {
		n := scanned(r)
		n.Outputs, n.FinalNorm = 0, false
		n.Late = []int{0, 2}[r.IntN(2)]
		e := Ensemble{Network: n, Networks: 2, Seed: 5, Gradients: true}
		runs, err := e.Run(t.Context())
		if err != nil {
			t.Fatalf("%+v: %v", n, err)
		}
		for k, layers := range runs {
			transformer := must.Get(New(n, 5, int64(k)))(t)
			source := newSource(kernels.NewStream(5, n.id()), int64(k))
			var s Sequence
			switch {
			case n.Input != Embedded:
				s.Vectors = newMatrix(n.Tokens, n.Dim)
				source.tokens(n, s.Vectors)
			case n.Embedding.Vocabulary > 0:
				s.Words = source.words(nil, 0, n.Tokens-len(classes(n)), n.Embedding.Vocabulary)
			default:
				s.Vectors = newMatrix(n.Tokens-len(classes(n)), n.Embedding.Features)
				source.normals(s.Vectors, 1, tokenRole, 0, nil)
			}
			p := plainOf(transformer)
			p.forward(s)
			w := transformer.Workspace(Batch{Gradients: true})
			w.Forward(s)
			probe := newMatrix(n.Tokens, n.Dim)
			source.normals(probe, 1, wholeProbe, n.Layers-1, nil)
			input := w.Backward(probe)
			for l, layer := range layers {
				want := p.layer(l)
				if l > 0 {
					want.Whole = w.blocks[l-1].gradients()
				}
				want.Whole.Input = layer.Whole.Input // a Transformer returns it for its first layer only
				if l == 1 && n.Input != Embedded {
					want.Whole.Input = rowwise.Dot(input.Data, input.Data)
				}
				if n.SharedKeys { // shared weights have the sum over layers
					want.Whole.Query = layer.Whole.Query
				}
				if n.SharedValues {
					want.Whole.Value = layer.Whole.Value
				}
				for name, pair := range map[string][2]float64{
					"Q": {layer.Q, want.Q}, "P": {layer.P, want.P}, "cosine": {layer.Cosine, want.Cosine},
					"norm": {layer.Norm, want.Norm}, "excess": {layer.Excess, want.Excess},
					"Jacobian":   {layer.Jacobian, want.Jacobian},
					"input":      {layer.Whole.Input, want.Whole.Input},
					"query":      {layer.Whole.Query, want.Whole.Query},
					"value":      {layer.Whole.Value, want.Whole.Value},
					"projection": {layer.Whole.Projection, want.Whole.Projection},
					"hidden":     {layer.Whole.Hidden, want.Whole.Hidden},
					"output":     {layer.Whole.Output, want.Whole.Output},
				} {
					if !(math.Abs(pair[0]-pair[1]) <= 1e-10*(1+math.Abs(pair[1]))) {
						t.Errorf("%+v, network %d, layer %d: %s %v, want %v", n, k, l, name, pair[0], pair[1])
					}
				}
			}
		}
	}
}

// classes is the number of tokens that are not made of words or vectors.
func classes(n Network) []int {
	if n.Embedding.Class {
		return []int{0}
	}
	return nil
}

// The squared norms of local gradients, averaged over probes, are those of derivatives computed for every
// output separately.
func TestLocalGradientsAreFrobeniusNorms(t *testing.T) {
	n := small(PreNorm, GELU)
	n.Layers, n.GainControl = 1, true
	add := func(sum *Gradients, g Gradients, factor float64) {
		sum.Query += factor * g.Query
		sum.Key += factor * g.Key
		sum.Value += factor * g.Value
		sum.Hidden += factor * g.Hidden
		sum.Output += factor * g.Output
		sum.Input += factor * g.Input
	}
	m := newMachine(&Ensemble{Network: n, Gradients: true})
	s := newSource(kernels.NewStream(4, 5), 0)
	must.Get(m.run(t.Context(), s, func(int, int, View) error { return nil }))(t)
	var exact, mean Gradients
	for k := range m.pass.Data { // one output at a time
		clear(m.gradient)
		for _, part := range []layer{m.blocks[0].mlp, m.blocks[0].attention} {
			clear(m.pass.Data)
			m.pass.Data[k] = 1
			part.Backward(m.pass)
		}
		exact.Input += rowwise.Dot(m.pass.Data, m.pass.Data)
		add(&exact, m.blocks[0].gradients(), 1)
	}
	const probes = 4000
	for k := range int64(probes) {
		s.network = k
		add(&mean, m.local(s, 0), 1./probes)
	}
	// The standard deviation of a probe's squared norm is at most √2 times its mean; five standard
	// errors.
	bound := 5 * math.Sqrt2 / math.Sqrt(probes)
	for k, pair := range [][2]float64{{exact.Query, mean.Query}, {exact.Key, mean.Key},
		{exact.Value, mean.Value}, {exact.Hidden, mean.Hidden}, {exact.Output, mean.Output},
		{exact.Input, mean.Input}} {
		if !(math.Abs(pair[1]/pair[0]-1) <= bound) {
			t.Errorf("matrix %d: squared norm %g, in the mean over probes %g", k, pair[0], pair[1])
		}
	}
}

// Without query and key weights attention is uniform. Gain-controlled attention is then 0, and values
// alone would make all tokens equal.
func TestUniformAttention(t *testing.T) {
	n := small(NoNorm, Linear)
	n.AlphaSA, n.AlphaMLP, n.Bias2 = 0, 0, 0
	n.Uniform = true
	flagged := run(t, Ensemble{Network: n, Networks: 1})[0][1]
	n.Uniform, n.QueryKey2 = false, 0
	cold := run(t, Ensemble{Network: n, Networks: 1})[0][1]
	for _, layer := range []Layer{flagged, cold} {
		if !(math.Abs(layer.Cosine-1) <= 1e-14) || layer.Excess > 1e-32 {
			t.Errorf("uniform attention gives cosine %v, excess %g", layer.Cosine, layer.Excess)
		}
	}
	n.Norm, n.GainControl = PreNorm, true
	_, err := (&Ensemble{Network: n, Networks: 2}).Run(context.Background())
	if err == nil || !strings.Contains(err.Error(), "network 0: layer 1: the tokens become 0") {
		t.Errorf("gain-controlled uniform attention without residual connection: %v", err)
	}
}

// Inputs have the requested geometry: exactly, or within five standard errors for 400 samples.
func TestInputs(t *testing.T) {
	n := small(NoNorm, Linear)
	n.Layers = 0
	exact := run(t, Ensemble{Network: n, Networks: 1})[0][0]
	if math.Abs(exact.Q-n.Q) > 1e-15 || math.Abs(exact.P-n.P) > 1e-15 ||
		math.Abs(exact.Cosine-n.P/n.Q) > 1e-15 {
		t.Errorf("simplex input %+v", exact)
	}
	n.Input = Gaussian
	var q, p []float64
	for _, layers := range run(t, Ensemble{Network: n, Networks: 400}) {
		q, p = append(q, layers[0].Q), append(p, layers[0].P)
	}
	for k, values := range [][]float64{q, p} {
		mean, deviation := stat.MeanStdDev(values, nil)
		if want := []float64{n.Q, n.P}[k]; !(math.Abs(mean-want) <= 5*deviation/20) {
			t.Errorf("Gaussian input: %g ± %g, not %g", mean, deviation/20, want)
		}
	}
}

func TestLateStatistics(t *testing.T) {
	x := newMatrix(4, 2)
	copy(x.Data, []float64{9, 9, 9, 9, 1, 0, 3, 4})
	got := observe(x, 2)
	want := Layer{Q: 26. / 4, P: 3. / 2, Cosine: 3. / 5, Norm: 3}
	if math.Abs(got.Q-want.Q)+math.Abs(got.P-want.P)+math.Abs(got.Cosine-want.Cosine)+
		math.Abs(got.Norm-want.Norm) > 1e-15 {
		t.Errorf("%+v, not %+v", got, want)
	}
}

func TestBadInput(t *testing.T) {
	for want, change := range map[string]func(e *Ensemble){
		"networks 0":       func(e *Ensemble) { e.Networks = 0 },
		"workers -1":       func(e *Ensemble) { e.Workers = -1 },
		"tokens 1":         func(e *Ensemble) { e.Network.Tokens = 1 },
		"tokens 8: for":    func(e *Ensemble) { e.Network.Tokens = 8 },
		"dimension 0":      func(e *Ensemble) { e.Network.Dim = 0 },
		"heads 3: must":    func(e *Ensemble) { e.Network.Heads = 3 },
		"key dimension -1": func(e *Ensemble) { e.Network.KeyDim = -1 },
		"layers -1":        func(e *Ensemble) { e.Network.Layers = -1 },
		"late tokens 1":    func(e *Ensemble) { e.Network.Late = 1 },
		"late tokens 6":    func(e *Ensemble) { e.Network.Late = 6 },
		"norm 9":           func(e *Ensemble) { e.Network.Norm = 9 },
		"values 3":         func(e *Ensemble) { e.Network.Values = 3 },
		"projections -1":   func(e *Ensemble) { e.Network.Projections = -1 },
		"attention 3":      func(e *Ensemble) { e.Network.Attention = 3 },
		"attention free-scores: must": func(e *Ensemble) {
			e.Network.Attention, e.Network.KeyDim, e.Network.TiedKeys = FreeScores, 0, true
		},
		// The same network with an explicit key dimension.
		"attention free-weights: must": func(e *Ensemble) { e.Network.Attention = FreeWeights },
		"tokens 600000: must be at most 524288": func(e *Ensemble) {
			e.Network.Attention, e.Network.KeyDim, e.Network.Tokens = FreeScores, 0, 600_000
		},
		"positions -1":             func(e *Ensemble) { e.Network.Embedding.Positions = -1 },
		"width of the MLP -1":      func(e *Ensemble) { e.Network.Width = -1 },
		"epsilon of LayerNorm NaN": func(e *Ensemble) { e.Network.LayerNorm.Epsilon = math.NaN() },
		"dimension 1: must": func(e *Ensemble) {
			e.Network.Dim, e.Network.Heads, e.Network.LayerNorm.Centred = 1, 1, true
		},
		"either words or vectors": func(e *Ensemble) { e.Network.Input = Embedded },
		"input simplex: must":     func(e *Ensemble) { e.Network.Embedding.Types = 1 },
		"5 words: must":           func(e *Ensemble) { e.Words = [][]int{make([]int, 5)} },
		"4 words: must":           func(e *Ensemble) { embedded(e); e.Words = [][]int{make([]int, 4)} },
		"word 7: must":            func(e *Ensemble) { embedded(e); e.Words = [][]int{{0, 1, 2, 3, 7}} },
		"words of 1 sequences":    func(e *Ensemble) { embedded(e); e.Sequences, e.Words = 2, [][]int{nil} },
		"sequences -1":            func(e *Ensemble) { embedded(e); e.Sequences = -1 },
		"sequences 3":             func(e *Ensemble) { embedded(e); e.Sequences, e.Gradients = 3, true },
		"sequences 2":             func(e *Ensemble) { e.Sequences = 2 },
		"Zipf's law":              func(e *Ensemble) { e.Zipf = true },
		"weights NaN":             func(e *Ensemble) { e.Network.QueryKey2 = math.NaN() },
		"biases -1":               func(e *Ensemble) { e.Network.Bias2 = -1 },
		"MLP +Inf":                func(e *Ensemble) { e.Network.AlphaMLP = math.Inf(1) },
		"squared norm 0":          func(e *Ensemble) { e.Network.Q = 0 },
		"overlap 2":               func(e *Ensemble) { e.Network.P = 2 },
		"GiB of memory; must":     func(e *Ensemble) { e.Network.Dim, e.Network.Heads = 1<<20, 1 },
		"GiB of memory; must be":  func(e *Ensemble) { e.Network.Width = 1 << 20; e.Network.Dim = 1 << 14 },
	} {
		e := Ensemble{Network: small(PostNorm, ReLU), Networks: 1}
		change(&e)
		if _, err := e.Run(context.Background()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}

func embedded(e *Ensemble) {
	e.Network.Input, e.Network.Embedding = Embedded, Embedding{Vocabulary: 7}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := (&Ensemble{Network: small(PostNorm, ReLU), Networks: 1}).Run(ctx); err != context.Canceled {
		t.Error(err)
	}
}

// If a network overflows, the result is an error rather than infinite rows.
func TestOverflow(t *testing.T) {
	n := small(NoNorm, Linear)
	n.Layers, n.AlphaMLP, n.AlphaSA = 200, 1e3, 1e3
	_, err := (&Ensemble{Network: n, Networks: 1}).Run(context.Background())
	if err == nil || !strings.Contains(err.Error(), "become 0 or overflow") {
		t.Error(err)
	}
}

// The estimated memory agrees with the memory held, within 2 %.
func TestMemoryEstimate(t *testing.T) {
	n := small(PreNorm, ReLU)
	n.Tokens, n.Dim, n.KeyDim, n.Width, n.Layers = 200, 300, 0, 500, 4
	n.Input, n.Embedding = Embedded, Embedding{Vocabulary: 1000, Positions: SinusoidalPositions, Norm: true}
	n.Outputs, n.FinalNorm = 50, true
	held := func(build func()) float64 {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		build()
		runtime.ReadMemStats(&after)
		return float64(after.TotalAlloc - before.TotalAlloc)
	}
	for _, gradients := range []bool{false, true} {
		e := Ensemble{Network: n, Networks: 5, Workers: 1, Gradients: gradients}
		got := held(func() { newMachine(&e) })
		if estimate := e.Memory(); !(math.Abs(got/estimate-1) <= 0.02) {
			t.Errorf("gradients %v: %g bytes held, %g estimated", gradients, got, estimate)
		}
		got = held(func() {
			transformer := must.Get(New(n, 1, 1))(t)
			for range 2 {
				transformer.Workspace(Batch{Gradients: gradients})
			}
		})
		if estimate := n.Memory(2, Batch{Gradients: gradients}); !(math.Abs(got/estimate-1) <= 0.02) {
			t.Errorf("Transformer, gradients %v: %g bytes held, %g estimated", gradients, got, estimate)
		}
	}
}

// Keys and the MLP's hidden layer have the requested dimensions, or by default those of a head's values
// and of tokens. Setting a field to its default value does not change the random numbers.
func TestDefaultSizes(t *testing.T) {
	for asked, want := range map[int]int{0: 4, 1: 1, 3: 3, 7: 7} {
		n := small(PostNorm, ReLU) // of 8 dimensions and 2 heads
		n.KeyDim, n.Width = asked, 2*asked
		explicit := n
		explicit.KeyDim, explicit.Width, explicit.Layers, explicit.BranchSA = want, 2*want, n.Layers+1, 1
		if explicit.id() != n.id() {
			t.Errorf("%d asked for: other random numbers than for %d, and a layer more", asked, want)
		}
		for _, other := range []func(*Network){
			func(n *Network) { n.KeyDim++ },
			func(n *Network) { n.Width++ },
			func(n *Network) { n.BranchSA = 2 },
		} {
			changed := explicit
			if other(&changed); changed.id() == n.id() {
				t.Errorf("%d asked for: the same random numbers for other networks", asked)
			}
		}
		transformer := must.Get(New(n, 1, 1))(t)
		query, hidden := transformer.register.byName["layers.0.attention.query.weight"],
			transformer.register.byName["layers.0.mlp.hidden.weight"]
		if query.Rows != 2*want || hidden.Rows != 2*want {
			t.Errorf("%d asked for: %d rows of queries, %d of the MLP", asked, query.Rows, hidden.Rows)
		}
	}
}

// The stable rank of two tokens of equal norm and cosine c is 1 + ((1-|c|)/(1+|c|))².
func TestStableRankOfTwoTokens(t *testing.T) {
	n := small(PostNorm, Tanh)
	n.Tokens = 2
	for l, layer := range run(t, Ensemble{Network: n, Networks: 1, Ranks: true})[0][1:] {
		c := math.Abs(layer.Cosine)
		if want := 1 + math.Pow((1-c)/(1+c), 2); !(math.Abs(layer.StableRank-want) <= 1e-9) {
			t.Errorf("layer %d: %v, want %v at cosine %v", l+1, layer.StableRank, want, layer.Cosine)
		}
	}
}

// endingContext ends after a number of looks at its error.
type endingContext struct {
	context.Context
	looks int
}

func (c *endingContext) Err() error {
	if c.looks--; c.looks < 0 {
		return context.Canceled
	}
	return nil
}

// Wherever a context ends, forward or backward, there is its error and no layers. There is a look before each
// layer of each pass.
func TestCancelledAnywhere(t *testing.T) {
	n := small(PostNorm, ReLU)
	for _, gradients := range []bool{false, true} {
		e := &Ensemble{Network: n, Networks: 1, Gradients: gradients}
		looks := n.Layers + 1
		if gradients {
			looks += n.Layers
		}
		for k := range looks {
			layers, err := e.Worker()(&endingContext{t.Context(), k}, 0)
			if !errors.Is(err, context.Canceled) || layers != nil {
				t.Errorf("gradients %v, end at look %d: %d layers, %v", gradients, k, len(layers), err)
			}
		}
		layers, err := e.Worker()(&endingContext{t.Context(), looks}, 0)
		if err != nil || len(layers) != n.Layers+1 {
			t.Errorf("gradients %v: %d layers, %v", gradients, len(layers), err)
		}
	}
}
