package run

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

func TestFloatsReadBack(t *testing.T) {
	rows := [][]float64{{}, {0, math.Copysign(0, -1), math.Inf(1), 1e-310}, {math.Pi}}
	var bytes []byte
	for _, row := range rows {
		bytes = Floats.Append(bytes, row)
	}
	got, err := Floats.rows(bytes)
	if err != nil || !slices.EqualFunc(got, rows, func(a, b []float64) bool {
		return slices.EqualFunc(a, b, func(x,
			y float64) bool {
			return math.Float64bits(x) == math.Float64bits(y)
		})
	}) {
		t.Errorf("%v, %v", got, err)
	}
	for length := 1; length < len(bytes); length++ {
		if got, err := Floats.rows(bytes[:length]); err == nil && len(got) == len(rows) {
			t.Errorf("%d of %d bytes are enough", length, len(bytes))
		}
	}
}

// A block that should have one row but has none or two gives an error that names it.
func TestOneRowOfABlock(t *testing.T) {
	kept := checkpoint[[]float64]{memory{}, Floats}
	for block, rows := range [][][]float64{{{1, 2}}, {}, {{1}, {2}}} {
		if err := kept.Keep(int64(block), rows); err != nil {
			t.Fatal(err)
		}
		row, err := kept.one(int64(block))
		if block == 0 && (err != nil || !slices.Equal(row, []float64{1, 2})) {
			t.Errorf("%v, %v", row, err)
		}
		if block > 0 && (err == nil || !strings.Contains(err.Error(), fmt.Sprintf("block %d ", block))) {
			t.Errorf("block %d: %v, %v", block, row, err)
		}
	}
}

// FuzzCodec decodes arbitrary bytes. There is an error, or rows whose encoding is no longer than the bytes.
func FuzzCodec(f *testing.F) {
	f.Add(Floats.Append(nil, []float64{1, 2}))
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01})
	f.Fuzz(func(t *testing.T, bytes []byte) {
		rows, err := Floats.rows(bytes)
		if err != nil {
			return
		}
		var again []byte
		for _, row := range rows {
			again = Floats.Append(again, row)
		}
		if len(again) > len(bytes) {
			t.Errorf("%d bytes of %d", len(again), len(bytes))
		}
	})
}
