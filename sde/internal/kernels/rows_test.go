package kernels

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
)

func randomRow(r *rand.Rand, n int) []Vector {
	row := make([]Vector, n)
	for v := range row {
		for k := range row[v] {
			row[v][k] = r.NormFloat64()
		}
	}
	return row
}

// The kernels of rows have the bits of their versions in Go, at every length.
func TestRowsHaveTheBitsOfTheirTwins(t *testing.T) {
	withEach(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(7, 3))
		for n := range 20 {
			x, y := randomRow(r, n), randomRow(r, n)
			// Rows of n Vectors that lie some Vectors apart, among others that are left alone.
			const rows = 3
			matrix, change := randomRow(r, rows*(n+2)), randomRow(r, rows*(n+1))
			factors := []float64{0.37, -1.3, 2}
			dots := randomRow(r, 4*rows)
			wantDots := slices.Clone(dots)
			active().addDots(dots, matrix, n+2, y)
			addDotsGeneric(wantDots, matrix, n+2, y)
			sameBits(t, "dots", dots, wantDots)
			collected, wantCollected := make([]Vector, rows), make([]Vector, rows)
			active().collect(collected, dots)
			collectGeneric(wantCollected, dots)
			sameBits(t, "collected", collected, wantCollected)

			sums, wantSums := make([]Vector, rows), make([]Vector, rows)
			moved, wantMoved := slices.Clone(matrix), slices.Clone(matrix)
			active().advance(sums, moved, n+2, change, n+1, n, factors)
			advanceGeneric(wantSums, wantMoved, n+2, change, n+1, n, factors)
			sameBits(t, "advance", append(moved, sums...), append(wantMoved, wantSums...))

			active().rescale(moved, n+2, n, factors)
			rescaleGeneric(wantMoved, n+2, n, factors)
			sameBits(t, "rescale", moved, wantMoved)

			combined, wantCombined := slices.Clone(x), slices.Clone(x) // in place
			active().combine(combined, 0.7, x, y, -1.9, combined, y)
			combineGeneric(wantCombined, 0.7, x, y, -1.9, wantCombined, y)
			sameBits(t, "combine", combined, wantCombined)
		}
	})
}

// Dots are inner products, to within a bound on the rounding errors of 32 sums.
func TestDotsOfRows(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 4))
	for _, n := range []int{1, 7, 33} {
		x, y := randomRow(r, n), randomRow(r, n)
		exact, size := new(big.Float), 0.0
		for k, v := range Numbers(x) {
			w := Numbers(y)[k]
			product := new(big.Float).SetPrec(200)
			product.Mul(big.NewFloat(v).SetPrec(200), big.NewFloat(w).SetPrec(200))
			exact.Add(exact, product)
			size += math.Abs(v * w)
		}
		m := Matrix{x, 8 * n, n}
		sums, dots := make([]Vector, 4), make([]float64, 1) // in two steps
		whole := n / 8 * 4
		m.AddDots(sums, 0, y[:whole])
		rest := Matrix{x[whole:], 8 * n, n}
		rest.AddDots(sums, 0, y[whole:])
		want, _ := exact.Float64()
		Totals(dots, sums, make([]Vector, 1))
		if got := dots[0]; !(math.Abs(got-want) <= float64(n+5)*0x1p-53*size) {
			t.Errorf("%d Vectors: %v, want %v", n, got, want)
		}
	}
}

// If all lanes are at one address, they draw different numbers, each those of its own attempt. A part of
// these numbers is the same if it is drawn alone.
func TestLanesAtOneAddress(t *testing.T) {
	withEach(t, func(t *testing.T) {
		s := NewStream(11, 13)
		l := NewLanes(s, 1)
		l.SetAll(Increments, 1<<33+5, 1<<32+7)
		for name, fill := range map[string]func(l *Lanes, dst []Vector){
			"normals":   func(l *Lanes, dst []Vector) { l.Normals(dst, 1.5, 0) },
			"uniforms":  func(l *Lanes, dst []Vector) { l.Uniforms(dst, 1.5, 0) },
			"truncated": func(l *Lanes, dst []Vector) { l.TruncatedNormals(dst, 1.5, 0) },
			"signs":     func(l *Lanes, dst []Vector) { l.Signs(dst, 1.5, 0) },
		} {
			whole, part := make([]Vector, 300), make([]Vector, 44)
			fill(l, whole)
			fill(l.After(256), part)
			sameBits(t, name, part, whole[256:])
		}
		numbers := make([]Vector, 2)
		l.Normals(numbers, 1, 0)
		for k := range numbers[0] {
			first, second := normalPair(s.at(Increments, 1<<33+5, 1<<32+7), 0, uint32(k), 1)
			if numbers[0][k] != first || numbers[1][k] != second {
				t.Errorf("lane %d draws %v and %v, want %v and %v",
					k, numbers[0][k], numbers[1][k], first, second)
			}
		}
	})
}
