package network

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"antipode/sde/internal/kernels"
	"antipode/sde/internal/rowwise"
	"antipode/sphere/must"
)

// dropping returns a random network, a batch with dropout at some places, and sequences for it.
func dropping(r *rand.Rand) (Network, Batch, []Sequence) {
	n := scanned(r)
	n.Uniform = false // uniform attention has the derivatives of another function
	b := Batch{Sequences: 1 + r.IntN(3), Gradients: true}
	for b.Dropout == (Dropout{}) {
		for _, rate := range []*float64{&b.Dropout.Embedding, &b.Dropout.Attention, &b.Dropout.MLP,
			&b.Dropout.Branch} {
			*rate = []float64{0, 0.1, 0.5, 0.8}[r.IntN(4)]
		}
	}
	if n.LayerNorm.Epsilon == 0 { // all coordinates of a token may be dropped
		n.LayerNorm.Epsilon = 0.1
	}
	sequences := make([]Sequence, b.Sequences)
	for k := range sequences {
		sequences[k] = sequence(n, n.Tokens, r)
	}
	return n, b, sequences
}

// Derivatives of passes with dropout, with respect to every weight of 60 random networks, agree with
// central differences for the same masks, within 1e-6 of the largest entry of the parameter.
func TestDropoutGradients(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 1))
	for range 60 {
		n, b, sequences := dropping(r)
		n.Activation = []Activation{Tanh, Erf, GELU, GELUTanh}[r.IntN(4)] // no kinks
		transformer := perturbed(t, n, r)
		w := transformer.Workspace(b)
		w.Drop(4, []int64{3, 0, 8}[:b.Sequences]...)
		out := w.Forward(sequences...)
		probe := newMatrix(out.Rows, out.Cols)
		for k := range probe.Data {
			probe.Data[k] = r.NormFloat64()
		}
		w.Backward(probe)
		f := func() float64 { return rowwise.Dot(w.Forward(sequences...).Data, probe.Data) }
		for _, p := range transformer.Parameters {
			gradient, largest := p.Of(w.Gradient), 0.01
			for _, g := range gradient {
				largest = max(largest, math.Abs(g))
			}
			for range 3 {
				k := r.IntN(len(gradient))
				if far := math.Abs(difference(f, &p.Value[k], 1e-4) - gradient[k]); !(far <= 1e-6*largest) {
					t.Fatalf("%+v, %+v: derivative by %s %v differs by %g", n, b, p.Name, gradient[k], far)
				}
			}
		}
	}
}

// Before Drop is called, and after a call without numbers, a workspace with dropout has the same bits as
// one without. Masks depend on the seed and on a sequence's own number alone.
func TestDropoutIsOff(t *testing.T) {
	r := rand.New(rand.NewPCG(12, 1))
	for range 30 {
		n, b, sequences := dropping(r)
		transformer := perturbed(t, n, r)
		pass := func(b Batch, seed uint64, numbers []int64, sequences ...Sequence) (bits []float64) {
			w := transformer.Workspace(b)
			w.Drop(seed, numbers...)
			out := w.Forward(sequences...)
			bits = append(bits, out.Data...)
			w.Backward(out)
			return append(bits, w.Gradient...)
		}
		without := b
		without.Dropout = Dropout{}
		plain := pass(without, 1, nil, sequences...)
		if !reflect.DeepEqual(pass(b, 1, nil, sequences...), plain) ||
			!reflect.DeepEqual(pass(without, 1, make([]int64, b.Sequences), sequences...), plain) {
			t.Fatalf("%+v, %+v: other bits where nothing is dropped", n, b)
		}
		w := transformer.Workspace(b)
		numbers := []int64{5, 1 << 39, 2}[:b.Sequences]
		w.Drop(7, numbers...)
		all := append([]float64{}, w.Forward(sequences...).Data...)
		one := b
		one.Sequences = 1
		alone := transformer.Workspace(one)
		for k, s := range sequences {
			alone.Drop(7, numbers[k])
			out := alone.Forward(s)
			if !reflect.DeepEqual(all[k*len(out.Data):][:len(out.Data)], out.Data) {
				t.Fatalf("%+v, %+v: sequence %d has other masks in a batch", n, b, k)
			}
		}
	}
}

// The entries of a mask are 0 with the given probability, and otherwise the inverse of the probability of
// being kept. Different addresses have different entries. The fraction of zeros among 10^5 entries is
// right within five standard errors, which fails by chance for one seed in 10^6.
func TestMasks(t *testing.T) {
	m := masks{numbers: []int64{3, 4}}
	m.lanes = kernels.NewLanes(kernels.NewStream(2, 9), 1)
	m.buffer = make([]kernels.Vector, columnsTogether)
	for _, rate := range []float64{0.1, 0.5, 0.9} {
		mask := newMatrix(100, 1000)
		m.fill(mask, rate, 0, 2, mlpOutputs, 0)
		zeros := 0.0
		for _, v := range mask.Data {
			switch v {
			case 0:
				zeros++
			case 1 / (1 - rate):
			default:
				t.Fatalf("%v at rate %v", v, rate)
			}
		}
		if share := zeros / 1e5; !(math.Abs(share-rate) <= 5*math.Sqrt(rate*(1-rate)/1e5)) {
			t.Errorf("%v of zeros at rate %v", share, rate)
		}
	}
	seen := map[string]bool{}
	for seed := range uint64(2) {
		m.lanes = kernels.NewLanes(kernels.NewStream(seed, 9), 1)
		for k := range 2 * 2 * int(places) * 2 {
			sequence, layer, at, first := k%2, k/2%2, place(k/4%int(places)), k/4/int(places)
			mask := newMatrix(1, 200)
			m.fill(mask, 0.5, sequence, layer, at, first)
			text := ""
			for _, v := range mask.Data {
				text += string(rune('0' + int(v)))
			}
			if seen[text] {
				t.Errorf("seed %d, sequence %d, layer %d, place %d, row %d: the mask of another address",
					seed, sequence, layer, at, first)
			}
			seen[text] = true
		}
	}
}

// A row of a mask contains the random numbers of the stream at its address, also if it is longer than the
// buffer or drawn next to other rows.
func TestRowsOfMasksAreAddressed(t *testing.T) {
	stream := kernels.NewStream(6, 7)
	m := masks{numbers: []int64{3, 5}, lanes: kernels.NewLanes(stream, 1),
		buffer: make([]kernels.Vector, columnsTogether)}
	mask, want := newMatrix(11, 2*columnsTogether+3), make([]float64, 2*columnsTogether+3)
	m.fill(mask, 0.3, 1, 2, mlpOutputs, 4)
	for k := range mask.Rows {
		stream.Uniforms(want, 0.5, kernels.Starts, 5, int64(2*4+3)<<24+int64(4+k))
		for j, u := range want {
			if want[j] = 0; u >= -0.2 {
				want[j] = 1 / 0.7
			}
		}
		if !reflect.DeepEqual(row(mask, k), want) {
			t.Errorf("row %d", k)
		}
	}
}

// Each seed, also 0, has masks of its own, whatever seed a workspace had before.
func TestSeedsOfDropout(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 1))
	n := small(PreNorm, GELU)
	transformer := perturbed(t, n, r)
	s, b := sequence(n, n.Tokens, r), Batch{Dropout: Dropout{Embedding: 0.5}}
	reused := transformer.Workspace(b)
	seen := [][]float64{append([]float64{}, reused.Forward(s).Data...)}
	for _, seed := range []uint64{0, 1, 2} {
		fresh := transformer.Workspace(b)
		fresh.Drop(seed, 5)
		reused.Drop(seed, 5)
		out := append([]float64{}, fresh.Forward(s).Data...)
		if !reflect.DeepEqual(reused.Forward(s).Data, out) {
			t.Errorf("seed %d: other masks after another seed", seed)
		}
		for k, other := range seen {
			if reflect.DeepEqual(out, other) {
				t.Errorf("seed %d: the masks of pass %d", seed, k)
			}
		}
		seen = append(seen, out)
	}
}

// Dropout is at the places that its fields name: in networks that have nothing else after this place, each
// entry of the output is 0 or 1/(1-rate) times that without dropout, and both occur.
func TestPlacesOfDropout(t *testing.T) {
	const rate = 0.25
	r := rand.New(rand.NewPCG(14, 1))
	bare := Network{Norm: NoNorm, Tokens: 5, Dim: 8, Heads: 1, Layers: 1, Activation: Linear,
		QueryKey2: 1, Value2: 1, Values: IdentityValues, Hidden2: 1, Output2: 1, Input: Gaussian, Q: 1}
	attention := bare
	attention.AttentionOnly = true
	none := bare
	none.Layers = 0
	for name, c := range map[string]struct {
		n       Network
		dropout Dropout
	}{
		"embedding":           {none, Dropout{Embedding: rate}},
		"attention weights":   {attention, Dropout{Attention: rate}},
		"branch of attention": {attention, Dropout{Branch: rate}},
		"branch of the MLP":   {bare, Dropout{Branch: rate}},
		"hidden units":        {bare, Dropout{MLP: rate}},
	} {
		transformer := must.Get(New(c.n, 1, 1))(t)
		for _, p := range transformer.Parameters {
			switch p.Name {
			case "layers.0.attention.skip": // of an MLP that reads the input
				p.Value[0] = map[bool]float64{true: 1}[!c.n.AttentionOnly]
			case "layers.0.attention.strength":
				p.Value[0] = map[bool]float64{true: 1}[c.n.AttentionOnly]
			case "layers.0.mlp.skip":
				p.Value[0] = 0
			case "layers.0.mlp.output.weight":
				for k := range p.Value {
					p.Value[k] = map[bool]float64{true: 1}[k%9 == 0] // the identity
				}
			}
		}
		s := sequence(c.n, c.n.Tokens, r)
		if name == "attention weights" { // which orthonormal tokens show
			for k := range s.Vectors.Data {
				s.Vectors.Data[k] = map[bool]float64{true: 1}[k%9 == 0]
			}
		}
		w := transformer.Workspace(Batch{Dropout: c.dropout})
		plain := append([]float64{}, w.Forward(s).Data...)
		w.Drop(1, 2)
		var zeros, kept int
		for k, got := range w.Forward(s).Data {
			switch want := plain[k] / (1 - rate); {
			case plain[k] == 0:
			case got == 0:
				zeros++
			case math.Abs(got-want) <= 1e-14:
				kept++
			default:
				t.Errorf("%s: entry %d is %v, want 0 or %v", name, k, got, want)
			}
		}
		if zeros < 2 || kept < 10 {
			t.Errorf("%s: %d entries are dropped and %d kept", name, zeros, kept)
		}
	}
}
