package lanes

import (
	"testing"

	"antipode/sde/internal/fields"
)

// The numbers are counted by hand, in rows with 16 more numbers than needed: the tokens of each lane and
// their sums, two copies of the tokens, a matrix and its product, the span of the fields, and all overlaps
// if they are kept.
func TestMatrixBytes(t *testing.T) {
	for _, c := range []struct {
		tokens, dim, count, workers float64
		noisy                       bool
		want                        float64
	}{
		{10, 4, 1, 1, false, 2*10*20 + 2*40},
		{10, 4, 3, 2, false, 4*10*20 + 2*40},
		{10, 5, 1, 1, false, 2*10*21 + 2*50 + 10*26},
		{4096, 5, 1, 1, false, 2*4096*21 + 2*4096*5 + 4096*4112},
		{4097, 5, 1, 1, false, 2*4097*21 + 2*4097*5},
		{10, 4, 1, 1, true, 2*10*20 + 2*40 + 16 + 10*20 + 4*18*18 + 3*2*20},
		{3, 4, 1, 1, true, 2*3*20 + 2*12 + 16 + 3*20 + 4*18*18 + 3*2*20},
		{3, 10, 1, 1, true, 2*3*26 + 2*30 + 3*19 + 100 + 3*26 + 4*19*19 + 3*3*26},
	} {
		got := MatrixBytes(c.tokens, c.dim, c.count, c.workers, c.noisy) -
			fields.Bytes(c.tokens, c.dim, c.workers)
		if got != 8*c.want {
			t.Errorf("%+v: %v bytes, want %v", c, got, 8*c.want)
		}
	}
}

// Trajectories are advanced one at a time from 2^16 numbers of a matrix on; for more than two tokens from
// 2048 coordinates on in up to 23 dimensions, and in more dimensions from 800 products of what exceeds 2
// tokens and 16 dimensions on.
func TestLarge(t *testing.T) {
	for _, c := range []struct {
		tokens, dim, rank int
		want              bool
	}{
		{2, 1 << 15, 2, false}, {2, 1<<15 + 1, 2, true}, {1, 256, 256, false}, {1, 257, 256, true},
		{2, 2048, 2, false}, {3, 23, 3, false}, {89, 23, 1, false}, {90, 23, 1, true}, {2048, 1, 1, true},
		{2047, 1, 1, false}, {101, 24, 1, false}, {102, 24, 1, true}, {3, 815, 3, false}, {3, 816, 3, true},
	} {
		if got := Large(c.tokens, c.dim, c.rank); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}
