package arrays

import (
	"encoding/binary"
	"slices"
	"testing"
)

// Numbers of 16 bits below 2^-14 are read with their values, in both orders of bytes.
func TestSubnormalFloat16(t *testing.T) {
	want := []float64{0x1p-14, 0x1p-15, -0x1.8p-20, 0x1p-24}
	for order, bytes := range map[string]binary.AppendByteOrder{
		"<": binary.LittleEndian, ">": binary.BigEndian,
	} {
		content := npyHead(1, 128, order+"f2", "4,")
		for _, bits := range []uint16{0x0400, 0x0200, 0x8018, 0x0001} {
			content = bytes.AppendUint16(content, bits)
		}
		if got, err := numbers(t, "a.npy", content, Floats); err != nil || !slices.Equal(got, want) {
			t.Errorf("%sf2: %v, %v, want %v", order, got, err, want)
		}
	}
}
