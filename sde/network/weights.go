package network

import (
	"math"

	"antipode/sde/internal/kernels"
)

// weights are those of one layer, or the derivatives with respect to them: a matrix has a
// row for each output.
type weights struct {
	query, key             matrix // Heads·KeyDim × Dim
	value                  matrix // Dim × Dim
	hidden, output         matrix // Dim × Dim
	hiddenBias, outputBias []float64
}

func newWeights(n Network) *weights {
	keys := n.Heads * n.keys()
	return &weights{
		query: newMatrix(keys, n.Dim), key: newMatrix(keys, n.Dim), value: newMatrix(n.Dim, n.Dim),
		hidden: newMatrix(n.Dim, n.Dim), output: newMatrix(n.Dim, n.Dim),
		hiddenBias: make([]float64, n.Dim), outputBias: make([]float64, n.Dim),
	}
}

// What a layer draws, in the address of random numbers.
const (
	drawsQuery = iota
	drawsKey
	drawsValue
	drawsHidden
	drawsOutput
	drawsHiddenBias
	drawsOutputBias
	drawsAttentionProbe
	drawsMLPProbe
	drawsProbe
	draws
)

// source has the random numbers of one network.
type source struct {
	stream  kernels.Stream
	network int64
}

func (s source) fill(dst []float64, variance float64, layer, what int) {
	s.stream.Normals(dst, math.Sqrt(variance), kernels.Increments, s.network, int64(layer*draws+what))
}

// draw fills the weights of a layer, counted from 0.
func (w *weights) draw(n Network, s source, layer int) {
	d := float64(n.Dim)
	s.fill(w.query.Data, n.QueryKey2/d, layer, drawsQuery)
	s.fill(w.key.Data, n.QueryKey2/d, layer, drawsKey)
	s.fill(w.value.Data, n.Value2/d, layer, drawsValue)
	s.fill(w.hidden.Data, n.Hidden2/d, layer, drawsHidden)
	s.fill(w.output.Data, n.Output2/d, layer, drawsOutput)
	s.fill(w.hiddenBias, n.Bias2, layer, drawsHiddenBias)
	s.fill(w.outputBias, n.Bias2, layer, drawsOutputBias)
}

// start fills the tokens before the first layer.
func (s source) start(n Network, x matrix) {
	d := float64(n.Dim)
	if n.Input == Simplex {
		clear(x.Data)
		for t := range n.Tokens {
			token := row(x, t)
			token[t] = math.Sqrt(float64(d * (n.Q - n.P)))
			token[n.Tokens] = math.Sqrt(float64(d * n.P))
		}
		return
	}
	common := make([]float64, n.Dim)
	s.stream.Normals(common, math.Sqrt(n.P), kernels.Starts, s.network, 0)
	s.stream.Normals(x.Data, math.Sqrt(n.Q-n.P), kernels.Starts, s.network, 1)
	for t := range n.Tokens {
		addMultiple(row(x, t), 1, common)
	}
}
