package kernels

import (
	"math/rand/v2"
	"testing"
)

// The 128 coins of a block are its 128 bits, each once.
func TestEachBitIsACoinOnce(t *testing.T) {
	for bit := range 128 {
		var low, high uint64
		if bit < 64 {
			low = 1 << bit
		} else {
			high = 1 << (bit - 64)
		}
		coins := 0
		for k := range 128 {
			if signBit(low, high, k) != 0 {
				coins++
			}
		}
		if coins != 1 {
			t.Errorf("bit %d is %d coins", bit, coins)
		}
	}
}

// Uniform numbers are the middles of equal cells, so that opposite bits give opposite
// numbers exactly: no law has a mean from them.
func TestOppositeBitsGiveOppositeNumbers(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 1))
	for _, word := range []uint64{0, 1 << 63, r.Uint64(), r.Uint64(), r.Uint64()} {
		if symmetric(^word, 1) != -symmetric(word, 1) || unit(^word) != 1-unit(word) {
			t.Errorf("%#x: %v and %v, %v and %v",
				word, symmetric(word, 1), symmetric(^word, 1), unit(word), unit(^word))
		}
	}
}
