package arrays

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"

	"github.com/apache/arrow/go/v15/arrow/float16"
)

// format says how the numbers of an array are written.
type format struct {
	bytes  int
	decode func(x []float64, from []byte)
}

// Formats says how the numbers of a type of NumPy's are written, or that they may not be of that type.
type Formats func(descr string) (format, error)

// Floats is the format of a type of real numbers of NumPy's, such as <f4. bfloat16, which NumPy does not
// know, is in its files as numbers of two bytes without a type.
func Floats(descr string) (format, error) {
	var order binary.ByteOrder = binary.LittleEndian
	if strings.HasPrefix(descr, ">") {
		order = binary.BigEndian
	}
	switch strings.TrimLeft(descr, "<>|=") {
	case "f8":
		return each(8, func(b []byte) float64 { return math.Float64frombits(order.Uint64(b)) }), nil
	case "f4":
		return each(4, func(b []byte) float64 { return float64(math.Float32frombits(order.Uint32(b))) }), nil
	case "f2":
		return each(2, func(b []byte) float64 { return half[order.Uint16(b)] }), nil
	case "V2", "bfloat16":
		return each(2, func(b []byte) float64 {
			return float64(math.Float32frombits(uint32(order.Uint16(b)) << 16))
		}), nil
	}
	return format{}, fmt.Errorf("has numbers of type %.20q; must be bfloat16 or float16, 32 or 64", descr)
}

// Any is Floats for what may be whole numbers or truths too, such as a mask.
func Any(descr string) (format, error) {
	var order binary.ByteOrder = binary.LittleEndian
	if strings.HasPrefix(descr, ">") {
		order = binary.BigEndian
	}
	switch strings.TrimLeft(descr, "<>|=") {
	case "b1", "u1":
		return each(1, func(b []byte) float64 { return float64(b[0]) }), nil
	case "i1":
		return each(1, func(b []byte) float64 { return float64(int8(b[0])) }), nil
	case "i2":
		return each(2, func(b []byte) float64 { return float64(int16(order.Uint16(b))) }), nil
	case "i4":
		return each(4, func(b []byte) float64 { return float64(int32(order.Uint32(b))) }), nil
	case "i8":
		return each(8, func(b []byte) float64 { return float64(int64(order.Uint64(b))) }), nil
	}
	return Floats(descr)
}

// half is the value of every number of type float16.
var half = func() (values [1 << 16]float64) {
	for bits := range values {
		values[bits] = float64(float16.FromLEBytes([]byte{byte(bits), byte(bits >> 8)}).Float32())
	}
	return values
}()

// each is the format of numbers that are read one by one.
func each(bytes int, number func(b []byte) float64) format {
	return format{bytes, func(x []float64, from []byte) {
		for k := range x {
			x[k] = number(from[k*bytes : (k+1)*bytes])
		}
	}}
}

var float64s, _ = Floats("<f8")
