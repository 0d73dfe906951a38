package kernels

import (
	"math/bits"
	"testing"
)

// The known answers published with Random123 (kat_vectors, philox4x32 10 rounds).
func TestPhiloxKnownAnswers(t *testing.T) {
	for _, c := range []struct {
		counter [4]uint32
		key     [2]uint32
		want    [4]uint32
	}{
		{[4]uint32{}, [2]uint32{}, [4]uint32{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
		{[4]uint32{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, [2]uint32{0xffffffff, 0xffffffff},
			[4]uint32{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
		{[4]uint32{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, [2]uint32{0xa4093822, 0x299f31d0},
			[4]uint32{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
	} {
		var got [4]uint32
		got[0], got[1], got[2], got[3] = philox(
			c.counter[0], c.counter[1], c.counter[2], c.counter[3], c.key[0], c.key[1])
		if got != c.want {
			t.Errorf("philox(%x, %x) = %x, want %x", c.counter, c.key, got, c.want)
		}
	}
}

// Every part of the address must matter, its highest bit too: flipping any one bit
// flips about half of the 128 bits. 64±40 is seven standard deviations.
func TestEveryBitOfTheAddressMatters(t *testing.T) {
	type place struct {
		seed, cell       uint64
		purpose          Purpose
		trajectory, step int64
		index, attempt   uint32
	}
	draw := func(p place) (uint64, uint64) {
		return NewStream(p.seed, p.cell).at(p.purpose, p.trajectory, p.step).block(p.index, p.attempt)
	}
	base := place{seed: 1, cell: 2, trajectory: 3, step: 4, index: 5, attempt: 6}
	low, high := draw(base)
	for name, flip := range map[string]struct {
		bits int
		at   func(p *place, bit int)
	}{
		"seed":       {64, func(p *place, bit int) { p.seed ^= 1 << bit }},
		"cell":       {64, func(p *place, bit int) { p.cell ^= 1 << bit }},
		"purpose":    {1, func(p *place, bit int) { p.purpose ^= 1 << bit }},
		"trajectory": {40, func(p *place, bit int) { p.trajectory ^= 1 << bit }},
		"step":       {44, func(p *place, bit int) { p.step ^= 1 << bit }},
		"index":      {32, func(p *place, bit int) { p.index ^= 1 << bit }},
		"attempt":    {8, func(p *place, bit int) { p.attempt ^= 1 << bit }},
	} {
		for bit := range flip.bits {
			p := base
			flip.at(&p, bit)
			l, h := draw(p)
			if n := bits.OnesCount64(l^low) + bits.OnesCount64(h^high); n < 24 || n > 104 {
				t.Errorf("%s bit %d: %d of 128 bits differ", name, bit, n)
			}
		}
	}
}

// The counters of all addresses of a small box, at both ends of each range, differ.
func TestAddressesDoNotCollide(t *testing.T) {
	s := NewStream(1, 1)
	seen := map[[4]uint32]bool{}
	ends := func(limit int64) []int64 {
		return []int64{0, 1, 2, 1<<31 - 1, 1 << 31, 1 << 32, limit - 2, limit - 1}
	}
	count := 0
	for purpose := range purposes {
		for _, trajectory := range ends(MaxTrajectories) {
			for _, step := range ends(MaxSteps) {
				for _, index := range []uint32{0, 1, 1<<32 - 1} {
					for _, attempt := range []uint32{0, 1, attempts - 1} {
						a := s.at(purpose, trajectory, step)
						seen[[4]uint32{index, a.step, a.trajectory, a.up | attempt<<20}] = true
						count++
					}
				}
			}
		}
	}
	if len(seen) != count {
		t.Errorf("%d counters for %d addresses", len(seen), count)
	}
}

func TestAddressOutOfRangePanics(t *testing.T) {
	for name, f := range map[string]func(){
		"purpose":             func() { NewStream(1, 1).at(purposes, 0, 0) },
		"trajectory":          func() { NewStream(1, 1).at(Increments, MaxTrajectories, 0) },
		"negative trajectory": func() { NewStream(1, 1).at(Increments, -1, 0) },
		"step":                func() { NewStream(1, 1).at(Increments, 0, MaxSteps) },
		"negative step":       func() { NewStream(1, 1).at(Increments, 0, -1) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			f()
		}()
	}
}
