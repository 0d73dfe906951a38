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
// begin with their lengths. If the stream cannot be read, checkZstandard returns the error of reading.
func checkZstandard(stream io.Reader) error {
	z := zstandard{stream: bufio.NewReader(stream)}
	err := z.check()
	if z.err != nil && z.err != io.EOF && z.err != io.ErrUnexpectedEOF {
		return z.err
	}
	return err
}

type zstandard struct {
	stream *bufio.Reader
	err    error // first error of reading the stream, io.EOF at its end
}

// check returns an error that says why the stream is not in order, if it is not.
func (z *zstandard) check() error {
	if z.number(4) != 0xFD2FB528 {
		return damaged("a compressed buffer does not begin as one")
	}
	window, checksum := z.header()
	if window > maxInflated {
		return damaged("a compressed buffer takes more than %d MiB of memory", maxInflated>>20)
	}
	for last := false; !last && z.err == nil; {
		last = z.block()
	}
	if checksum {
		z.skip(4)
	}
	whole := z.err == nil
	_, err := z.stream.ReadByte()
	if z.keep(err); !whole || err != io.EOF {
		return damaged("a compressed buffer has the wrong length")
	}
	return nil
}

// keep stores the first error of reading.
func (z *zstandard) keep(err error) {
	if z.err == nil {
		z.err = err
	}
}

// number reads an unsigned little-endian number of size bytes, at most 8, from the stream.
func (z *zstandard) number(size int) uint64 {
	var digits [8]byte
	_, err := io.ReadFull(z.stream, digits[:size])
	z.keep(err)
	return binary.LittleEndian.Uint64(digits[:])
}

func (z *zstandard) skip(size int) {
	_, err := z.stream.Discard(size)
	z.keep(err)
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
