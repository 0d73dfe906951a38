package figure

import (
	"image/color"
	"slices"
	"testing"
)

// Adjacent tiles of one colour are joined to rectangles: first along rows, and then rows that are equally
// wide. Tiles that do not touch, or are separated by another mark in the order of drawing, are not joined.
func TestTilesOfOneColourAreOne(t *testing.T) {
	a, b := color.Gray{1}, color.Gray{2}
	tile := func(x, y, width, height float64, c color.Color) Tile {
		return Tile{Point{x, y}, Point{x + width, y + height}, c}
	}
	line := Line{Points: []Point{{0, 0}}}
	for _, c := range []struct{ marks, want []Mark }{
		{[]Mark{tile(0, 0, 1, 1, a), tile(1, 0, 1, 1, a), tile(2, 0, 1, 1, b), tile(0, 1, 1, 1, a),
			tile(1, 1, 1, 1, a), tile(2, 1, 1, 1, a)},
			[]Mark{tile(0, 0, 2, 1, a), tile(2, 0, 1, 1, b), tile(0, 1, 3, 1, a)}},
		{[]Mark{tile(0, 0, 1, 1, a), tile(0, 1, 1, 1, a), tile(1, 0, 1, 1, a), tile(1, 1, 1, 1, a)},
			[]Mark{tile(0, 0, 2, 2, a)}},
		{[]Mark{tile(0, 0, 1, 1, a), tile(2, 0, 1, 1, a)}, []Mark{tile(0, 0, 1, 1, a), tile(2, 0, 1, 1, a)}},
		{[]Mark{tile(0, 0, 1, 1, a), line, tile(1, 0, 1, 1, a)}, []Mark{tile(0, 0, 1, 1, a), line,
			tile(1, 0, 1, 1, a)}},
	} {
		if got := drawn(c.marks); !slices.EqualFunc(got, c.want, func(x, y Mark) bool {
			s, is := x.(Tile)
			other, too := y.(Tile)
			return is == too && s == other
		}) {
			t.Errorf("%v\nwant %v", got, c.want)
		}
	}
}
