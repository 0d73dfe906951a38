package products

import (
	"testing"

	"antipode/internal/team"
)

// The parts of a product together read as little as possible: rows of A for each column of parts, and columns
// of B for each row of parts.
func TestGridsOfParts(t *testing.T) {
	for _, c := range []struct{ rows, columns, count, down int }{
		{100, 100, 1, 1}, {100, 100, 2, 1}, {100, 100, 4, 2}, {100, 100, 5, 1}, {100, 100, 6, 2},
		{100, 100, 9, 3}, {10, 1000, 4, 1}, {1000, 10, 4, 4}, {1000, 10, 6, 6}, {201, 100, 4, 4},
		{200, 100, 4, 2}, {1000, 10, 7, 7}, {100, 1000, 7, 1},
	} {
		d := division{product: product{c: view{rows: c.rows, columns: c.columns}}}
		if down, across := d.grid(c.count); down != c.down || across != c.count/c.down {
			t.Errorf("%+v: %d down, %d across", c, down, across)
		}
	}
}

// A goroutine is worthwhile from leastWork multiplications on.
func TestCountsOfParts(t *testing.T) {
	for _, c := range []struct{ workers, rows, columns, inner, want int }{
		{1, 1 << 10, 1 << 10, 1 << 10, 1}, {4, 1 << 10, 1 << 10, 1 << 10, 4}, {4, 1, 1, 1, 1},
		{4, 64, 64, 64, 1}, {4, 64, 64, 127, 1}, {4, 64, 64, 128, 2}, {4, 64, 64, 191, 2},
		{4, 64, 64, 192, 3},
		{4, 64, 64, 256, 4}, {4, 64, 64, 320, 4},
	} {
		d := newDivision(team.New(c.workers))
		p := &product{a: view{rows: c.rows, columns: c.inner}, c: view{rows: c.rows, columns: c.columns}}
		if got := d.count(p); got != c.want {
			t.Errorf("%+v: %d parts", c, got)
		}
	}
}

// Parts begin at multiples of a step, and the last one ends at the end.
func TestCutsOfParts(t *testing.T) {
	for _, c := range []struct{ n, part, parts, step, want int }{
		{100, 0, 4, 8, 0}, {100, 1, 4, 8, 24}, {100, 2, 4, 8, 48}, {100, 3, 4, 8, 72}, {100, 4, 4, 8, 100},
		{7, 1, 2, 8, 0}, {7, 2, 2, 8, 7}, {96, 1, 3, 8, 32},
	} {
		if got := cut(c.n, c.part, c.parts, c.step); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
}
