package products

import (
	"fmt"
	"hash/fnv"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"antipode/internal/instructionset"
	"antipode/sphere/must"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// problem is a product to be computed. If gram is set, it is a Gram matrix, and b is not used.
type problem struct {
	a, b, c     blas64.General
	ta, tb      blas.Transpose
	alpha, beta float64
	gram        bool
}

func (p problem) String() string {
	return fmt.Sprintf("%d×%d, op(A) %c %d×%d, op(B) %c %d×%d, α = %v, β = %v, Gram %t", p.c.Rows, p.c.Cols,
		p.ta, p.a.Rows, p.a.Cols, p.tb, p.b.Rows, p.b.Cols, p.alpha, p.beta, p.gram)
}

func (p problem) solve(m *Multiplier) {
	if p.gram {
		m.Gram(p.ta, p.alpha, p.a, p.beta, p.c)
	} else {
		m.Multiply(p.ta, p.tb, p.alpha, p.a, p.b, p.beta, p.c)
	}
}

// copied returns the same problem with its own copy of C.
func (p problem) copied() problem {
	p.c.Data = slices.Clone(p.c.Data)
	return p
}

// drawn returns a matrix with some memory between its rows. draw gives all numbers in memory.
func drawn(r *rand.Rand, rows, columns int, draw func() float64) blas64.General {
	m := blas64.General{Rows: rows, Cols: columns, Stride: max(1, columns+r.IntN(3))}
	m.Data = make([]float64, rows*m.Stride)
	for k := range m.Data {
		m.Data[k] = draw()
	}
	return m
}

// drawnProblem returns a product of the given shape, or a Gram matrix, with random op and coefficients.
func drawnProblem(r *rand.Rand, rows, inner, columns int, draw func() float64) problem {
	transposes := []blas.Transpose{blas.NoTrans, blas.Trans, blas.ConjTrans}
	operand := func(transpose blas.Transpose, rows, columns int) blas64.General {
		if transpose != blas.NoTrans {
			rows, columns = columns, rows
		}
		return drawn(r, rows, columns, draw)
	}
	p := problem{ta: transposes[r.IntN(3)], tb: transposes[r.IntN(3)], gram: r.IntN(3) == 0,
		alpha: []float64{1, 0.7, -2}[r.IntN(3)], beta: []float64{0, 1, 0.7}[r.IntN(3)]}
	if p.gram {
		columns = rows
	}
	p.a, p.b, p.c = operand(p.ta, rows, inner), operand(p.tb, inner, columns), drawn(r, rows, columns, draw)
	return p
}

func opEntry(transpose blas.Transpose, a blas64.General, i, j int) float64 {
	if transpose != blas.NoTrans {
		i, j = j, i
	}
	return a.Data[i*a.Stride+j]
}

// factors returns the entries of op(A) and op(B) whose products are summed in the entry (i, j) of C.
func (p problem) factors(i, j int) (left, right []float64) {
	inner := p.a.Cols
	if p.ta != blas.NoTrans {
		inner = p.a.Rows
	}
	left, right = make([]float64, 0, inner), make([]float64, 0, inner)
	for l := range inner {
		left = append(left, opEntry(p.ta, p.a, i, l))
		if p.gram {
			right = append(right, opEntry(p.ta, p.a, j, l))
		} else {
			right = append(right, opEntry(p.tb, p.b, l, j))
		}
	}
	return left, right
}

// define computes the product by its definition.
func (p problem) define() {
	for i := range p.c.Rows {
		for j := range p.c.Cols {
			if p.gram && j > i {
				continue
			}
			sum := 0.0
			if p.beta != 0 {
				sum = p.beta * p.c.Data[i*p.c.Stride+j]
			}
			left, right := p.factors(i, j)
			for l := range left {
				sum = math.FMA(p.alpha*left[l], right[l], sum)
			}
			p.c.Data[i*p.c.Stride+j] = sum
			if p.gram {
				p.c.Data[j*p.c.Stride+i] = sum
			}
		}
	}
}

// same reports whether two numbers have the same bits, or are both NaN.
func same(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) || x != x && y != y }

// sameNumbers fails the test at the first number of C that differs from the one of want.
func (p problem) sameNumbers(t *testing.T, what string, want problem) {
	t.Helper()
	for place, w := range want.c.Data {
		if g := p.c.Data[place]; !same(g, w) {
			i, j := place/p.c.Stride, place%p.c.Stride
			t.Fatalf("%s, %v: entry (%d, %d) is %v, want %v", what, p, i, j, g, w)
		}
	}
}

// withEach runs a test in every instruction set of the machine: with the usual blocks, and with blocks so
// small that every product has several, and every worker gets a part.
func withEach(t *testing.T, test func(t *testing.T)) {
	before := instructionset.Active()
	defer func() {
		must.Do(t, instructionset.Select(before))
	}()
	for _, name := range instructionset.Available() {
		must.Do(t, instructionset.Select(name))
		t.Run(name, test)
		t.Run(name+"/small blocks", func(t *testing.T) {
			set, blocks, least := active(), *active(), leastWork
			defer func() { *set, leastWork = blocks, least }()
			set.depth, set.columns, set.direct = 5, 2*blocks.width, 0
			leastWork = 1
			test(t)
		})
	}
}

// Every entry has the bits of the chain of operations that defines it, and the memory between rows does not
// change: with one goroutine in each instruction set, and with three in the fastest.
func TestProductsAreChains(t *testing.T) {
	withEach(t, func(t *testing.T) { testChains(t, New(1)) })
	t.Run("3", func(t *testing.T) { testChains(t, New(3)) })
}

func testChains(t *testing.T, m *Multiplier) {
	r := rand.New(rand.NewPCG(1, 2))
	for round := range 25 {
		rows, inner, columns := r.IntN(40), r.IntN(40), r.IntN(60)
		switch round {
		case 0:
			rows, inner, columns = 150, 290, 70
		case 1:
			rows, inner, columns = 20, 10, 420
		}
		p := drawnProblem(r, rows, inner, columns, r.NormFloat64)
		want := p.copied()
		want.define()
		lower := p.copied()
		p.solve(m)
		p.sameNumbers(t, "product", want)
		if p.gram {
			m.Lower(p.ta, p.alpha, p.a, p.beta, lower.c)
			for i := range rows {
				copy(lower.c.Data[i*p.c.Stride+i:][:rows-i], p.c.Data[i*p.c.Stride+i:])
			}
			lower.sameNumbers(t, "lower triangle", want)
		}
	}
}

// Both triangles of a Gram matrix hold the products of the lower one, whatever the upper one held before: for
// few rows, where both are computed, and for more rows, where one is copied.
func TestGramOfFewRows(t *testing.T) {
	withEach(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(11, 12))
		m := New(1)
		for _, n := range []int{1, 2, 7, 8, 12, few, few + 1, 24} {
			for _, alpha := range []float64{1, 0.7} {
				for _, beta := range []float64{0, 1, 0.7} {
					p := drawnProblem(r, n, 1+r.IntN(20), n, r.NormFloat64)
					p.gram, p.alpha, p.beta = true, alpha, beta
					want := p.copied()
					want.define()
					p.solve(m)
					p.sameNumbers(t, "Gram matrix", want)
				}
			}
		}
	})
}

// Zeros of both signs, infinities and NaN have the effect that the chains of operations say, and no other.
func TestSpecialNumbers(t *testing.T) {
	specials := []float64{0, math.Copysign(0, -1), 1, -1, math.Inf(1), math.Inf(-1), math.NaN(),
		math.MaxFloat64, math.SmallestNonzeroFloat64}
	withEach(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(3, 4))
		m := New(1)
		for _, share := range []int{2, 40, 400} { // on average one of so many numbers is special
			for range 40 {
				p := drawnProblem(r, 1+r.IntN(20), 1+r.IntN(20), 1+r.IntN(30), func() float64 {
					if r.IntN(share) == 0 {
						return specials[r.IntN(len(specials))]
					}
					return r.NormFloat64()
				})
				want := p.copied()
				want.define()
				p.solve(m)
				p.sameNumbers(t, "product", want)
			}
		}
	})
	inf, nan, zero := math.Inf(1), math.NaN(), math.Copysign(0, -1)
	for _, c := range []struct{ alpha, a, b, beta, c, want float64 }{
		{1, 2, 3, 0, nan, 6},
		{1, 0, 3, 1, inf, inf},
		{1, inf, 1, 1, -inf, nan},
		{1, inf, 0, 0, 0, nan},
		{0, inf, 1, 0, 0, nan},
		{0, 5, 1, 1, 2, 2},
		{1, zero, 1, 1, zero, zero},
		{1, zero, 1, 0, zero, 0},
		{1, 1, 1, nan, 1, nan},
	} {
		one := func(x float64) blas64.General {
			return blas64.General{Rows: 1, Cols: 1, Stride: 1, Data: []float64{x}}
		}
		result := one(c.c)
		New(1).Multiply(blas.NoTrans, blas.NoTrans, c.alpha, one(c.a), one(c.b), c.beta, result)
		if got := result.Data[0]; !same(got, c.want) {
			t.Errorf("%v·%v·%v + %v·%v = %v, want %v", c.alpha, c.a, c.b, c.beta, c.c, got, c.want)
		}
	}
}

// The error of a chain of k operations is at most k·2^-53·Σ|ab|; α and β add one rounding each.
func TestAccuracy(t *testing.T) {
	const precision = 1500 // bits: all sums below are exact
	exactly := func(x float64) *big.Float { return new(big.Float).SetPrec(precision).SetFloat64(x) }
	withEach(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(5, 6))
		m := New(1)
		for range 20 {
			p := drawnProblem(r, 1+r.IntN(12), 1+r.IntN(50), 1+r.IntN(30), func() float64 {
				return math.Ldexp(r.NormFloat64(), r.IntN(80)-40)
			})
			before := p.copied().c
			p.solve(m)
			for i := range p.c.Rows {
				for j := range p.c.Cols {
					if p.gram && j > i {
						continue
					}
					left, right := p.factors(i, j)
					sum := exactly(p.beta)
					sum.Mul(sum, exactly(before.Data[i*before.Stride+j]))
					size := math.Abs(p.beta * before.Data[i*before.Stride+j])
					for l := range left {
						term := exactly(p.alpha)
						term.Mul(term, exactly(left[l])).Mul(term, exactly(right[l]))
						sum.Add(sum, term)
						size += math.Abs(p.alpha * left[l] * right[l])
					}
					roundings := len(left)
					if p.alpha != 1 {
						roundings++
					}
					if p.beta != 0 && p.beta != 1 {
						roundings++
					}
					sum.Sub(sum, exactly(p.c.Data[i*p.c.Stride+j]))
					off, _ := sum.Float64()
					bound := float64(roundings) * 0x1p-53 * size * (1 + 0x1p-40)
					if !(math.Abs(off) <= bound) {
						t.Fatalf("%v: entry (%d, %d) is off by %v, allowed are %v", p, i, j, off, bound)
					}
				}
			}
		}
	})
}

// Products of many shapes have the same bits for every instruction set, blocking, number of workers and
// machine.
func TestSameBits(t *testing.T) {
	const want = 0x2bd726588c8881db
	for _, workers := range []int{1, 2, 3} {
		withEach(t, func(t *testing.T) {
			r := rand.New(rand.NewPCG(7, 8))
			hash := fnv.New64a()
			m := New(workers)
			for _, shape := range [][3]int{{1, 1, 1}, {7, 5, 3}, {8, 8, 24}, {33, 17, 50}, {30, 300, 30},
				{140, 70, 90}, {9, 20, 800}, {1, 40, 30}, {40, 30, 1}} {
				for range 6 {
					number := func() float64 { return r.Float64() - 0.5 }
					p := drawnProblem(r, shape[0], shape[1], shape[2], number)
					p.solve(m)
					for _, x := range p.c.Data {
						fmt.Fprintf(hash, "%x", math.Float64bits(x))
					}
				}
			}
			if got := hash.Sum64(); got != want {
				t.Errorf("%d workers: hash %#x, want %#x", workers, got, uint64(want))
			}
		})
	}
}

func TestEmptyProducts(t *testing.T) {
	withEach(t, func(t *testing.T) {
		m := New(2)
		empty := func(rows, columns int) blas64.General {
			return blas64.General{Rows: rows, Cols: columns, Stride: max(1, columns)}
		}
		m.Multiply(blas.NoTrans, blas.NoTrans, 1, empty(0, 3), blas64.General{Rows: 3, Cols: 2, Stride: 2,
			Data: make([]float64, 6)}, 0, empty(0, 2))
		m.Multiply(blas.Trans, blas.Trans, 1, empty(0, 0), empty(0, 0), 1, empty(0, 0))
		m.Gram(blas.NoTrans, 1, empty(0, 5), 0, empty(0, 0))
		nan := math.NaN()
		for _, c := range []struct {
			beta float64
			want []float64
		}{{0, []float64{0, 0, 9, 0, 0}}, {1, []float64{1, 2, 9, 3, 4}}, {-2, []float64{-2, -4, 9, -6, -8}}} {
			result := blas64.General{Rows: 2, Cols: 2, Stride: 3, Data: []float64{1, 2, 9, 3, 4}}
			if c.beta == 0 {
				result.Data[0] = nan
			}
			m.Multiply(blas.NoTrans, blas.Trans, 1, empty(2, 0), empty(2, 0), c.beta, result)
			if !slices.Equal(result.Data, c.want) {
				t.Errorf("β = %v: %v, want %v", c.beta, result.Data, c.want)
			}
		}
		gram := blas64.General{Rows: 2, Cols: 2, Stride: 2, Data: []float64{1, nan, 2, 3}}
		m.Gram(blas.NoTrans, 1, empty(2, 0), 2, gram)
		if want := []float64{2, 4, 4, 6}; !slices.Equal(gram.Data, want) {
			t.Errorf("Gram matrix %v, want %v", gram.Data, want)
		}
	})
}
