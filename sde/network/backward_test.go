package network

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"antipode/sde/internal/kernels"
)

// small is a network of all that there is: heads, a mask, keys of another dimension.
func small(kind Kind, activation Activation) Network {
	return Network{
		Kind: kind, Activation: activation, Tokens: 5, Dim: 8, Heads: 2, KeyDim: 3, Layers: 3,
		QueryKey2: 1.5, Value2: 0.8, Hidden2: 1.3, Output2: 0.7, Bias2: 0.2, AlphaSA: 0.6, AlphaMLP: 0.9,
		Q: 1.2, P: 0.3,
	}
}

// fixed is a network whose weights can be changed.
type fixed struct {
	network Network
	layers  []*weights
	blocks  []*block
	input   matrix
	probe   matrix
	source  source
}

func newFixed(n Network) *fixed {
	s := source{kernels.NewStream(3, n.id()), 0}
	f := &fixed{network: n, source: s, input: newMatrix(n.Tokens, n.Dim), probe: newMatrix(n.Tokens, n.Dim)}
	s.start(n, f.input)
	s.fill(f.probe.Data, 1, n.Layers-1, drawsProbe)
	for l := range n.Layers {
		w := newWeights(n)
		w.draw(n, s, l)
		f.layers, f.blocks = append(f.layers, w), append(f.blocks, newBlock(n))
	}
	return f
}

// value is the inner product of the probe with the tokens behind the last layer.
func (f *fixed) value() float64 {
	x := f.input
	for l, b := range f.blocks {
		b.forward(f.network, f.layers[l], x)
		x = b.out
	}
	return dot(x.Data, f.probe.Data)
}

func (w *weights) all() [][]float64 {
	return [][]float64{w.query.Data, w.key.Data, w.value.Data, w.hidden.Data, w.output.Data}
}

// Every weight's derivative against a difference quotient of fourth order, whose error is
// about 1e-11 of the largest derivative here: within 1e-8 of it.
func TestGradientsAgainstFiniteDifferences(t *testing.T) {
	for kind := range Kind(len(KindNames)) {
		for activation := range Activation(len(ActivationNames)) {
			for _, causal := range []bool{false, true} {
				t.Run(fmt.Sprint(kind, activation, causal), func(t *testing.T) {
					n := small(kind, activation)
					n.Causal = causal
					checkDerivatives(t, newFixed(n))
				})
			}
		}
	}
}

func checkDerivatives(t *testing.T, f *fixed) {
	n := f.network
	f.value()
	y, g := newBackwardPass(n), newWeights(n)
	copy(y.tokens.Data, f.probe.Data)
	r := rand.New(rand.NewPCG(1, 2))
	h := 1e-3
	if n.Activation == ReLU {
		h = 1e-5 // hardly ever across a kink
	}
	worst, largest := 0.0, 0.0
	for l := n.Layers - 1; l >= 0; l-- {
		f.value()
		f.blocks[l].backward(n, f.layers[l], g, y)
		for k, parameters := range f.layers[l].all() {
			for range 12 {
				i := r.IntN(len(parameters))
				at := func(shift float64) float64 {
					before := parameters[i]
					parameters[i] += shift
					v := f.value()
					parameters[i] = before
					return v
				}
				difference := (8*(at(h)-at(-h)) - (at(2*h) - at(-2*h))) / (12 * h)
				largest = max(largest, math.Abs(difference))
				worst = max(worst, math.Abs(difference-g.all()[k][i]))
			}
		}
	}
	if !(worst <= 1e-8*largest) {
		t.Errorf("derivatives up to %g differ by %g", largest, worst)
	}
}

// The squared norms of local gradients, in the mean over probes, are those of derivatives
// computed for every output separately.
func TestLocalGradientsAreFrobeniusNorms(t *testing.T) {
	n := small(GainPreNorm, GELU)
	n.Layers = 1
	f := newFixed(n)
	f.value()
	b, w := f.blocks[0], f.layers[0]
	var exact, mean Gradients
	add := func(sum *Gradients, g Gradients, factor float64) {
		sum.Query += factor * g.Query
		sum.Key += factor * g.Key
		sum.Value += factor * g.Value
		sum.Hidden += factor * g.Hidden
		sum.Output += factor * g.Output
	}
	y, g := newBackwardPass(n), newWeights(n)
	for k := range f.probe.Data { // of every output
		clear(y.tokens.Data)
		y.tokens.Data[k] = 1
		y.attention.derive(n, &b.attention, y.tokens)
		y.attention.parameters(b.attentionInput, g)
		b.mlp.derive(n, w, y.tokens, y.hidden)
		b.mlp.parameters(b.mlpInput, y.tokens, y.hidden, g)
		add(&exact, g.squaredNorms(), 1)
	}
	m := &machine{network: n, weights: w, blocks: f.blocks, grads: g, pass: y}
	const probes = 4000
	for k := range int64(probes) {
		add(&mean, m.local(source{kernels.NewStream(4, 5), k}, 0), 1./probes)
	}
	// A probe's norm deviates by a factor of at most √2 of itself: five standard errors.
	bound := 5 * math.Sqrt2 / math.Sqrt(probes)
	for k, pair := range [][2]float64{{exact.Query, mean.Query}, {exact.Key, mean.Key},
		{exact.Value, mean.Value}, {exact.Hidden, mean.Hidden}, {exact.Output, mean.Output}} {
		if math.Abs(pair[1]/pair[0]-1) > bound {
			t.Errorf("matrix %d: squared norm %g, in the mean over probes %g", k, pair[0], pair[1])
		}
	}
}
