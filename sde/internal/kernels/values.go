package kernels

import (
	"math"

	"antipode/sphere/elementary"
)

// Normals fills dst with independent standard normal numbers, multiplied by scale, at the address (purpose,
// trajectory, step). Entries 2j and 2j+1 are made from random block j of this address by the Box-Muller
// method. The uniform numbers lie on a grid of 2^-52, so no standard normal number exceeds 8.6 in size (an
// exact one does so with probability 8e-18).
func (s Stream) Normals(dst []float64, scale float64, purpose Purpose, trajectory, step int64) {
	a := s.at(purpose, trajectory, step)
	n := len(dst)
	// Two loops of independent rounds keep the processor busier than one loop.
	for k := 0; k+1 < n; k += 2 {
		low, high := a.block(uint32(k/2), 0)
		dst[k], dst[k+1] = math.Float64frombits(low), math.Float64frombits(high)
	}
	for k := 0; k+1 < n; k += 2 {
		dst[k], dst[k+1] = boxMuller(math.Float64bits(dst[k]), math.Float64bits(dst[k+1]), scale)
	}
	if n%2 == 1 {
		dst[n-1], _ = normalPair(a, uint32(n/2), 0, scale)
	}
}

func normalPair(a address, index, attempt uint32, scale float64) (float64, float64) {
	low, high := a.block(index, attempt)
	return boxMuller(low, high, scale)
}

// boxMuller returns two independent normal numbers of standard deviation scale, made from 128 random bits.
// The random word low gives the radius of the Box-Muller method. The lowest 52 bits of the word high give the
// angle within a quarter turn, and the two highest bits of this word give the quarter.
func boxMuller(low, high uint64, scale float64) (float64, float64) {
	radius := float64(scale * math.Sqrt(float64(-2*elementary.Log(unit(low)))))
	// The angle (centred + 2^-53)·π/2 is the middle of one of 2^52 equal cells of a quarter turn.
	sin, cos := elementary.SinCos(math.FMA(centred(high), math.Pi/2, 0x1p-53*(math.Pi/2)))
	// The quarter is chosen without branches, which would be mispredicted.
	s, c := math.Float64bits(sin), math.Float64bits(cos)^high&(1<<63)
	swap := (s ^ c) & -(high >> 62 & 1)
	return float64(radius * math.Float64frombits(c^swap)), float64(radius * math.Float64frombits(s^swap))
}

// unit maps 64 random bits to a number in (0, 1): exactly the middle of one of 2^52 equal cells.
func unit(word uint64) float64 { return oneToTwo(word) - (1 - 0x1p-53) }

// centred maps 64 random bits to a number in [-½, ½): exactly the lower end of one of 2^52 equal cells.
func centred(word uint64) float64 { return oneToTwo(word) - 1.5 }

// oneToTwo maps the lowest 52 bits of a word to a number in [1, 2).
func oneToTwo(word uint64) float64 { return math.Float64frombits(word&(1<<52-1) | 0x3ff<<52) }

// Uniforms fills dst with independent numbers that are uniform on [-bound, bound], two from each random block
// of the address (purpose, trajectory, step).
func (s Stream) Uniforms(dst []float64, bound float64, purpose Purpose, trajectory, step int64) {
	a := s.at(purpose, trajectory, step)
	for k := range dst {
		low, high := a.block(uint32(k/2), 0)
		if k%2 == 1 {
			low = high
		}
		dst[k] = symmetric(low, bound)
	}
}

// Integer converts one of the numbers of Uniforms for bound ½, plus ½, to a uniform integer from 0 to
// limit-1. The largest of these numbers, 1-2⁻⁵³, becomes limit-1, because its product with limit is rounded
// to a number below limit.
func Integer(uniform float64, limit int) int { return int(uniform * float64(limit)) }

// symmetric maps 64 random bits to a number in (-bound, bound): the middle of one of 2^52 equal cells.
func symmetric(word uint64, bound float64) float64 {
	return math.FMA(centred(word), 2*bound, float64(0x1p-52*bound))
}

// Signs fills dst with independent random numbers size or -size, each with probability ½, 128 from each
// random block of the address (purpose, trajectory, step).
func (s Stream) Signs(dst []float64, size float64, purpose Purpose, trajectory, step int64) {
	a := s.at(purpose, trajectory, step)
	magnitude := math.Float64bits(size)
	for start := 0; start < len(dst); start += 128 {
		low, high := a.block(uint32(start/128), 0)
		for k := range dst[start:min(start+128, len(dst))] {
			dst[start+k] = math.Float64frombits(magnitude ^ signBit(low, high, k))
		}
	}
}

// NormalSequence gives the standard normal numbers of the address (purpose, trajectory, step) one after the
// other. Restart moves the sequence to another address without allocating.
type NormalSequence struct {
	address address
	next    int64
	second  float64
}

// Restart begins the sequence of standard normal numbers of an address of the stream s.
func (q *NormalSequence) Restart(s Stream, purpose Purpose, trajectory, step int64) {
	q.address = s.at(purpose, trajectory, step)
	q.next = 0
}

// Next returns the next standard normal number of the sequence.
func (q *NormalSequence) Next() float64 {
	k := q.next
	q.next++
	if k%2 == 1 {
		return q.second
	}
	var first float64
	first, q.second = normalPair(q.address, uint32(k/2), 0, 1)
	return first
}
