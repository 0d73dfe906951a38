package data

import (
	"encoding/binary"
	"io"
)

const (
	codecLZ4       = 0
	codecZstandard = 1
)

// batchReader checks the description of one batch of an Arrow file against the schema of the file: the number
// of rows and, for each array, the length, the number of nulls and the buffers.
type batchReader struct {
	*structure
	table  flatTable
	body   int64 // offset of the batch's buffers in the file
	length int64 // total length of the batch's buffers in the file

	rows  int64
	nulls []int64 // number of nulls in each array

	compressed bool
	codec      int64
	stored     int64 // bytes in the file of the buffers checked so far
	inflated   int64 // bytes in memory of these buffers, after decompression
}

func (b *batchReader) read(arrays []arrayStorage) error {
	b.rows = b.table.number(batchLength, 8)
	if b.rows < 0 || b.rows > maxBatchLength {
		return damaged("a batch cannot have %d rows", b.rows)
	}
	if compression, ok := b.table.table(batchCompression); ok {
		b.compressed, b.codec = true, compression.number(compressionCodec, 1)
		if b.codec != codecLZ4 && b.codec != codecZstandard || compression.number(compressionMethod, 1) != 0 {
			return damaged("the compression %d is unknown", b.codec)
		}
	}
	needs, err := b.readArrays(arrays)
	if err != nil {
		return err
	}
	if err := b.readBuffers(needs); err != nil { // an error also if the table is damaged: it has no buffers
		return err
	}
	b.bodyBytes += b.inflated
	return nil
}

// readArrays checks the length and the number of nulls of each array of the batch. readArrays returns the
// least number of bytes of each buffer of the batch.
func (b *batchReader) readArrays(arrays []arrayStorage) ([]int64, error) {
	const nodeBytes = 16
	first, count := b.table.vector(batchNodes, nodeBytes)
	if count != len(arrays) {
		return nil, damaged("a batch has %d arrays instead of %d", count, len(arrays))
	}
	var needs []int64
	previous := int64(0) // length of the previous array
	for i, array := range arrays {
		expected := b.rows
		if array.inList {
			expected = previous
		}
		length, nulls := b.table.int64(first+i*nodeBytes), b.table.int64(first+i*nodeBytes+8)
		if array.perRow != anyLength && length != expected*array.perRow || length < 0 ||
			length > maxBatchLength ||
			nulls < 0 || nulls > length {
			return nil, damaged("a batch of %d rows has an array of length %d with %d nulls", b.rows, length,
				nulls)
		}
		previous = length
		b.nulls = append(b.nulls, nulls)
		needs = append(needs, array.buffers(length, nulls)...)
	}
	return needs, nil
}

// readBuffers checks that each buffer is inside the body of the batch and has at least the number of bytes in
// needs.
func (b *batchReader) readBuffers(needs []int64) error {
	const bufferBytes = 16
	first, count := b.table.vector(batchBuffers, bufferBytes)
	if count != len(needs) {
		return damaged("a batch has %d buffers instead of %d", count, len(needs))
	}
	for i, need := range needs {
		offset, length := b.table.int64(first+i*bufferBytes), b.table.int64(first+i*bufferBytes+8)
		if offset < 0 || length < 0 || length > b.length || offset > b.length-length {
			return damaged("a buffer is outside its batch")
		}
		// Overlapping buffers could take more memory than the file has bytes.
		if b.stored += length; b.stored > b.length {
			return damaged("the buffers of a batch overlap")
		}
		size, err := b.inflatedSize(b.body+offset, length)
		if err != nil {
			return err
		}
		if size < need {
			return damaged("a buffer has %d bytes instead of %d", size, need)
		}
		b.inflated += size
		if b.compressed && b.inflated > maxInflated {
			return damaged("a batch takes more than %d MiB once inflated", maxInflated>>20)
		}
	}
	return nil
}

// inflatedSize returns the size in memory, after decompression, of the buffer at an offset of the file.
func (b *batchReader) inflatedSize(offset, length int64) (int64, error) {
	if !b.compressed || length == 0 {
		return length, nil
	}
	if length < 8 {
		return 0, damaged("a compressed buffer has %d bytes", length)
	}
	var prefix [8]byte
	if _, err := b.file.ReadAt(prefix[:], offset); err != nil {
		return 0, err
	}
	size := int64(binary.LittleEndian.Uint64(prefix[:]))
	if size == -1 { // not compressed, because compression would not shrink it
		return length - 8, nil
	}
	if size < 0 || size > maxInflated {
		return 0, damaged("a buffer takes more than %d MiB once inflated", maxInflated>>20)
	}
	if b.codec == codecZstandard {
		return size, checkZstandard(io.NewSectionReader(b.file, offset+8, length-8))
	}
	return size, nil
}
