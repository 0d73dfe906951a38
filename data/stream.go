package data

import (
	"bytes"
	"encoding/binary"
	"io"
)

// An Arrow stream has the messages of an Arrow file but no footer: a schema, dictionaries, batches of rows,
// and an end mark. Hugging Face stores datasets as Arrow streams.

var (
	streamStart = []byte{0xFF, 0xFF, 0xFF, 0xFF}
	streamEnd   = []byte{0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0}
)

const codeSchema = 1

// isStream reports whether a file begins as an Arrow stream does.
func isStream(file io.ReaderAt) (bool, error) {
	head := make([]byte, len(streamStart))
	_, err := file.ReadAt(head, 0)
	if err == io.EOF {
		return false, nil
	}
	return bytes.Equal(head, streamStart), err
}

// readStream checks an Arrow stream of the given size, as readStructure checks an Arrow file.
func readStream(file io.ReaderAt, size int64) (*structure, error) {
	s := &structure{file: file, end: size, stream: true, dictionaries: map[int64]int64{}}
	for at := int64(0); ; {
		head := make([]byte, len(streamEnd))
		if _, err := file.ReadAt(head, at); err == io.EOF {
			return nil, errCutShort
		} else if err != nil {
			return nil, err
		}
		if bytes.Equal(head, streamEnd) {
			if s.columns == nil {
				return nil, damaged("its schema is missing")
			}
			return s, nil
		}
		header := int64(binary.LittleEndian.Uint32(head[4:])) + 8
		if !bytes.HasPrefix(head, streamStart) || header < 16 || header > maxHeaderBytes || header%8 != 0 {
			return nil, damaged("a message does not begin as one")
		}
		if header > size-at {
			return nil, errCutShort
		}
		message, err := s.readMessage(at, header)
		if err != nil {
			return nil, err
		}
		body := message.number(messageBody, 8)
		if body < 0 || body%8 != 0 {
			return nil, damaged("a message cannot have %d bytes", body)
		}
		if body > size-at-header {
			return nil, errCutShort
		}
		if err := s.take(message, at+header, body); err != nil {
			return nil, err
		}
		at += header + body
	}
}

// take checks the next message of an Arrow stream: a schema, a dictionary or a batch of rows.
func (s *structure) take(message flatTable, body, length int64) (err error) {
	switch code := message.number(messageCode, 1); {
	case s.columns == nil && code == codeSchema:
		schema, ok := message.table(messageHeader)
		if !ok || length > 0 {
			return damaged("its schema is broken")
		}
		if s.columns, err = readSchema(schema); err != nil {
			return err
		}
		s.nulls = make([]int64, len(s.columns))
		return nil
	case s.columns != nil && code == codeDictionary && len(s.ends) == 0:
		return s.readDictionary(message, body, length)
	case s.columns != nil && code == codeRecords:
		return s.readRecords(message, body, length)
	default:
		return damaged("it has a message of kind %d where none should be", code)
	}
}
