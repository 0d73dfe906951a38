package data

import (
	"bufio"
	"encoding/binary"
	"io"
)

// checkZstandard returns an error unless a Zstandard stream is a single frame whose window is at most
// maxInflated, because a decoder allocates the window for which a frame asks, up to a gigabyte, before it
// reads the data.
//
// RFC 8878 defines the layout of a Zstandard frame: a magic number, a descriptor, the window, and blocks that
// begin with their lengths.
func checkZstandard(stream io.Reader) error {
	z := zstandard{stream: bufio.NewReader(stream)}
	if z.number(4) != 0xFD2FB528 {
		return damaged("a compressed buffer does not begin as one")
	}
	window, checksum := z.header()
	if window > maxInflated {
		return damaged("a compressed buffer takes more than %d MiB of memory", maxInflated>>20)
	}
	for last := false; !last && !z.short; {
		last = z.block()
	}
	if checksum {
		z.skip(4)
	}
	if _, err := z.stream.ReadByte(); z.short || err != io.EOF {
		return damaged("a compressed buffer has the wrong length")
	}
	return nil
}

type zstandard struct {
	stream *bufio.Reader
	short  bool // whether the Zstandard stream ended too early
}

// number reads an unsigned little-endian number of size bytes, at most 8, from the stream.
func (z *zstandard) number(size int) uint64 {
	var digits [8]byte
	if _, err := io.ReadFull(z.stream, digits[:size]); err != nil {
		z.short = true
	}
	return binary.LittleEndian.Uint64(digits[:])
}

func (z *zstandard) skip(size int) {
	if _, err := z.stream.Discard(size); err != nil {
		z.short = true
	}
}

// header reads the header of a Zstandard frame after the magic number. header returns the size of the frame's
// window, and whether a checksum follows the blocks of the frame.
func (z *zstandard) header() (window uint64, checksum bool) {
	descriptor := z.number(1)
	single := descriptor&0x20 != 0
	if !single {
		size := z.number(1)
		base := uint64(1) << (10 + size>>3)
		window = base + base/8*(size&7)
	}
	z.skip([]int{0, 1, 2, 4}[descriptor&3]) // skip the number of a dictionary
	sizeBytes := []int{0, 2, 4, 8}[descriptor>>6]
	if single && sizeBytes == 0 {
		sizeBytes = 1
	}
	size := z.number(sizeBytes)
	if single {
		window = size
	}
	return window, descriptor&4 != 0
}

// block skips one block of a Zstandard frame and reports whether it is the last block.
func (z *zstandard) block() (last bool) {
	const repeated = 1 // the type of a block of one byte that is to be repeated
	header := z.number(3)
	size := int(header >> 3)
	if header>>1&3 == repeated {
		size = 1
	}
	z.skip(size)
	return header&1 != 0
}
