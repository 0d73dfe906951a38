package network

import (
	"math"
	"testing"
)

// plainBlock passes tokens through a layer in plain loops, by the definitions of Network, and
// returns the attention weights of all heads before the mean of the values is removed.
func plainBlock(n Network, w *weights, x [][]float64) (out [][]float64, attention [][][]float64) {
	norm := func(x [][]float64) (y [][]float64) {
		for _, token := range x {
			square := 0.0
			for _, v := range token {
				square += v * v
			}
			y = append(y, nil)
			for _, v := range token {
				y[len(y)-1] = append(y[len(y)-1], v*math.Sqrt(float64(n.Dim)/square))
			}
		}
		return y
	}
	project := func(x [][]float64, m matrix) (y [][]float64) {
		for _, token := range x {
			y = append(y, make([]float64, m.Rows))
			for i := range m.Rows {
				for k, v := range token {
					y[len(y)-1][i] += m.Data[i*m.Stride+k] * v
				}
			}
		}
		return y
	}
	add := func(x [][]float64, alpha float64, y [][]float64) (sum [][]float64) {
		for t := range x {
			sum = append(sum, nil)
			for k, v := range x[t] {
				sum[t] = append(sum[t], v+alpha*y[t][k])
			}
		}
		return sum
	}
	pre := n.Kind == PreNorm || n.Kind == GainPreNorm
	post := n.Kind == PostNorm || n.Kind == GainPostNorm
	gain := n.Kind == GainPostNorm || n.Kind == GainPreNorm
	attentionInput := x
	if pre {
		attentionInput = norm(x)
	}
	query, key := project(attentionInput, w.query), project(attentionInput, w.key)
	value := project(attentionInput, w.value)
	attended := make([][]float64, n.Tokens)
	for t := range attended {
		attended[t] = make([]float64, n.Dim)
	}
	keys, width := len(query[0])/n.Heads, n.Dim/n.Heads
	for h := range n.Heads {
		rows := make([][]float64, n.Tokens)
		for t := range n.Tokens {
			rows[t] = make([]float64, n.Tokens)
			last, total := n.Tokens, 0.0
			if n.Causal {
				last = t + 1
			}
			for s := range last {
				score := 0.0
				for c := h * keys; c < (h+1)*keys; c++ {
					score += query[t][c] * key[s][c] / math.Sqrt(float64(keys))
				}
				if n.Uniform {
					score = 0
				}
				rows[t][s] = math.Exp(score)
				total += rows[t][s]
			}
			for s := range last {
				rows[t][s] /= total
				weight := rows[t][s]
				if gain {
					weight -= 1 / float64(last)
				}
				for c := h * width; c < (h+1)*width; c++ {
					attended[t][c] += weight * value[s][c]
				}
			}
		}
		attention = append(attention, rows)
	}
	middle := add(attended, n.AlphaSA, x)
	if post {
		middle = norm(middle)
	}
	mlpInput := middle
	if pre {
		mlpInput = norm(middle)
	}
	hidden := project(mlpInput, w.hidden)
	for _, token := range hidden {
		for k := range token {
			v := token[k] + w.hiddenBias[k]
			token[k] = map[Activation]float64{
				ReLU: max(v, 0), Tanh: math.Tanh(v), Erf: math.Erf(v), Linear: v,
				GELU: 0.5 * v * (1 + math.Erf(v/math.Sqrt2)),
			}[n.Activation]
		}
	}
	out = project(hidden, w.output)
	for _, token := range out {
		for k := range token {
			token[k] += w.outputBias[k]
		}
	}
	if out = add(out, n.AlphaMLP, middle); post {
		out = norm(out)
	}
	return out, attention
}

// plainLayer is what Layer says of tokens, by sums over pairs, and of attention weights.
func plainLayer(n Network, x [][]float64, attention [][][]float64) (l Layer) {
	d, pairs := float64(n.Dim), 0.0
	x = x[n.Tokens-n.Late:]
	for t := range x {
		l.Q += inner(x[t], x[t]) / d / float64(len(x))
		for s := range t {
			pairs++
			l.P += inner(x[t], x[s]) / d
			l.Cosine += inner(x[t], x[s]) / math.Sqrt(inner(x[t], x[t])*inner(x[s], x[s]))
		}
	}
	l.P, l.Cosine = l.P/pairs, l.Cosine/pairs
	for _, rows := range attention {
		for t, row := range rows {
			attended := float64(n.Tokens)
			if n.Causal {
				attended = float64(t + 1)
			}
			l.Excess += (inner(row, row) - 1/attended) / float64(n.Tokens*n.Heads)
		}
	}
	return l
}

func inner(a, b []float64) (sum float64) {
	for k := range a {
		sum += a[k] * b[k]
	}
	return sum
}

// Every number of every layer against plain loops, for all blocks, activations and masks, with
// parameters that all differ.
func TestLayersAgainstPlainLoops(t *testing.T) {
	for kind := range Kind(len(KindNames)) {
		for activation := range Activation(len(ActivationNames)) {
			for _, variant := range []Network{{}, {Causal: true}, {Uniform: true}} {
				n := small(kind, activation)
				n.Causal, n.Uniform, n.Late = variant.Causal, variant.Uniform, 3
				f := newFixed(n)
				x := make([][]float64, n.Tokens)
				for t := range x {
					x[t] = row(f.input, t)
				}
				want := []Layer{plainLayer(n, x, nil)}
				for _, w := range f.layers {
					out, attention := plainBlock(n, w, x)
					want, x = append(want, plainLayer(n, out, attention)), out
				}
				m := newMachine(n, false)
				got, err := m.run(t.Context(), f.source)
				if err != nil {
					t.Fatal(err)
				}
				for l := range want {
					for name, pair := range map[string][2]float64{
						"Q": {got[l].Q, want[l].Q}, "P": {got[l].P, want[l].P},
						"cosine": {got[l].Cosine, want[l].Cosine}, "excess": {got[l].Excess, want[l].Excess},
					} {
						if math.Abs(pair[0]-pair[1]) > 1e-11*(1+want[l].Q) {
							t.Errorf("%v, %v, causal %v, uniform %v, layer %d: %s %v, by loops %v",
								kind, activation, n.Causal, n.Uniform, l, name, pair[0], pair[1])
						}
					}
				}
			}
		}
	}
}

// Keys have the dimension that is asked for, or else that of a head's values.
func TestKeyDimension(t *testing.T) {
	for asked, want := range map[int]int{0: 4, 1: 1, 3: 3, 7: 7} {
		n := small(PostNorm, ReLU) // of 8 dimensions and 2 heads
		n.KeyDim = asked
		w := newWeights(n)
		explicit := n
		explicit.KeyDim, explicit.Layers = want, n.Layers+1
		if explicit.id() != n.id() {
			t.Errorf("%d asked for: other random numbers than for %d, and a layer more", asked, want)
		}
		explicit.KeyDim++
		if explicit.id() == n.id() {
			t.Errorf("%d asked for: the same random numbers as for %d", asked, want+1)
		}
		if w.query.Rows != 2*want || w.key.Rows != 2*want || n.keys() != want {
			t.Errorf("%d asked for: %d and %d rows, %d a head", asked, w.query.Rows, w.key.Rows, n.keys())
		}
	}
}
