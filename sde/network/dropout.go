package network

import (
	"fmt"

	"antipode/sde/internal/kernels"
)

// Dropout contains the probabilities, in [0, 1), with which activations are set to 0 in a pass with dropout.
// Activations that are not set to 0 are divided by the probability of not being set to 0 (Srivastava et al.
// 2014). Probability 0 means no dropout.
type Dropout struct {
	Embedding float64 // for coordinates of tokens before the first layer
	Attention float64 // for attention weights; with gain control, after the subtraction of their mean
	MLP       float64 // for the inputs of the second matrix of an MLP
	Branch    float64 // for outputs of attention and MLP before they are added to the skip connection
}

// Validate returns an error that names the first probability that is not allowed.
func (d Dropout) Validate() error {
	for _, v := range []struct {
		of   string
		rate float64
	}{{"embeddings", d.Embedding}, {"attention weights", d.Attention}, {"MLPs", d.MLP},
		{"branches", d.Branch}} {
		if !(v.rate >= 0 && v.rate < 1) {
			return fmt.Errorf("dropout of %s %v: must be from 0 to below 1", v.of, v.rate)
		}
	}
	return nil
}

// place says where in a layer dropout is applied.
type place int64

const (
	embeddings place = iota
	attentionWeights
	attentionOutputs
	mlpOutputs
	places
	mlpHidden = places + embeddings // counted with the next layer, which has no embeddings
)

// masks samples dropout masks. Each row of a mask has its own random numbers, which are identified by the
// number of the sequence, the layer, the place, and the number of the row.
type masks struct {
	seed    uint64
	numbers []int64 // numbers of the sequences; nil without dropout
	lanes   *kernels.Lanes
	buffer  []kernels.Vector
}

// Drop switches dropout on for later calls of Forward, with the probabilities of the batch's Dropout. The
// dropout masks of sequence k are determined by the seed and by numbers[k], which is at least 0 and below
// 2^40. Without numbers, Drop switches dropout off, as it is in a new workspace.
func (w *Workspace) Drop(seed uint64, numbers ...int64) {
	if len(numbers) > 0 && len(numbers) != w.batch.Sequences {
		panic(fmt.Sprintf("network: %d numbers for %d sequences", len(numbers), w.batch.Sequences))
	}
	m := &w.work.masks
	if m.lanes == nil || m.seed != seed {
		const cell = 0x64726f70 // spells "drop"
		m.seed, m.lanes = seed, kernels.NewLanes(kernels.NewStream(seed, cell), 1)
		m.buffer = make([]kernels.Vector, columnsTogether)
	}
	m.numbers = append(m.numbers[:0], numbers...)
}

// fill samples the rows of a dropout mask, beginning with row number first, for a sequence. An entry of a
// mask is 0 with probability rate, and 1/(1-rate) with probability 1-rate.
func (m *masks) fill(mask matrix, rate float64, sequence, layer int, at place, first int) {
	const rowBits = 24
	base := (int64(layer)*int64(places) + int64(at)) << rowBits
	stays := 1 / (1 - rate)
	for top := 0; top < mask.Rows; top += rowsTogether {
		count := min(rowsTogether, mask.Rows-top)
		for k := range rowsTogether {
			m.lanes.Set(k, kernels.Starts, m.numbers[sequence], base+int64(first+top+min(k, count-1)))
		}
		for column := 0; column < mask.Cols; column += len(m.buffer) {
			buffer := m.buffer[:min(len(m.buffer), mask.Cols-column)]
			m.lanes.Uniforms(buffer, 0.5, uint32(column/2))
			for k := range count {
				part := row(mask, top+k)[column:][:len(buffer)]
				for j := range part {
					part[j] = 0
					if buffer[j][k]+0.5 >= rate {
						part[j] = stays
					}
				}
			}
		}
	}
}

// dropout is a layer that sets random coordinates of tokens to 0.
type dropout struct {
	rate   float64
	layer  int
	at     place
	tokens int // number of tokens in a sequence
	mask   matrix
	drops  bool // whether the last forward pass dropped coordinates
	out    matrix
	work   *work
}

// Forward implements layer.
func (d *dropout) Forward(x matrix) matrix {
	if d.drops = len(d.work.masks.numbers) > 0; !d.drops {
		return x
	}
	for s := range d.work.masks.numbers {
		d.work.masks.fill(rowsOf(d.mask, s*d.tokens, d.tokens), d.rate, s, d.layer, d.at, 0)
	}
	multiplyEntries(d.out.Data, x.Data, d.mask.Data)
	return d.out
}

// Backward implements layer.
func (d *dropout) Backward(derivative matrix) {
	if d.drops {
		multiplyEntries(derivative.Data, derivative.Data, d.mask.Data)
	}
}

// multiplyEntries writes the products of the entries of x and y to dst, which may be the slice x or y.
func multiplyEntries(dst, x, y []float64) {
	x, y = x[:len(dst)], y[:len(dst)]
	for k := range dst {
		dst[k] = x[k] * y[k]
	}
}
