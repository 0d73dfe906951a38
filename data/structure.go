package data

import (
	"bytes"
	"errors"
	"io"
)

const (
	magic          = "ARROW1"
	tailBytes      = 4 + len(magic) // length of the footer's length and of the magic after it
	maxHeaderBytes = 16 << 20       // greatest length of a footer or of a batch's description
	maxBatchLength = 1 << 36        // rows in a batch: products with bits and lengths stay inside int64
	maxInflated    = 128 << 20      // bytes of one compressed batch, once inflated
)

// Indices of the fields of the tables that describe the batches of a file.
const (
	footerVersion, footerSchema, footerDictionaries, footerRecords = 0, 1, 2, 3

	messageVersion, messageCode, messageHeader, messageBody = 0, 1, 2, 3

	dictionaryID, dictionaryData, dictionaryDelta = 0, 1, 2

	batchLength, batchNodes, batchBuffers, batchCompression = 0, 1, 2, 3

	compressionCodec, compressionMethod = 0, 1
)

const (
	codeDictionary = 2
	codeRecords    = 3
)

// structure is the checked description of the contents of an Arrow file in the file itself.
//
// The Arrow library trusts the description in a file. With a wrong description Arrow panics, recurses without
// end, or asks for more memory than the machine has; a program can catch only the panic. The description is
// therefore checked before Arrow reads the file: everything that Arrow will follow or allocate must be inside
// the file, must occur once, and must fit the schema.
type structure struct {
	file io.ReaderAt
	end  int64 // end of the batches, where the footer begins

	columns      []storage
	nulls        []int64         // number of nulls in each column
	dictionaries map[int64]int64 // number of entries of each dictionary
	rows         int64
	bodyBytes    int64 // bytes of all batches, after decompression

	copied bool     // whether another program has copied the metadata of a file with checksums
	stream bool     // whether the file is a stream, without a footer
	ends   []int64  // end of each batch of rows
	sums   []uint32 // checksum of each batch of rows; nil if the file has no checksums
}

var errCutShort = errors.New("is an Arrow file cut short")

// readStructure checks an Arrow file or stream of the given size and returns its structure.
func readStructure(file io.ReaderAt, size int64) (*structure, error) {
	stream, err := isStream(file)
	if err != nil {
		return nil, err
	}
	if stream {
		return readStream(file, size)
	}
	footer, start, err := readFooter(file, size)
	if err != nil {
		return nil, err
	}
	schema, ok := footer.table(footerSchema)
	if !ok || !knownVersion(footer.number(footerVersion, 2)) {
		return nil, damaged("its footer has no schema")
	}
	s := &structure{file: file, end: start, dictionaries: map[int64]int64{}}
	if s.columns, err = readSchema(schema); err != nil {
		return nil, err
	}
	s.nulls = make([]int64, len(s.columns))
	if err := s.readBlocks(footer, footerDictionaries, s.readDictionary); err != nil {
		return nil, err
	}
	if err := s.readBlocks(footer, footerRecords, s.readRecords); err != nil {
		return nil, err
	}
	return s, s.readChecks(footer.bytes)
}

// readFooter returns the table in the footer of an Arrow file, and the position at which the footer begins.
func readFooter(file io.ReaderAt, size int64) (flatTable, int64, error) {
	none := flatTable{}
	if size == 0 {
		return none, 0, errors.New("is empty")
	}
	head := make([]byte, min(size, int64(len(magic))))
	if _, err := file.ReadAt(head, 0); err != nil {
		return none, 0, err
	}
	if len(head) < len(streamStart) && bytes.HasPrefix(streamStart, head) {
		return none, 0, errCutShort
	}
	if bytes.HasPrefix(head, []byte("PAR1")) {
		return none, 0, errors.New("is a Parquet file; must be an Arrow file, as NAME.arrow is")
	}
	if !bytes.HasPrefix([]byte(magic), head) {
		return none, 0, errors.New("is not an Arrow file")
	}
	if size < int64(8+tailBytes) {
		return none, 0, errCutShort
	}
	tail := make([]byte, tailBytes)
	if _, err := file.ReadAt(tail, size-int64(tailBytes)); err != nil {
		return none, 0, err
	}
	if string(tail[4:]) != magic {
		return none, 0, errCutShort
	}
	length := int64(newFlatbuffer(tail).uint32(0))
	start := size - int64(tailBytes) - length
	if length == 0 || length > maxHeaderBytes || start < 8 {
		return none, 0, damaged("its footer cannot have %d bytes", length)
	}
	content := make([]byte, length)
	if _, err := file.ReadAt(content, start); err != nil {
		return none, 0, err
	}
	footer := newFlatbuffer(content).root()
	if footer.damaged {
		return none, 0, damaged("its footer is broken")
	}
	return footer, start, nil
}

// knownVersion reports whether version is the number of a version of the Arrow format that Arrow reads: V4 or
// V5.
func knownVersion(version int64) bool {
	return version == 3 || version == 4
}

// readBlocks calls the function read for each block in a list of the footer, with the description of the
// block, the position of the block's body and the length of the body. Blocks must follow each other, as all
// writers write them: a block that is listed twice could make a small file a huge table.
func (s *structure) readBlocks(
	footer flatTable, list int, read func(message flatTable, body, length int64) error,
) error {
	const blockBytes = 24
	first, count := footer.vector(list, blockBytes)
	if footer.damaged {
		return damaged("its footer is broken")
	}
	previous := int64(8)
	for i := range count {
		at := first + i*blockBytes
		offset, header, length := footer.int64(at), int64(int32(footer.uint32(at+8))), footer.int64(at+16)
		if offset < previous || header < 16 || header > maxHeaderBytes || length < 0 ||
			offset > s.end-header || length > s.end-header-offset || (offset|header|length)%8 != 0 {
			return damaged("batch %d is not where it should be", i)
		}
		message, err := s.readMessage(offset, header)
		if err != nil {
			return err
		}
		if message.number(messageBody, 8) != length {
			return damaged("batch %d has two lengths", i)
		}
		if err := read(message, offset+header, length); err != nil {
			return err
		}
		previous = offset + header + length
	}
	return nil
}

// readMessage returns the description at the beginning of the block at an offset of the file.
func (s *structure) readMessage(offset, header int64) (flatTable, error) {
	content := make([]byte, header)
	if _, err := s.file.ReadAt(content, offset); err != nil {
		return flatTable{}, err
	}
	prefix := newFlatbuffer(content)
	if prefix.uint32(0) != 0xFFFFFFFF || int64(prefix.uint32(4)) != header-8 {
		return flatTable{}, damaged("a batch does not begin as one")
	}
	message := newFlatbuffer(content[8:]).root()
	if message.damaged || !knownVersion(message.number(messageVersion, 2)) {
		return flatTable{}, damaged("a batch does not begin as one")
	}
	return message, nil
}

// readDictionary checks the message with the texts of one dictionary. The dictionary must belong to a column
// and must occur only once.
func (s *structure) readDictionary(message flatTable, body, length int64) error {
	header, ok := message.table(messageHeader)
	if !ok || message.number(messageCode, 1) != codeDictionary {
		return damaged("a dictionary is missing")
	}
	id := header.number(dictionaryID, 8)
	if header.number(dictionaryDelta, 1) != 0 {
		return errors.New("has a dictionary in several parts, which is not supported")
	}
	if _, twice := s.dictionaries[id]; twice {
		return damaged("a dictionary is there twice")
	}
	content, ok := header.table(dictionaryData)
	if !ok {
		return damaged("a dictionary is missing")
	}
	for _, column := range s.columns {
		if column.encoded && column.dictionary == id {
			batch := batchReader{structure: s, table: content, body: body, length: length}
			if err := batch.read(column.values()); err != nil {
				return err
			}
			s.dictionaries[id] = batch.rows
			return nil
		}
	}
	return damaged("a dictionary belongs to no column")
}

func (s *structure) readRecords(message flatTable, body, length int64) error {
	content, ok := message.table(messageHeader)
	if !ok || message.number(messageCode, 1) != codeRecords {
		return damaged("a batch of rows is missing")
	}
	var arrays []arrayStorage
	var firsts []int // position of each column's first array
	for _, column := range s.columns {
		if _, ok := s.dictionaries[column.dictionary]; column.encoded && !ok {
			return damaged("the dictionary of column %q is missing", column.name)
		}
		firsts = append(firsts, len(arrays))
		arrays = append(arrays, column.arrays()...)
	}
	batch := batchReader{structure: s, table: content, body: body, length: length}
	if err := batch.read(arrays); err != nil {
		return err
	}
	for i, first := range firsts {
		s.nulls[i] += batch.nulls[first]
	}
	s.rows += batch.rows
	s.ends = append(s.ends, body+length)
	return nil
}
