package selfattention

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"antipode/sde/internal/kernels"
	"antipode/sde/internal/runtest"
	"antipode/sphere/must"
)

// startTokens sets uniform tokens, in lane 0 all equal, in lane 1 of opposite signs, in
// lane 2 nearly equal ones, in lane 3 one of mass 0.
func startTokens(r *rand.Rand, t *Tokens) {
	for lane := range 8 {
		for i := range t.n {
			x := make([]float64, t.d)
			square := 0.0
			for k := range x {
				x[k] = r.NormFloat64()
				square += x[k] * x[k]
			}
			t.Masses[i][lane] = 1
			for k := range x {
				first := t.X[k][lane]
				v := x[k] / math.Sqrt(square)
				if i > 0 {
					switch lane {
					case 0:
						v = first
					case 1:
						v = first * float64(1-2*(i%2))
					case 2:
						v = first + 1e-13*v
					}
				}
				t.X[i*t.d+k][lane] = v
			}
		}
	}
	if t.n > 1 {
		t.Masses[t.n-1][3] = 0
	}
}

// tokenShapes are numbers of tokens and dimensions, such that tiles with all numbers of rows and columns
// occur, and others.
var tokenShapes = [][2]int{
	{1, 3}, {2, 1}, {2, 4}, {2, 10}, {2, 19}, {3, 2}, {3, 8}, {3, 9}, {4, 1}, {4, 12},
	{5, 5}, {6, 7}, {7, 3}, {9, 6}, {11, 4}, {4, 17}, {2, 64},
}

func TestTokensHaveTheSameBitsEverywhere(t *testing.T) {
	for _, shape := range tokenShapes {
		for _, softmax := range []bool{true, false} {
			// Tokens that all have mass 1 are not multiplied by their masses.
			for k := range 4 {
				reduced, heavy := k%2 == 0, k/2 == 1
				run := func() []Vector {
					r := rand.New(rand.NewPCG(17, 1))
					l := anywhere(r)
					x := NewTokens(shape[0], shape[1], 0.3, NewAttention(2, shape[0], softmax), reduced)
					startTokens(r, x)
					x.Masses[shape[0]-1][3] = 1
					for i := range x.Masses {
						for lane := range x.Masses[i] {
							if heavy {
								x.Masses[i][lane] = float64(1 + (3*i+lane)%5)
							}
						}
					}
					var states []Vector
					for range 20 {
						must.Do(t, x.Step(func(v []Vector) { l.Normals(v, 1, 0) }))
						l.Advance()
						states = slices.Concat(states, x.X)
					}
					return states
				}
				want := inGeneric(run)
				what := fmt.Sprint(shape, softmax, reduced, heavy)
				withEach(t, func(t *testing.T) { runtest.SameBits(t, what, run(), want) })
			}
		}
	}
}

// A step with a full matrix is the recursion by its definition.
func TestTokensFollowTheRecursion(t *testing.T) {
	r := rand.New(rand.NewPCG(18, 1))
	for _, shape := range tokenShapes {
		n, d := shape[0], shape[1]
		for _, softmax := range []bool{true, false} {
			const beta, scale = 1.3, 0.3
			x := NewTokens(n, d, scale, NewAttention(beta, n, softmax), false)
			startTokens(r, x)
			x.Masses[n-1][3] = 1
			start := slices.Clone(x.X)
			var matrix []Vector
			x.Step(func(v []Vector) {
				for k := range v {
					for lane := range v[k] {
						v[k][lane] = r.NormFloat64()
					}
				}
				matrix = slices.Clone(v)
			})
			for lane := range 8 {
				at := func(i, k int) float64 { return start[i*d+k][lane] }
				for i := range n {
					field, total := make([]float64, d), 0.0
					for j := range n {
						product := 0.0
						for k := range d {
							product += at(i, k) * at(j, k)
						}
						w := math.Exp(beta * product)
						total += w
						for k := range d {
							field[k] += w * at(j, k)
						}
					}
					if !softmax {
						total = float64(n)
					}
					want, square := make([]float64, d), 0.0
					for k := range d {
						u := 0.0
						for c := range d {
							u += matrix[k*d+c][lane] * field[c] / total
						}
						want[k] = at(i, k) + scale*u
						square += want[k] * want[k]
					}
					for k := range d {
						if got := x.X[i*d+k][lane]; !(math.Abs(got-want[k]/math.Sqrt(square)) <= 1e-13) {
							t.Fatalf("%v softmax %v token %d coordinate %d: %v, want %v",
								shape, softmax, i, k, got, want[k]/math.Sqrt(square))
						}
					}
				}
			}
		}
	}
}

// Norms stay 1, equal tokens equal, and two opposite ones opposite; a row of mass 0 changes
// nothing for N ≥ 3.
func TestTokensKeepTheirPromises(t *testing.T) {
	withEach(t, func(t *testing.T) {
		for _, shape := range tokenShapes {
			n, d := shape[0], shape[1]
			for _, reduced := range []bool{true, false} {
				r := rand.New(rand.NewPCG(19, 1))
				l := anywhere(r)
				x := NewTokens(n, d, 0.5, NewAttention(3, n, true), reduced)
				startTokens(r, x)
				x.Masses[n-1][3] = 1
				for range 200 {
					must.Do(t, x.Step(func(v []Vector) { l.Normals(v, 1, 0) }))
					l.Advance()
					for i := range n {
						for lane := range 8 {
							square := 0.0
							var low float64
							for k := range d { // with the rounding errors collected
								v := x.X[i*d+k][lane]
								p := v * v
								low += math.FMA(v, v, -p)
								s := square + p
								low += square - s + p
								square = s
							}
							if off := math.Abs(square-1+low) / 2; off > (4+math.Sqrt(float64(d)))*0x1p-53 {
								t.Fatalf("%v: norm off by %.2f·2^-53", shape, off*0x1p53)
							}
						}
						for k := range d {
							if x.X[i*d+k][0] != x.X[k][0] {
								t.Fatalf("%v: tokens 0 and %d part", shape, i)
							}
							if n == 2 && i == 1 && x.X[d+k][1] != -x.X[k][1] {
								t.Fatalf("%v: opposite tokens part", shape)
							}
						}
					}
				}
			}
		}
	})
}

// Rows of mass 0 after the others do not change a bit of the others.
func TestRowsOfMassZeroDoNotMatter(t *testing.T) {
	withEach(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(20, 1))
		a := NewAttention(2, 5, true)
		const n = 8
		for _, d := range []int{1, 4, 8, 9} {
			for rows := 1; rows < n; rows++ {
				x, masses := make([]Vector, n*d), make([]Vector, n)
				for k := range x {
					for lane := range 8 {
						x[k][lane] = r.NormFloat64() / 4
						if i := k / d; i < rows {
							masses[i][lane] = float64(i%3 + 1)
						}
					}
				}
				field, want, work := make([]Vector, n*d), make([]Vector, rows*d), make([]Vector, n*(d+1))
				a.Field(want, work, x[:rows*d], masses[:rows], d)
				a.Field(field, work, x, masses, d)
				runtest.SameBits(t, fmt.Sprintf("d=%d, %d rows: field", d, rows), field[:rows*d], want)
			}
		}
	})
}

// V on a basis has the law of a full V: the coefficients have the Gram matrix of the
// fields, and their distances, to rounding, also where fields nearly coincide, vanish, or
// outnumber the span.
func TestBasisKeepsTheGramMatrix(t *testing.T) {
	withEach(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(21, 1))
		for _, shape := range [][2]int{{2, 3}, {3, 7}, {5, 20}} {
			n, d := shape[0], shape[1]
			x := NewTokens(n, d, 1, NewAttention(1, n, true), true)
			for trial := range 100 {
				for i := range n {
					for k := range d {
						for lane := range 8 {
							v := r.NormFloat64()
							if i > 0 {
								switch lane {
								case 0, 1, 2, 3:
									v = x.field[k][lane] + v*math.Pow(10, -float64(4*lane+trial%4))
								case 4:
									v = -x.field[k][lane]
								case 5:
									v = 0
								case 6:
									v = x.field[k][lane] * float64(i+1) / 3
								}
							} else if trial%2 == 0 && lane == 7 {
								v *= 1e-17
							}
							x.field[i*d+k][lane] = v
						}
					}
				}
				field := slices.Clone(x.field)
				x.orthogonalize()
				for i := range n {
					for j := range i + 1 {
						for lane := range 8 {
							want, got := 0.0, 0.0
							for k := range d {
								want += field[i*d+k][lane] * field[j*d+k][lane]
							}
							for k := range n {
								got += x.coefficients[i*n+k][lane] * x.coefficients[j*n+k][lane]
							}
							if !(math.Abs(got-want) <= 1e-12*float64(d)) {
								t.Fatalf("%v lane %d: <A_%d, A_%d> is %v, want %v",
									shape, lane, i, j, got, want)
							}
							distance := func(x []Vector, size int) float64 {
								square := 0.0
								for k := range size {
									square += math.Pow(x[i*size+k][lane]-x[j*size+k][lane], 2)
								}
								return math.Sqrt(square)
							}
							got, want = distance(x.coefficients, n), distance(field, d)
							if !(math.Abs(got-want) <= 2e-15*float64(d)) {
								t.Fatalf("%v lane %d: |A_%d - A_%d| is %v, want %v",
									shape, lane, i, j, got, want)
							}
						}
					}
				}
			}
		}
	})
}

// A token that becomes zero or infinite is an error, not NaN; and one of extreme size is
// normalised all the same.
func TestExtremeTokens(t *testing.T) {
	withEach(t, func(t *testing.T) {
		for _, c := range []struct {
			entry float64
			fails bool
		}{{1e200, false}, {math.Inf(1), true}, {math.NaN(), true}, {-1, true}} {
			x := NewTokens(1, 2, 1, NewAttention(0, 1, true), false)
			for lane := range 8 {
				x.X[0][lane] = 1
			}
			err := x.Step(func(v []Vector) { v[0][5], v[3][5] = c.entry, c.entry })
			if (err != nil) != c.fails {
				t.Errorf("entry %v: error %v", c.entry, err)
			}
			if !c.fails && x.X[0][5] != 1 {
				t.Errorf("entry %v: %v", c.entry, x.X[0][5])
			}
		}
	})
}

func TestStepsDoNotAllocate(t *testing.T) {
	withEach(t, func(t *testing.T) {
		x := NewTokens(4, 5, 0.1, NewAttention(1, 4, true), true)
		startTokens(rand.New(rand.NewPCG(22, 1)), x)
		l, c := kernels.NewLanes(kernels.NewStream(1, 1), 1), kernels.NewChain(1, 5, 1, 0.1, true)
		draw := func(v []Vector) { l.Normals(v, 1, 0) }
		c.Step(l)
		if n := testing.AllocsPerRun(100, func() { x.Step(draw); c.Step(l); l.Advance() }); n > 0 {
			t.Errorf("%v allocations", n)
		}
	})
}

func BenchmarkTokens(b *testing.B) {
	for _, shape := range [][2]int{{2, 4}, {2, 10}, {2, 64}, {16, 8}, {50, 4}} {
		b.Run(fmt.Sprintf("N=%d,d=%d", shape[0], shape[1]), func(b *testing.B) {
			benchmarkEach(b, func(b *testing.B) {
				x := NewTokens(shape[0], shape[1], 0.1, NewAttention(1, shape[0], true), true)
				startTokens(rand.New(rand.NewPCG(23, 1)), x)
				x.Masses[shape[0]-1][3] = 1
				l := kernels.NewLanes(kernels.NewStream(1, 1), 1)
				draw := func(v []Vector) { l.Normals(v, 1, 0) }
				for range b.N {
					x.Step(draw)
					l.Advance()
				}
				runtest.PerLane(b, 8, "ns/layer")
			})
		})
	}
}

// Tokens whose matrices are drawn on a basis of their fields keep their number.
func TestResizeOnABasis(t *testing.T) {
	tokens := NewTokens(3, 7, 0.3, nil, false)
	tokens.rank = 3
	tokens.Resize(3)
	defer func() {
		if recover() == nil {
			t.Error("the number changes")
		}
	}()
	tokens.Resize(2)
}
