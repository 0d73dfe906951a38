package data

import (
	"bufio"
	"bytes"
	"errors"
	"hash/crc32"
	"io"
)

// output is the io.WriteSeeker to which Arrow writes a file. An output computes checksums of the written
// bytes. Arrow calls Seek only to learn the current position. The buffer returns its first error again at
// every later call, because Arrow's writer would continue as if there had been no error.
type output struct {
	buffer   *bufio.Writer
	position int64
	sum      uint32        // checksum of the current batch of rows so far
	sums     []uint32      // checksums of the previous batches of rows
	footer   *bytes.Buffer // if not nil, receives the bytes instead of the file
}

func (o *output) Write(p []byte) (int, error) {
	if o.footer != nil {
		o.position += int64(len(p))
		return o.footer.Write(p)
	}
	n, err := o.buffer.Write(p)
	o.position += int64(n)
	o.sum = crc32.Update(o.sum, castagnoli, p[:n])
	return n, err
}

// endBatch ends the checksum of the current batch; it must be called when a batch of rows has been written.
func (o *output) endBatch() {
	o.sums = append(o.sums, o.sum)
	o.sum = 0
}

// finish writes the checksums of all batches and then the footer.
func (o *output) finish() error {
	tail := o.footer.Bytes()
	if len(tail) < tailBytes {
		return errors.New("data: Arrow wrote no footer")
	}
	o.buffer.Write(appendChecks(nil, o.sums, tail[:len(tail)-tailBytes]))
	o.buffer.Write(tail)
	return o.buffer.Flush()
}

func (o *output) Seek(offset int64, whence int) (int64, error) {
	if offset != 0 || whence != io.SeekCurrent {
		return 0, errors.New("data: the output cannot be rewound")
	}
	return o.position, nil
}
