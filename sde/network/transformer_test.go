package network

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"antipode/sde/internal/kernels"
	"antipode/sde/internal/rowwise"
	"antipode/sphere/must"
)

// small returns a network whose heads have keys of another dimension, and whose parameters all differ.
func small(norm Placement, activation Activation) Network {
	return Network{
		Norm: norm, Activation: activation, Tokens: 5, Dim: 8, Heads: 2, KeyDim: 3, Layers: 3,
		QueryKey2: 1.5, Value2: 0.8, Hidden2: 1.3, Output2: 0.7, Bias2: 0.2, AlphaSA: 0.6, AlphaMLP: 0.9,
		Q: 1.2, P: 0.3,
	}
}

// scanned returns a random network: every option occurs, alone and in all combinations.
func scanned(r *rand.Rand) Network {
	coin := func() bool { return r.IntN(2) == 0 }
	n := Network{
		Tokens: 3 + r.IntN(4), Dim: 6, Layers: 1 + r.IntN(3),
		Norm:      Placement(r.IntN(len(PlacementNames))),
		LayerNorm: LayerNorm{coin(), coin(), []float64{0, 1e-5, 0.1}[r.IntN(3)]},
		AlphaSA:   0.5 + r.Float64(), AlphaMLP: 0.5 + r.Float64(), BranchSA: 0.5 + r.Float64(),
		BranchMLP: 0.5 + r.Float64(),
		Heads:     []int{1, 2, 3}[r.IntN(3)], KeyDim: r.IntN(4), Causal: coin(), Uniform: r.IntN(6) == 0,
		GainControl: coin(), Projection: coin(), Biases: coin(), TiedKeys: coin(), SharedKeys: coin(),
		SharedValues: r.IntN(4) == 0, Values: ValueLaw(r.IntN(len(ValueLawNames))),
		AttentionOnly: r.IntN(4) == 0, Width: r.IntN(10), Gated: r.IntN(3) == 0,
		Activation: Activation(r.IntN(len(ActivationNames))),
		QueryKey2:  2 * r.Float64(), Value2: 0.3 + r.Float64(), Projection2: 0.3 + r.Float64(),
		Hidden2: 0.3 + r.Float64(), Output2: 0.3 + r.Float64(), Bias2: r.Float64(),
		Input: Input(r.IntN(len(InputNames))), Q: 0.5 + r.Float64(), P: 0.5 * r.Float64(),
		FinalNorm: coin(), Outputs: r.IntN(4),
	}
	if n.Norm == NoNorm { // a gated product would grow with every layer
		n.Gated = false
	}
	switch r.IntN(4) {
	case 0:
		n.Attention = FreeScores
	case 1:
		n.Attention = FreeWeights
	}
	if n.Attention != QueriesKeys {
		n.Uniform, n.TiedKeys, n.KeyDim = false, false, 0
	}
	n.Projections = ValueLaw(r.IntN(len(ValueLawNames)))
	if n.GainControl { // the outputs of attention may be 0 before a LayerNorm
		n.LayerNorm.Epsilon = 0.1
	}
	if n.Input == Simplex || n.Input == Rotated {
		n.Tokens = min(n.Tokens, n.Dim-1)
	}
	if n.Input == Embedded {
		n.Embedding = Embedding{
			Class: coin(), Positions: Positions(r.IntN(len(PositionsNames))), Types: r.IntN(3), Norm: coin(),
			Variance: 0.3 + r.Float64(),
		}
		if coin() {
			n.Embedding.Vocabulary = 7
		} else {
			n.Embedding.Features = 4
		}
	}
	return n
}

// perturbed changes every weight, so that none has a value, such as a gain of 1, that would hide an
// error.
func perturbed(t *testing.T, n Network, r *rand.Rand) *Transformer {
	t.Helper()
	transformer := must.Get(New(n, 3, 1))(t)
	for _, p := range transformer.Parameters {
		for k := range p.Value {
			p.Value[k] += 0.1 * r.NormFloat64()
		}
	}
	return transformer
}

// sequence returns a random sequence that the network can read.
func sequence(n Network, tokens int, r *rand.Rand) (s Sequence) {
	if n.Embedding.Class {
		tokens--
	}
	coordinates := n.Dim
	if n.Input == Embedded {
		coordinates = n.Embedding.Features
	}
	if n.Embedding.Vocabulary == 0 {
		s.Vectors = newMatrix(tokens, coordinates)
		for k := range s.Vectors.Data {
			s.Vectors.Data[k] = r.NormFloat64()
		}
	}
	for range tokens {
		if n.Embedding.Vocabulary > 0 {
			s.Words = append(s.Words, r.IntN(n.Embedding.Vocabulary))
		}
	}
	if n.Embedding.Types > 0 && r.IntN(2) == 0 {
		for range n.Tokens {
			s.Types = append(s.Types, r.IntN(n.Embedding.Types))
		}
	}
	return s
}

// The forward pass of 300 random networks, and of all kinds of blocks, agrees with simple loops.
func TestForwardAgainstPlainLoops(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 300 {
		n := scanned(r)
		transformer := perturbed(t, n, r)
		s := sequence(n, n.Tokens, r)
		p := plainOf(transformer)
		want := p.forward(s)
		w := transformer.Workspace(Batch{})
		got := w.Forward(s)
		for i := range want {
			for k, v := range want[i] {
				if !(math.Abs(got.Data[i*got.Stride+k]-v) <= 1e-11*(1+math.Abs(v))) {
					t.Fatalf("%+v: token %d, coordinate %d: %v, by loops %v",
						n, i, k, got.Data[i*got.Stride+k], v)
				}
			}
		}
		for l := range n.Layers + 1 {
			view := w.Layer(l)
			for k, v := range view.Tokens.Data {
				if want := p.tokens[l][k/n.Dim][k%n.Dim]; !(math.Abs(v-want) <= 1e-11*(1+math.Abs(want))) {
					t.Fatalf("%+v: layer %d: %v, by loops %v", n, l, v, want)
				}
			}
			for h, a := range view.Attention {
				for k, v := range a.Data {
					i := k / n.Tokens
					attended := n.Tokens
					if n.Causal {
						attended = i + 1
					}
					want := p.attention[l-1][h][i][k%n.Tokens]
					if n.GainControl && k%n.Tokens < attended {
						want -= 1 / float64(attended)
					}
					if !(math.Abs(v-want) <= 1e-13) {
						t.Fatalf("%+v: layer %d, head %d: weight %v, by loops %v", n, l+1, h, v, want)
					}
				}
			}
		}
	}
}

// loss is the function differentiated in the gradient tests: the inner product of a probe with the
// outputs.
func loss(w *Workspace, s Sequence, probe matrix) float64 {
	return rowwise.Dot(w.Forward(s).Data, probe.Data)
}

// difference returns the derivative of f at x by central differences of fourth order.
func difference(f func() float64, x *float64, h float64) float64 {
	before := *x
	value := func(shift float64) float64 { *x = before + shift; return f() }
	d := (8*(value(h)-value(-h)) - (value(2*h) - value(-2*h))) / (12 * h)
	*x = before
	return d
}

// checkGradients compares the derivatives with respect to every weight and every coordinate of the input
// with differences, within 1e-6 of the largest entry of the matrix. If a kink of ReLU lies within the
// step, a smaller step is used.
func checkGradients(t *testing.T, n Network, r *rand.Rand) {
	t.Helper()
	transformer := perturbed(t, n, r)
	s := sequence(n, n.Tokens, r)
	w := transformer.Workspace(Batch{Gradients: true})
	out := w.Forward(s)
	probe := newMatrix(out.Rows, out.Cols)
	for k := range probe.Data {
		probe.Data[k] = r.NormFloat64()
	}
	input := append([]float64{}, w.Backward(probe).Data...)
	f := func() float64 { return loss(w, s, probe) }
	compare := func(name string, values, gradient []float64) {
		worst, largest := 0.0, 0.01
		for _, g := range gradient {
			largest = max(largest, math.Abs(g))
		}
		for k := range values {
			far := math.Inf(1)
			for _, h := range []float64{3e-4, 1e-5, 3e-6} {
				if far > 1e-6*largest {
					far = min(far, math.Abs(difference(f, &values[k], h)-gradient[k]))
				}
			}
			worst = max(worst, far)
		}
		if !(worst <= 1e-6*largest) {
			t.Errorf("%+v: derivatives by %s up to %g differ by %g", n, name, largest, worst)
		}
	}
	for _, p := range transformer.Parameters {
		compare(p.Name, p.Value, p.Of(w.Gradient))
	}
	if s.Vectors.Data != nil {
		compare("the input", s.Vectors.Data, input)
	}
}

// Every kind of block with some activations and masks, every activation in two kinds of blocks, and 40 random
// networks.
func TestGradientsAgainstDifferences(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 1))
	for norm := range Placement(len(PlacementNames)) {
		for activation := range Activation(len(ActivationNames)) {
			if (int(norm)+int(activation))%2 == 1 {
				continue
			}
			n := small(norm, activation)
			n.Layers, n.Causal, n.GainControl = 2, activation/2%2 == 0, activation%3 == 0
			n.LayerNorm.Epsilon = 0.01
			checkGradients(t, n, r)
		}
	}
	for range 40 {
		n := scanned(r)
		n.Uniform = false // uniform attention has the derivatives of another function
		checkGradients(t, n, r)
	}
}

// The derivatives of uniform attention with respect to queries and values are those of softmax at zero
// queries, and those with respect to keys and values are those of softmax at zero keys.
func TestGradientsOfUniformAttention(t *testing.T) {
	n := small(PreNorm, GELU)
	n.Layers = 1
	r := rand.New(rand.NewPCG(5, 1))
	transformer := perturbed(t, n, r)
	s := sequence(n, n.Tokens, r)
	probe := sequence(n, n.Tokens, r).Vectors
	gradient := func(uniform bool) map[string][]float64 {
		transformer.Network.Uniform = uniform
		w := transformer.Workspace(Batch{Gradients: true})
		w.Forward(s)
		w.Backward(probe)
		parts := map[string][]float64{}
		for _, p := range transformer.Parameters {
			parts[p.Name] = p.Of(w.Gradient)
		}
		return parts
	}
	uniform := gradient(true)
	for _, name := range []string{"query", "key"} {
		w := transformer.register.byName["layers.0.attention."+name+".weight"]
		before := append([]float64{}, w.Value...)
		clear(w.Value)
		softmax := gradient(false)
		copy(w.Value, before)
		for _, part := range []string{w.Name, "layers.0.attention.value.weight"} {
			for k, v := range uniform[part] {
				if !(math.Abs(v-softmax[part][k]) <= 1e-13) || v == 0 {
					t.Fatalf("derivative by %s %v, of softmax %v", part, v, softmax[part][k])
				}
			}
		}
	}
}

// Doubling the scores gives the same bits as doubling the queries, and half of their derivatives.
func TestScaledScores(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 6))
	n := small(PostNorm, Tanh)
	plain := perturbed(t, n, rand.New(rand.NewPCG(1, 1)))
	doubled := perturbed(t, n, rand.New(rand.NewPCG(1, 1)))
	for _, p := range doubled.Parameters {
		if strings.Contains(p.Name, "attention.query.") {
			for k := range p.Value {
				p.Value[k] *= 2
			}
		}
	}
	scaled, want := plain.Workspace(Batch{Gradients: true}), doubled.Workspace(Batch{Gradients: true})
	s := sequence(n, n.Tokens, r)
	before := slices.Clone(scaled.Forward(s).Data)
	scaled.ScaleScores(2)
	out, other := scaled.Forward(s), want.Forward(s)
	if !slices.Equal(out.Data, other.Data) || slices.Equal(out.Data, before) {
		t.Errorf("outputs %v, want %v; unscaled %v", out.Data, other.Data, before)
	}
	scaled.Backward(out)
	want.Backward(other)
	for k, p := range plain.Parameters {
		factor := 1.0
		if strings.Contains(p.Name, "attention.query.") {
			factor = 2
		}
		for i, g := range doubled.Parameters[k].Of(want.Gradient) {
			if p.Of(scaled.Gradient)[i] != factor*g {
				t.Fatalf("%s: derivative %v, want %v times %v", p.Name, p.Of(scaled.Gradient)[i], factor, g)
			}
		}
	}
}

// If strengths are fixed, their derivatives are 0, and all others have the same bits.
func TestFixedStrengths(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	for range 20 {
		n := scanned(r)
		transformer := perturbed(t, n, r)
		s := sequence(n, n.Tokens, r)
		all := transformer.Workspace(Batch{Gradients: true})
		fixed := transformer.Workspace(Batch{Gradients: true, FixedStrengths: true})
		for _, w := range []*Workspace{all, fixed} {
			out := w.Forward(s)
			for k := range out.Data {
				out.Data[k] = float64(k%5) - 1.5
			}
			w.Backward(out)
		}
		for _, p := range transformer.Parameters {
			got, want := p.Of(fixed.Gradient), slices.Clone(p.Of(all.Gradient))
			if strings.HasSuffix(p.Name, ".skip") || strings.HasSuffix(p.Name, ".strength") {
				if want[0] == 0 && !n.Uniform { // uniform attention minus its mean is 0
					t.Errorf("%+v: %s has no derivative", n, p.Name)
				}
				want[0] = 0
			}
			if !slices.Equal(got, want) {
				t.Errorf("%+v: %s has the derivatives %v, want %v", n, p.Name, got, want)
			}
		}
	}
}

// A sequence shorter than the longest, also with other types, has the tokens of a causal network with the
// complete sequence.
func TestShortSequences(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	for attention := range Attention(len(AttentionNames)) {
		n := small(PeriNorm, GELUTanh)
		n.Causal, n.Input, n.Projection, n.Attention = true, Embedded, true, attention
		if attention != QueriesKeys {
			n.KeyDim = 0
		}
		n.Embedding = Embedding{Vocabulary: 9, Positions: LearnedPositions, Variance: 1}
		transformer := perturbed(t, n, r)
		s := sequence(n, 5, r)
		long := append([]float64{}, transformer.Workspace(Batch{Tokens: 5}).Forward(s).Data...)
		s.Words = s.Words[:3]
		for k, v := range transformer.Workspace(Batch{Tokens: 3}).Forward(s).Data {
			if !(math.Abs(v-long[k]) <= 1e-13) {
				t.Fatalf("%v: coordinate %d: %v, of the long sequence %v", attention, k, v, long[k])
			}
		}
	}
}

// Goroutines that read the same weights, and products that several goroutines share, give the same bits.
// Derivatives accumulate. Nothing is allocated after the first pass.
func TestWorkspaces(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 1))
	n := small(PostNorm, GELU)
	n.Tokens, n.Dim, n.KeyDim, n.Width, n.Layers, n.Projection = 33, 40, 0, 70, 2, true
	transformer := perturbed(t, n, r)
	s := sequence(n, n.Tokens, r)
	probe := newMatrix(n.Tokens, n.Dim)
	for k := range probe.Data {
		probe.Data[k] = r.NormFloat64()
	}
	results := make([][]float64, 4)
	done := make(chan int)
	for k := range results {
		go func() {
			w := transformer.Workspace(Batch{Workers: 1 + k%3, Gradients: true})
			results[k] = append(results[k], w.Forward(s).Data...)
			results[k] = append(results[k], w.Backward(probe).Data...)
			results[k] = append(results[k], w.Gradient...)
			done <- k
		}()
	}
	for range results {
		<-done
	}
	for k := range results {
		if !reflect.DeepEqual(results[k], results[0]) {
			t.Errorf("goroutine %d has other bits", k)
		}
	}
	w := transformer.Workspace(Batch{Gradients: true})
	step := func() { w.Forward(s); w.Backward(probe) }
	step()
	once := append([]float64{}, w.Gradient...)
	if allocations := testing.AllocsPerRun(3, step); allocations != 0 {
		t.Errorf("a step allocates %v times", allocations)
	}
	clear(w.Gradient)
	step()
	step()
	for k, v := range w.Gradient {
		if !(math.Abs(v-2*once[k]) <= 1e-12*(1+math.Abs(once[k]))) {
			t.Fatalf("derivatives of two steps %v, of one %v", v, once[k])
		}
	}
}

// The parameters of a BERT block, their shapes, and which of them have weight decay.
func TestParameters(t *testing.T) {
	n := small(PostNorm, GELU)
	n.Layers, n.Projection, n.Biases, n.LayerNorm.Affine, n.Width = 1, true, true, true, 11
	n.SharedKeys, n.TiedKeys, n.Outputs = true, true, 4
	n.Input = Embedded
	n.Embedding = Embedding{Vocabulary: 9, Positions: LearnedPositions, Types: 2, Norm: true}
	transformer := must.Get(New(n, 1, 1))(t)
	want := []string{
		"embedding.word.weight 9×8 true", "embedding.position.weight 5×8 true",
		"embedding.type.weight 2×8 true",
		"embedding.norm.gain 1×8 false", "embedding.norm.bias 1×8 false",
		"attention.query.weight 6×8 true", "attention.query.bias 1×6 false",
		"layers.0.attention.value.weight 8×8 true", "layers.0.attention.value.bias 1×8 false",
		"layers.0.attention.projection.weight 8×8 true", "layers.0.attention.projection.bias 1×8 false",
		"layers.0.attention.skip 1×1 false", "layers.0.attention.strength 1×1 false",
		"layers.0.attention.norm.gain 1×8 false", "layers.0.attention.norm.bias 1×8 false",
		"layers.0.mlp.hidden.weight 11×8 true", "layers.0.mlp.hidden.bias 1×11 false",
		"layers.0.mlp.output.weight 8×11 true", "layers.0.mlp.output.bias 1×8 false",
		"layers.0.mlp.skip 1×1 false", "layers.0.mlp.strength 1×1 false",
		"layers.0.mlp.norm.gain 1×8 false", "layers.0.mlp.norm.bias 1×8 false",
		"outputs.weight 4×8 true", "outputs.bias 1×4 false",
	}
	var got []string
	size := 0
	for _, p := range transformer.Parameters {
		got = append(got, fmt.Sprintf("%s %d×%d %v", p.Name, p.Rows, p.Cols, p.Decay))
		size += len(p.Value)
	}
	if !reflect.DeepEqual(got, want) || size != transformer.Size() {
		t.Errorf("%d numbers in %q", transformer.Size(), got)
	}
}

// Orthogonal values are orthogonal up to rounding errors, also if they consist of several blocks. They
// are uniformly distributed: the square of an entry has mean 1/d and mean square 3/(d(d+2)), within five
// standard errors.
func TestOrthogonalValues(t *testing.T) {
	for _, dim := range []int{1, 5, 40, 150} {
		n := small(NoNorm, Linear)
		n.Dim, n.Heads, n.Values, n.Value2, n.Layers, n.Input = dim, 1, OrthogonalValues, 2.25, 1, Gaussian
		transformer := must.Get(New(n, 1, 1))(t)
		for _, p := range transformer.Parameters {
			if p.law.kind != orthogonal {
				continue
			}
			m := matrixOf(p.Rows, p.Cols, p.Value)
			for i := range dim {
				for j := range dim {
					want := 0.0
					if i == j {
						want = 2.25
					}
					if got := inner(row(m, i), row(m, j)); !(math.Abs(got-want) <= 1e-14) {
						t.Errorf("d = %d: rows %d and %d have the inner product %v", dim, i, j, got)
					}
				}
			}
		}
	}
	const dim, draws = 4, 4000
	s := newSource(kernels.NewStream(1, 1), 0)
	m := newMatrix(dim, dim)
	var moments [2]float64
	for k := range draws {
		s.network = int64(k)
		s.normals(m, 1, valueRole, 0, nil)
		Orthonormalize(m)
		square := m.Data[dim*dim-1] * m.Data[dim*dim-1]
		moments[0] += square / draws
		moments[1] += square * square / draws
	}
	// The square of a coordinate has the law Beta(1/2, 3/2): E x⁴ = 1/8, E x⁸ = 7/128.
	if math.Abs(moments[0]-0.25) > 5*math.Sqrt((1./8-1./16)/draws) ||
		math.Abs(moments[1]-1./8) > 5*math.Sqrt((7./128-1./64)/draws) {
		t.Errorf("moments %v", moments)
	}
}

// A row of a matrix contains the random numbers of the stream at its address, also if it is drawn in
// parts or next to other rows.
func TestRowsAreAddressed(t *testing.T) {
	s := newSource(kernels.NewStream(6, 7), 5)
	m := newMatrix(11, 2*columnsTogether+3)
	numbers := []int{4, 0, 9, 1 << 19, 2, 3, 5, 6, 7, 8, 1}
	s.normals(m, 0.5, hiddenRole, 3, numbers)
	want := make([]float64, m.Cols)
	for k, number := range numbers {
		s.stream.Normals(want, 0.5, kernels.Increments, 5, int64(3*16+4)<<20+int64(number))
		if !reflect.DeepEqual(row(m, k), want) {
			t.Errorf("row %d", k)
		}
	}
}

// Sequences of the wrong shape are a programming error and panic with a message.
func TestSequencesOfAnotherShape(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 1))
	given := small(PreNorm, ReLU)
	words := given
	words.Input, words.Embedding = Embedded, Embedding{Vocabulary: 7, Types: 2}
	vectors := given
	vectors.Input, vectors.Embedding = Embedded, Embedding{Features: 4, Class: true}
	for name, c := range map[string]struct {
		n Network
		s Sequence
	}{
		"too few tokens": {given, Sequence{Vectors: newMatrix(4, 8)}},
		"too wide":       {given, Sequence{Vectors: newMatrix(5, 9)}},
		"too few words":  {words, Sequence{Words: make([]int, 4)}},
		"too few types":  {words, Sequence{Words: make([]int, 5), Types: make([]int, 4)}},
		"too many":       {vectors, Sequence{Vectors: newMatrix(5, 4)}},
	} {
		w := perturbed(t, c.n, r).Workspace(Batch{})
		func() {
			defer func() {
				if text := fmt.Sprint(recover()); !strings.HasPrefix(text, "network: ") {
					t.Errorf("%s: %s", name, text)
				}
			}()
			w.Forward(c.s)
		}()
	}
}

// The derivatives of attention do not depend on how many of its rows are processed at a time, even if the
// last group is smaller.
func TestAttentionByRows(t *testing.T) {
	for attention := range Attention(len(AttentionNames)) {
		testAttentionByRows(t, attention)
	}
}

func testAttentionByRows(t *testing.T, attention Attention) {
	r := rand.New(rand.NewPCG(4, 9))
	n := small(PreNorm, GELU)
	n.Causal, n.GainControl, n.Projection, n.Attention = true, true, true, attention
	if attention != QueriesKeys {
		n.KeyDim = 0
	}
	transformer := perturbed(t, n, r)
	input, probe := sequence(n, n.Tokens, r), newMatrix(n.Tokens, n.Dim)
	for k := range probe.Data {
		probe.Data[k] = r.NormFloat64()
	}
	gradients := func(together int) []float64 {
		w := transformer.Workspace(Batch{Gradients: true, Dropout: Dropout{Attention: 0.3}})
		w.blocks[0].attention.work.rows.Rows = together
		w.Drop(3, 7)
		w.Forward(input)
		byInput := w.Backward(probe)
		return append(slices.Clone(w.Gradient), byInput.Data...)
	}
	whole := gradients(n.Tokens)
	for _, together := range []int{1, 2, 3} {
		for k, v := range gradients(together) {
			if !(math.Abs(v-whole[k]) <= 1e-13*(1+math.Abs(v))) {
				t.Fatalf("%v: %d rows: derivative %d is %v, of all at once %v",
					attention, together, k, v, whole[k])
			}
		}
	}
}
