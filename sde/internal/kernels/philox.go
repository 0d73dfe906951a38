package kernels

import "math/bits"

const (
	multiplier0, multiplier1 = 0xD2511F53, 0xCD9E8D57
	weyl0, weyl1             = 0x9E3779B9, 0xBB67AE85 // golden ratio, √3-1
)

// philox is the counter-based generator Philox4x32-10 of Salmon, Moraes, Dror and Shaw, Parallel Random
// Numbers: As Easy as 1, 2, 3 (SC11): for every 64-bit key (k0, k1), philox is a bijection of the 128-bit
// counters (c0, …, c3). The rounds are written out, as the Go compiler does not unroll loops.
func philox(c0, c1, c2, c3, k0, k1 uint32) (uint32, uint32, uint32, uint32) {
	c0, c1, c2, c3 = philoxRound(c0, c1, c2, c3, k0, k1)
	c0, c1, c2, c3 = philoxRound(c0, c1, c2, c3, k0+1*weyl0&0xffffffff, k1+1*weyl1&0xffffffff)
	c0, c1, c2, c3 = philoxRound(c0, c1, c2, c3, k0+2*weyl0&0xffffffff, k1+2*weyl1&0xffffffff)
	c0, c1, c2, c3 = philoxRound(c0, c1, c2, c3, k0+3*weyl0&0xffffffff, k1+3*weyl1&0xffffffff)
	c0, c1, c2, c3 = philoxRound(c0, c1, c2, c3, k0+4*weyl0&0xffffffff, k1+4*weyl1&0xffffffff)
	c0, c1, c2, c3 = philoxRound(c0, c1, c2, c3, k0+5*weyl0&0xffffffff, k1+5*weyl1&0xffffffff)
	c0, c1, c2, c3 = philoxRound(c0, c1, c2, c3, k0+6*weyl0&0xffffffff, k1+6*weyl1&0xffffffff)
	c0, c1, c2, c3 = philoxRound(c0, c1, c2, c3, k0+7*weyl0&0xffffffff, k1+7*weyl1&0xffffffff)
	c0, c1, c2, c3 = philoxRound(c0, c1, c2, c3, k0+8*weyl0&0xffffffff, k1+8*weyl1&0xffffffff)
	return philoxRound(c0, c1, c2, c3, k0+9*weyl0&0xffffffff, k1+9*weyl1&0xffffffff)
}

func philoxRound(c0, c1, c2, c3, k0, k1 uint32) (uint32, uint32, uint32, uint32) {
	p0 := uint64(c0) * multiplier0
	p1 := uint64(c2) * multiplier1
	return uint32(p1>>32) ^ c1 ^ k0, uint32(p1), uint32(p0>>32) ^ c3 ^ k1, uint32(p0)
}

// Purpose distinguishes the random numbers that a trajectory uses for different things.
type Purpose uint32

const (
	Increments Purpose = iota // the noise of the layers, or of the steps of an equation
	Starts                    // the tokens at layer 0
	Paths                     // the values of Brownian paths at the nodes of a grid
	Scores                    // the random queries and keys of the layers
	Weights                   // the random weights of the MLPs
	purposes
)

// Stream gives the random numbers of one cell by their addresses. The 128 random bits at (purpose,
// trajectory, step, index, attempt) are a pure function of these five numbers and of the seed and the cell,
// which determine the key; no numbers are generated in sequence. So random numbers do not depend on the
// order, the machine, or the number of lanes in which trajectories advance, and a Brownian path can be
// refined by numbering its nodes as steps.
//
// The counter of the generator is laid out so that neighbouring lanes (trajectories at one step and index)
// differ in one word:
//
//	word 0: index, low 32 bits      which 128 bits of the step
//	word 1: step, low 32 bits       the layer, or the node of a path
//	word 2: trajectory, low 32 bits
//	word 3: purpose (4 bits), attempt (8), trajectory (8 high bits), step (12 high bits)
//
// An attempt is a further block of random bits at the same address, for laws that are sampled by rejection.
type Stream struct{ key [2]uint32 }

// The constants MaxTrajectories and so on limit the addresses of random numbers.
const (
	MaxTrajectories = int64(1) << 40
	MaxSteps        = int64(1) << 44
	attempts        = 1 << 8
	attemptShift    = 20
)

// NewStream returns the stream of a cell under a seed. The key of the stream is the image of (cell, seed)
// under the generator itself, so that the streams of neighbouring seeds and cells are unrelated. The
// probability that two given cells of one run share a key is 2^-64.
func NewStream(seed, cell uint64) Stream {
	k0, k1, _, _ := philox(uint32(cell), uint32(cell>>32), 0, 0, uint32(seed), uint32(seed>>32))
	return Stream{[2]uint32{k0, k1}}
}

// address is the address of random numbers of a stream: purpose, trajectory and step, without index and
// attempt.
type address struct {
	stream               Stream
	step, trajectory, up uint32 // up is word 3 without the attempt
}

func (s Stream) at(purpose Purpose, trajectory, step int64) address {
	if purpose >= purposes ||
		uint64(trajectory) >= uint64(MaxTrajectories) || uint64(step) >= uint64(MaxSteps) {
		panic("kernels: address outside the counter's range")
	}
	return address{
		stream:     s,
		step:       uint32(step),
		trajectory: uint32(trajectory),
		up:         uint32(purpose)<<28 | uint32(trajectory>>32)<<12 | uint32(step>>32),
	}
}

// block returns the 128 random bits of the address with the given index and attempt, as two words.
func (a address) block(index, attempt uint32) (uint64, uint64) {
	w0, w1, w2, w3 := philox(index, a.step, a.trajectory, a.up|attempt<<attemptShift,
		a.stream.key[0], a.stream.key[1])
	return uint64(w0) | uint64(w1)<<32, uint64(w2) | uint64(w3)<<32
}

// signBit returns the k-th of the 128 random bits of a block, in bit 63 of the result.
func signBit(low, high uint64, k int) uint64 {
	word := low
	if k >= 64 {
		word = high
	}
	return bits.RotateLeft64(word, 63-k&63) & (1 << 63)
}
