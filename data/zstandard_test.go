package data

import (
	"bytes"
	"testing"
)

func TestCheckZstandard(t *testing.T) {
	magic := []byte{0x28, 0xB5, 0x2F, 0xFD}
	frame := func(bytes ...byte) []byte { return append(append([]byte(nil), magic...), bytes...) }
	raw := []byte{0x19, 0, 0, 'a', 'b', 'c'} // the last block, three bytes as they are
	with := func(header ...byte) []byte { return append(frame(header...), raw...) }
	for _, test := range []struct {
		name   string
		stream []byte
		good   bool
	}{
		{"single segment", with(0x20, 3), true},
		{"small window", with(0x00, 0x00), true},
		{"window of 128 MiB", with(0x00, 17<<3), true},
		{"window of 144 MiB", with(0x00, 17<<3|1), false},
		{"window of 1 GiB", with(0x00, 20<<3), false},
		{"largest window", with(0x00, 0xFF), false},
		{"content of 4 GiB in a single segment", with(0xA0, 0xFF, 0xFF, 0xFF, 0xFF), false},
		{"content of 3 in 8 bytes", with(0xE0, 3, 0, 0, 0, 0, 0, 0, 0), true},
		{"huge content in 8 bytes", with(0xE0, 0, 0, 0, 0, 0, 0, 0, 0x80), false},
		{"dictionary number", with(0x23, 1, 2, 3, 4, 3), true},
		{"checksum", append(with(0x24, 3), 1, 2, 3, 4), true},
		{"no checksum", append(with(0x24, 3), 1, 2, 3), false},
		{"repeated byte", frame(0x20, 9, 0x4B, 0, 0, 'a'), true},
		{"two blocks", frame(0x20, 4, 0x08, 0, 0, 'a', 0x19, 0, 0, 'b', 'c', 'd'), true},
		{"no last block", frame(0x20, 1, 0x08, 0, 0, 'a'), false},
		{"cut short", with(0x20, 3)[:10], false},
		{"cut in the header", frame(0x00), false},
		{"nothing", nil, false},
		{"not Zstandard", []byte("plain text, not compressed"), false},
		{"a second frame", append(with(0x20, 3), with(0x20, 3)...), false},
	} {
		if err := checkZstandard(bytes.NewReader(test.stream)); (err == nil) != test.good {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}
