package arrays

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"sync"

	"antipode/internal/float16"
)

// format describes how the numbers of an array are encoded as bytes.
type format struct {
	bytes  int
	decode func(x []float64, from []byte)
}

// Formats is a function that returns the encoding of one of NumPy's types of numbers, which descr names. The
// function returns an error if arrays of this type are not accepted.
type Formats func(descr string) (format, error)

// Floats returns the encoding of a NumPy type of real numbers, such as <f4, and rejects other types. NumPy
// has no type for bfloat16; NumPy's files store such numbers as untyped values of two bytes.
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
		values := half()
		return each(2, func(b []byte) float64 { return values[order.Uint16(b)] }), nil
	case "V2", "bfloat16":
		return each(2, func(b []byte) float64 {
			return float64(math.Float32frombits(uint32(order.Uint16(b)) << 16))
		}), nil
	}
	return format{}, fmt.Errorf("has numbers of type %.20q; must be bfloat16 or float16, 32 or 64", descr)
}

// Any is like Floats, but also accepts integers and booleans, for example in a mask.
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

// half returns the values of all numbers of the type float16, by their bits.
var half = sync.OnceValue(func() (values []float64) {
	for bits := range 1 << 16 {
		values = append(values, float16.Float64(uint16(bits)))
	}
	return values
})

// each returns the encoding of numbers of the given size in bytes that are decoded one by one.
func each(bytes int, number func(b []byte) float64) format {
	return format{bytes, func(x []float64, from []byte) {
		for k := range x {
			x[k] = number(from[k*bytes : (k+1)*bytes])
		}
	}}
}

var float64s, _ = Floats("<f8")
