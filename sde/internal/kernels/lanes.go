package kernels

// Lanes holds the addresses of the random numbers that are sampled in the lanes of a number of Vectors. Each
// lane has its own address, which consists of a purpose, a trajectory and a step. The random numbers of a
// lane are those of the Stream at the address of the lane. When the trajectory of a lane has ended, the lane
// gets the address of another trajectory.
type Lanes struct {
	stream    Stream
	keys      keys
	addresses []words
	skipped   uint32 // rows left out at the beginning of each address; see After

	rejected [][2]uint8 // working memory for χ² numbers; see retry
	trial    trial
}

// words are words 1 to 3 of the counters of the random number generator for eight lanes.
type words = [3][8]uint32

// keys are the two words of the key of each round of the random number generator. Entry 2r+w holds word w of
// the key of round r, stored four times for vector instructions.
type keys = [20][4]uint64

// NewLanes returns lanes for the given number of Vectors, all at the address with purpose Increments,
// trajectory 0 and step 0.
func NewLanes(s Stream, vectors int) *Lanes {
	l := &Lanes{stream: s, addresses: make([]words, vectors)}
	for round := range uint32(10) {
		for k := range 4 {
			l.keys[2*round][k] = uint64(s.key[0] + round*weyl0)
			l.keys[2*round+1][k] = uint64(s.key[1] + round*weyl1)
		}
	}
	for lane := range 8 * vectors {
		l.Set(lane, Increments, 0, 0)
	}
	return l
}

// Set moves a lane, which is lane number lane%8 of Vector lane/8, to the address with the given purpose,
// trajectory and step.
func (l *Lanes) Set(lane int, purpose Purpose, trajectory, step int64) {
	a := l.stream.at(purpose, trajectory, step)
	w := &l.addresses[lane/8]
	w[0][lane%8], w[1][lane%8], w[2][lane%8] = a.step, a.trajectory, a.up
}

// SetSteps moves the lanes to the addresses of consecutive steps of one trajectory, from the given step on.
func (l *Lanes) SetSteps(purpose Purpose, trajectory, step int64) {
	l.stream.at(purpose, trajectory, step+int64(8*len(l.addresses))-1)
	a := l.stream.at(purpose, trajectory, step)
	first := uint64(a.up)<<32 | uint64(a.step) // the high bits of the step are the lowest bits of word 3
	for v := range l.addresses {
		w := &l.addresses[v]
		for k := range w[0] {
			here := first + uint64(8*v+k)
			w[0][k], w[1][k], w[2][k] = uint32(here), a.trajectory, uint32(here>>32)
		}
	}
}

// SetAll moves all lanes to one address of random numbers. The eight lanes of a Vector still have different
// random numbers: lane k has those of attempt k.
func (l *Lanes) SetAll(purpose Purpose, trajectory, step int64) {
	for lane := range 8 * len(l.addresses) {
		l.Set(lane, purpose, trajectory, step)
		l.addresses[lane/8][2][lane%8] |= uint32(lane%8) << attemptShift
	}
}

// Advance moves every lane to the address of the next step of its trajectory.
func (l *Lanes) Advance() {
	for v := range l.addresses {
		w := &l.addresses[v]
		for k := range w[0] {
			w[0][k]++
			if w[0][k] == 0 { // the high bits of the step are the lowest bits of word 3
				w[2][k]++
			}
		}
	}
}

// at returns the address of the random numbers of a lane.
func (l *Lanes) at(lane int) address {
	w := &l.addresses[lane/8]
	return address{l.stream, w[0][lane%8], w[1][lane%8], w[2][lane%8]}
}

// Part returns the lanes of Vectors first to last (excluded). The returned lanes share their addresses with
// l.
func (l *Lanes) Part(first, last int) *Lanes {
	return &Lanes{stream: l.stream, keys: l.keys, addresses: l.addresses[first:last]}
}

// After returns the lanes of l without the first rows of each address, as if these rows of random numbers had
// been sampled already. The argument rows must be a multiple of 128. The returned lanes share their addresses
// with l.
func (l *Lanes) After(rows int) *Lanes {
	if rows%128 != 0 {
		panic("kernels: not a whole number of blocks")
	}
	return &Lanes{stream: l.stream, keys: l.keys, addresses: l.addresses, skipped: uint32(rows)}
}
