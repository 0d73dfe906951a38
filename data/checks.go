package data

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"io"
)

// The Arrow format has no checksums. A file that package data writes has checksums between the last batch and
// the footer. Other readers skip these checksums, because the footer says where each batch is. The checksums
// are little-endian words of four bytes:
//
//	for each batch of rows, the sum of all bytes from the end of the batch before (or
//	the start of the file) to its end
//	the sum of the footer
//	0, if the number of words would be odd
//	the number of batches of rows
//	checksMagic
//
// Each checksum is a CRC-32C, which detects every change within 32 consecutive bits, and all other changes
// but one in 2^32.
const (
	checksMagic = "antipode"
	wordBytes   = 4
)

// checksMark is a key in the metadata that package data writes for pandas. A file with this key must have
// checksums.
const checksMark, checksName = "checksum", "crc32c"

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// appendChecks appends the checksums of a file to content, given the sums of the batches and the bytes of the
// footer.
func appendChecks(content []byte, batches []uint32, footer []byte) []byte {
	for _, sum := range batches {
		content = binary.LittleEndian.AppendUint32(content, sum)
	}
	content = binary.LittleEndian.AppendUint32(content, crc32.Checksum(footer, castagnoli))
	if len(batches)%2 == 1 {
		content = binary.LittleEndian.AppendUint32(content, 0)
	}
	content = binary.LittleEndian.AppendUint32(content, uint32(len(batches)))
	return append(content, checksMagic...)
}

// checksBytes returns the number of bytes that appendChecks appends for a number of batches.
func checksBytes(batches int64) int64 {
	return (batches+2+batches%2)*wordBytes + int64(len(checksMagic))
}

// readChecks reads the checksums of the batches, if the file has checksums, and compares the checksum of the
// footer with the footer.
func (s *structure) readChecks(footer []byte) error {
	last := int64(0)
	if n := len(s.ends); n > 0 {
		last = s.ends[n-1]
	}
	size := checksBytes(int64(len(s.ends)))
	content := make([]byte, size)
	if s.end-last == size {
		if _, err := s.file.ReadAt(content, last); err != nil {
			return err
		}
	}
	if !bytes.HasSuffix(content, []byte(checksMagic)) {
		if !bytes.Contains(footer, []byte(`"`+checksMark+`":"`+checksName+`"`)) {
			return nil
		}
		// Another program that copies the metadata writes the end mark of a stream in the place of the
		// checksums. A change of a few bits cannot turn checksums into this end mark.
		s.copied = s.endsAsStream()
		if !s.copied {
			return damaged("its checksums are missing")
		}
		return nil
	}
	for i := range s.ends {
		s.sums = append(s.sums, binary.LittleEndian.Uint32(content[i*wordBytes:]))
	}
	if !bytes.Equal(content, appendChecks(nil, s.sums, footer)) {
		return damaged("its footer does not have its checksum")
	}
	return nil
}

// endsAsStream reports whether the batches of the file are followed by the end mark of an Arrow stream.
func (s *structure) endsAsStream() bool {
	end := make([]byte, len(streamEnd))
	_, err := s.file.ReadAt(end, s.end-int64(len(end)))
	return err == nil && bytes.Equal(end, streamEnd)
}

// verify returns an error if the bytes of a batch of rows do not have the checksum in the file. For a file
// without checksums verify does nothing.
func (s *structure) verify(batch int) error {
	if s.sums == nil {
		return nil
	}
	start := int64(0)
	if batch > 0 {
		start = s.ends[batch-1]
	}
	sum := crc32.New(castagnoli)
	part := io.NewSectionReader(s.file, start, s.ends[batch]-start)
	if _, err := io.CopyBuffer(struct{ io.Writer }{sum}, struct{ io.Reader }{part},
		make([]byte, 1<<18)); err != nil {
		return err
	}
	if sum.Sum32() != s.sums[batch] {
		return damaged("batch %d does not have its checksum", batch)
	}
	return nil
}
