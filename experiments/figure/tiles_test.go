package figure

import (
	"image/color"
	"slices"
	"testing"
)

// A map of 3 by 2 tiles, of which the lower four, the right of these in two colours, are joined as far as
// they are rectangles of one colour; what is drawn between tiles keeps them apart.
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
