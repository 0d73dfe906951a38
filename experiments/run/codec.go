package run

import (
	"encoding/binary"
	"errors"
	"math"

	"antipode/internal/lists"
)

// Codec encodes the result of a trajectory as bytes for a Journal, and decodes it.
type Codec[Row any] struct {
	Append func(bytes []byte, row Row) []byte
	Read   func(d *Decoder) Row
}

// rows decodes rows until the end of the bytes.
func (c Codec[Row]) rows(bytes []byte) ([]Row, error) {
	d := &Decoder{bytes: bytes}
	var rows []Row
	for len(d.bytes) > 0 && d.err == nil {
		rows = append(rows, c.Read(d))
	}
	return rows, d.err
}

// Decoder reads numbers from bytes. After an error it returns zeros.
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

// Float reads what AppendFloat wrote.
func (d *Decoder) Float() float64 {
	return math.Float64frombits(binary.LittleEndian.Uint64(d.take(8)))
}

// Int reads what AppendInt wrote.
func (d *Decoder) Int() int64 {
	n, size := binary.Varint(d.bytes)
	if size <= 0 {
		d.bytes, d.err = nil, errShort
		return 0
	}
	d.bytes = d.bytes[size:]
	return n
}

// Length reads the number of items that follow; each item takes at least one byte.
func (d *Decoder) Length() int {
	n := d.Int()
	if n < 0 || n > int64(len(d.bytes)) {
		d.bytes, d.err = nil, errShort
		return 0
	}
	return int(n)
}

// Floats reads what AppendFloats wrote.
func (d *Decoder) Floats() []float64 {
	return lists.Of(d.Length(), func(k int) float64 { return d.Float() })
}

// AppendFloat appends the bits of a number.
func AppendFloat(bytes []byte, x float64) []byte {
	return binary.LittleEndian.AppendUint64(bytes, math.Float64bits(x))
}

// AppendInt appends an integer; small integers take fewer bytes.
func AppendInt(bytes []byte, n int64) []byte { return binary.AppendVarint(bytes, n) }

// AppendFloats appends the number of values and the values.
func AppendFloats(bytes []byte, values []float64) []byte {
	bytes = AppendInt(bytes, int64(len(values)))
	for _, x := range values {
		bytes = AppendFloat(bytes, x)
	}
	return bytes
}

// Floats is the codec of rows that are lists of numbers.
var Floats = Codec[[]float64]{Append: AppendFloats, Read: (*Decoder).Floats}
