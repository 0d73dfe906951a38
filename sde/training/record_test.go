package training

import (
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"antipode/sde/network"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// Stable ranks agree with singular values, for 60 random matrices, wide and tall, some with two equal
// largest singular values, and with known values.
func TestStableRanks(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 1))
	general := func(rows, columns int, data []float64) blas64.General {
		return blas64.General{Rows: rows, Cols: columns, Stride: columns, Data: data}
	}
	for range 60 {
		rows, columns := 1+r.IntN(12), 1+r.IntN(12)
		data := make([]float64, rows*columns)
		for k := range data {
			data[k] = r.NormFloat64() * math.Exp(3*r.NormFloat64())
		}
		var svd mat.SVD
		svd.Factorize(mat.NewDense(rows, columns, data), mat.SVDNone)
		want, values := 0.0, svd.Values(nil)
		for _, s := range values {
			want += math.Pow(s/values[0], 4)
		}
		got := newRanks(min(rows, columns)).stable(general(rows, columns, data))
		if !(math.Abs(got/want-1) <= 1e-8) {
			t.Errorf("%d × %d: %v, want %v", rows, columns, got, want)
		}
	}
	for _, c := range []struct {
		data []float64
		want float64
	}{
		{[]float64{2, 0, 0, 2}, 2}, {[]float64{3, 0, 0, -1e-9}, 1}, {[]float64{1, 2, 2, 4}, 1},
		{[]float64{1, 0, 0, 1 - 1e-12}, 2}, {[]float64{0, 0, 0, 0}, math.NaN()},
		{[]float64{1, math.NaN(), 0, 1}, math.NaN()}, {[]float64{1e200, 0, 0, 1}, math.NaN()},
	} {
		got := newRanks(2).stable(general(2, 2, c.data))
		if !(math.Abs(got-c.want) < 1e-8) && !(math.IsNaN(got) && math.IsNaN(c.want)) {
			t.Errorf("%v: %v, want %v", c.data, got, c.want)
		}
	}
}

// The layers of a record agree with simple loops over what a workspace shows, averaged over the first 16
// examples. Uniform attention has the entropy log T, and causal attention less.
func TestRecordsOfLayers(t *testing.T) {
	const observed = 16
	for _, causal := range []bool{false, true} {
		for _, gain := range []bool{false, true} {
			n := someNetwork(network.PreNorm)
			n.Causal, n.GainControl = causal, gain
			task, m := someTask(CrossEntropy), someMethod()
			m.Validation, m.Dropout = 19, network.Dropout{}
			trainer := newTrainer(t, n, task, m, 4, 2)
			got := trainer.Record()
			w := trainer.transformer.Workspace(network.Batch{})
			for l := range n.Layers + 1 {
				cosine, entropy, norm, square := 0.0, 0.0, 0.0, 0.0
				var e Example
				for k := range observed {
					task.Example(Validation, int64(k), &e)
					w.Forward(e.Sequence)
					v := w.Layer(l)
					for s := range 4 {
						length := mat.Norm(mat.NewVecDense(6, v.Tokens.Data[6*s:6*s+6]), 2)
						norm, square = norm+length/4/observed, square+length*length/24/observed
						for u := range 4 {
							x := mat.NewVecDense(6, v.Tokens.Data[6*s:6*s+6])
							y := mat.NewVecDense(6, v.Tokens.Data[6*u:6*u+6])
							if s != u {
								cosine += mat.Dot(x, y) / (mat.Norm(x, 2) * mat.Norm(y, 2)) / 12 / observed
							}
						}
						for _, a := range v.Attention {
							attended := 4
							if causal {
								attended = s + 1
							}
							for u := range attended {
								p := a.Data[4*s+u]
								if gain {
									p += 1 / float64(attended)
								}
								entropy -= p * math.Log(p) / 8 / observed
							}
						}
					}
				}
				if l == 0 {
					entropy = math.NaN()
				}
				have := got.Layers[l]
				if math.Abs(have.Cosine-cosine) > 1e-12 || math.Abs(have.Entropy-entropy) > 1e-12 ||
					math.Abs(have.Norm-norm) > 1e-12 || math.Abs(have.Square-square) > 1e-12 ||
					math.IsNaN(have.Entropy) != (l == 0) || !(have.StableRank >= 1 && have.StableRank <= 4) {
					t.Errorf("causal %v, gain control %v, layer %d: %+v, want %v, %v, %v, %v",
						causal, gain, l, have, cosine, entropy, norm, square)
				}
			}
		}
	}
}

// The entropy of rows of attention is the mean over the rows of the heads of a sequence; weights that are 0
// contribute 0.
func TestEntropy(t *testing.T) {
	rows := func(weights ...float64) blas64.General {
		return blas64.General{Rows: 2, Cols: 2, Stride: 2, Data: weights}
	}
	view := network.View{Attention: []blas64.General{
		rows(0.9, 0.1, 0.3, 0.7), rows(0.8, 0.2, 0.4, 0.6), rows(1, 0, 0.5, 0.5), rows(0, 1, 0.25, 0.75),
	}}
	n := network.Network{Tokens: 2, Heads: 2}
	want := (math.Log(2) + 0.25*math.Log(4) + 0.75*math.Log(4./3)) / 4
	if got := entropy(n, view, 1); !(math.Abs(got-want) <= 1e-15) {
		t.Errorf("entropy %v, want %v", got, want)
	}
	n.Attention = network.FreeWeights
	if got := entropy(n, view, 1); !math.IsNaN(got) {
		t.Errorf("entropy %v of free weights", got)
	}
}

// Tokens shows each of the first 16 validation examples after each layer once, as a network shows it that
// reads the example alone.
func TestTokens(t *testing.T) {
	for _, validation := range []int{19, 5} {
		n, task, m := someNetwork(network.PreNorm), someTask(CrossEntropy), someMethod()
		m.Validation = validation
		trainer := newTrainer(t, n, task, m, 4, 3)
		w := trainer.transformer.Workspace(network.Batch{})
		var lock sync.Mutex
		shown := map[[2]int]bool{}
		trainer.Tokens(func(sequence, layer int, tokens blas64.General) {
			lock.Lock()
			defer lock.Unlock()
			var e Example
			task.Example(Validation, int64(sequence), &e)
			w.Forward(e.Sequence)
			want, at := w.Layer(layer).Tokens, [2]int{sequence, layer}
			if tokens.Rows != 4 || shown[at] {
				t.Errorf("sequence and layer %d: %d tokens, shown before: %v", at, tokens.Rows, shown[at])
			}
			for k, got := range tokens.Data[:4*6] {
				if !(math.Abs(got-want.Data[k]) <= 1e-13) {
					t.Errorf("sequence and layer %d: coordinate %d is %v, want %v", at, k, got, want.Data[k])
					break
				}
			}
			shown[at] = true
		})
		if want := min(validation, 16) * 3; len(shown) != want {
			t.Errorf("%d examples: %d matrices of tokens, want %d", validation, len(shown), want)
		}
	}
}
