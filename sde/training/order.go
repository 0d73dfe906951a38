package training

import "antipode/sde/internal/kernels"

// order determines which example is at each position of the training data; positions are counted from 0. If
// the number of examples is finite, every epoch contains each example once, in a random order. If the number
// of examples is unlimited, the example at position k has the number k.
type order struct {
	stream      kernels.Stream
	count       int64 // number of examples; 0 if unlimited
	epoch       int64 // epoch whose permutation is stored
	permutation []int64
	uniforms    []float64
}

func newOrder(seed uint64, count int64) *order {
	const cell = 0x6f72646572 // spells "order"
	o := &order{stream: kernels.NewStream(seed, cell), count: count, epoch: -1}
	if count > 0 {
		o.permutation, o.uniforms = make([]int64, count), make([]float64, count)
	}
	return o
}

// at returns the number of the example at a position of the training data.
func (o *order) at(position int64) int64 {
	if o.count == 0 {
		return position
	}
	if epoch := position / o.count; epoch != o.epoch {
		o.shuffle(epoch)
	}
	return o.permutation[position%o.count]
}

// shuffle samples the random order of the examples of an epoch, by the Fisher-Yates shuffle.
func (o *order) shuffle(epoch int64) {
	o.epoch = epoch
	o.stream.Uniforms(o.uniforms, 0.5, kernels.Starts, epoch, 0)
	for k := range o.permutation {
		other := kernels.Integer(o.uniforms[k]+0.5, k+1)
		o.permutation[k] = o.permutation[other]
		o.permutation[other] = int64(k)
	}
}
