package run

import (
	"encoding/binary"
	"errors"
	"math"

	"antipode/internal/lists"
)

// Codec encodes the result of a trajectory as bytes for a Journal, and decodes these bytes.
type Codec[Row any] struct {
	Append func(bytes []byte, row Row) []byte
	Read   func(d *Decoder) Row
}

// rows decodes results of trajectories until the end of the bytes.
func (c Codec[Row]) rows(bytes []byte) ([]Row, error) {
	d := &Decoder{bytes: bytes}
	var rows []Row
	for len(d.bytes) > 0 && d.err == nil {
		rows = append(rows, c.Read(d))
	}
	return rows, d.err
}

// Decoder reads numbers from bytes that a Codec has written. After the first error a Decoder returns zeros.
type Decoder struct {
	bytes []byte
	err   error
}

var errShort = errors.New("a piece of an unfinished run ends too early")

func (d *Decoder) take(n int) []byte {
	if n > len(d.bytes) {
		d.bytes, d.err = nil, errShort
	}
	if d.err != nil {
		return make([]byte, n)
	}
	part := d.bytes[:n]
	d.bytes = d.bytes[n:]
	return part
}

// Byte reads a byte.
func (d *Decoder) Byte() byte { return d.take(1)[0] }

// Float reads a number that AppendFloat wrote.
func (d *Decoder) Float() float64 {
	return math.Float64frombits(binary.LittleEndian.Uint64(d.take(8)))
}

// Int reads an integer that AppendInt wrote.
func (d *Decoder) Int() int64 {
	n, size := binary.Varint(d.bytes)
	if size <= 0 {
		d.bytes, d.err = nil, errShort
		return 0
	}
	d.bytes = d.bytes[size:]
	return n
}

// Length reads the number of items of an encoded list. Because each item takes at least one byte, a number of
// items above the number of remaining bytes is an error.
func (d *Decoder) Length() int {
	n := d.Int()
	if n < 0 || n > int64(len(d.bytes)) {
		d.bytes, d.err = nil, errShort
		return 0
	}
	return int(n)
}

// Floats reads a list of numbers that AppendFloats wrote.
func (d *Decoder) Floats() []float64 {
	return lists.Of(d.Length(), func(k int) float64 { return d.Float() })
}

// AppendFloat appends the 8 bytes of a float64 to the given bytes.
func AppendFloat(bytes []byte, x float64) []byte {
	return binary.LittleEndian.AppendUint64(bytes, math.Float64bits(x))
}

// AppendInt appends an integer to the given bytes; small integers take fewer bytes than large ones.
func AppendInt(bytes []byte, n int64) []byte { return binary.AppendVarint(bytes, n) }

// AppendFloats appends a list of numbers to the given bytes, after the length of the list.
func AppendFloats(bytes []byte, values []float64) []byte {
	bytes = AppendInt(bytes, int64(len(values)))
	for _, x := range values {
		bytes = AppendFloat(bytes, x)
	}
	return bytes
}

// Floats is the Codec of trajectories whose results are lists of numbers.
var Floats = Codec[[]float64]{Append: AppendFloats, Read: (*Decoder).Floats}
