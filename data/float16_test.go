package data

import (
	"math"
	"testing"

	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/float16"
	"github.com/apache/arrow/go/v15/arrow/memory"
)

// Numbers of 16 bits keep their values when they are decoded, also subnormal ones below 2^-14, which Arrow's
// own conversion takes for 0.
func TestFloat16KeepsSubnormalNumbers(t *testing.T) {
	want := []float64{1, 0x1p-14, 0x1p-15, -0x1.8p-20, 0x1p-24, -2.5}
	builder := array.NewFloat16Builder(memory.DefaultAllocator)
	for _, bits := range []uint16{0x3C00, 0x0400, 0x0200, 0x8018, 0x0001, 0xC100} {
		builder.Append(float16.FromBits(bits))
	}
	got, err := Column{Name: "x", Kind: Float64}.decode(builder.NewArray())
	if err != nil {
		t.Fatal(err)
	}
	for k, x := range got.(Slice[float64]) {
		if math.Float64bits(x) != math.Float64bits(want[k]) {
			t.Errorf("number %d: %v, want %v", k, x, want[k])
		}
	}
}
