package sde

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"antipode/internal/longtest"
	"antipode/sphere/must"
)

// normError returns (|x|²-1)/2, which is |x|-1 to first order, in units of 2^-53,
// from products and sums without rounding.
func normError(x []float64) float64 {
	sum, rest := -1.0, 0.0
	for _, v := range x {
		p := v * v
		rest += math.FMA(v, v, -p)
		s := sum + p
		rest += (sum - (s - p)) + (p - (s - (s - p)))
		sum = s
	}
	return (sum + rest) / 2 * 0x1p53
}

// models returns one cell for each kind of model, attention, and law or scheme, with common noise.
func models(tokens, dim int) []Cell {
	cells := schemes(tokens, dim)
	for _, attention := range []Attention{Softmax, Unnormalized} {
		for law := range Law(len(LawNames)) {
			cells = append(cells, Cell{Model: Transformer{Law: law, Sigma: 1}, Attention: attention,
				Tokens: tokens,
				Dim:    dim, Beta: 1.3, Depth: 20, Start: UniformStart{}})
		}
		cells = append(cells,
			Cell{Model: Hybrid{Law: Rademacher, Epsilon: 1.1}, Attention: attention, Tokens: tokens, Dim: dim,
				Beta: 1.3, Depth: 20, Start: UniformStart{}},
			Cell{Model: Flow{}, Attention: attention, Tokens: tokens, Dim: dim, Beta: 1.3, Depth: 20,
				Start: UniformStart{}})
	}
	return cells
}

// schemes returns one cell for each limit, attention and scheme that is not also a recursion, with common
// noise.
func schemes(tokens, dim int) []Cell {
	var cells []Cell
	for _, attention := range []Attention{Softmax, Unnormalized} {
		for _, model := range []Model{TransformerSDE{Sigma: 1}, HybridSDE{Epsilon: 1.1}, Flow{}} {
			for _, scheme := range model.Schemes() {
				if !is[Flow](model) || scheme != Euler {
					cells = append(cells, Cell{Model: withScheme(model, scheme), Attention: attention,
						Tokens: tokens, Dim: dim, Beta: 1.3, Depth: 20, Start: UniformStart{}})
				}
			}
		}
	}
	return cells
}

func name(c Cell) string {
	p := parametersOf(c.Model)
	return fmt.Sprintf("%v %v %v %v N=%d d=%d start=%v",
		c.Model, p.scheme, c.Attention, p.law, c.Tokens, c.Dim, c.Start)
}

// follow advances a trajectory and calls see after each layer.
func follow(t *testing.T, c Cell, layers int64, see func(layer int64, x []float64)) {
	t.Helper()
	must.Do(t, c.Validate())
	x := make([]float64, c.Tokens*c.Dim)
	r := rand.New(rand.NewPCG(7, 7))
	must.Do(t, c.Start.Fill(x, c.Dim, 0, r.NormFloat64))
	stepper := NewStepper(c)
	increment := make([]float64, stepper.IncrementLen())
	stream := c.stream(1)
	for layer := range layers {
		c.Model.draw(increment, c.Depth, stream, 0, layer)
		if err := stepper.Step(x, increment); err != nil {
			t.Fatalf("%s: layer %d: %v", name(c), layer, err)
		}
		see(layer+1, x)
	}
}

func TestNormBoundOverManyLayers(t *testing.T) {
	if testing.Short() {
		t.Skip("large samples")
	}
	for _, d := range []int{2, 4, 30} {
		layers := longtest.Choose[int64](1000, 20_000)
		if d == 30 {
			layers /= 4
		}
		for _, c := range models(3, d) {
			worst := 0.0
			follow(t, c, layers, func(_ int64, x []float64) {
				for i := range c.Tokens {
					worst = max(worst, math.Abs(normError(x[i*d:(i+1)*d])))
				}
			})
			if bound := 4 + math.Sqrt(float64(d)); worst > bound {
				t.Errorf("%s: norm off by %.2f·2^-53, more than %.2f", name(c), worst, bound)
			}
		}
	}
}

func TestCoincidentAndOppositeTokensStaySo(t *testing.T) {
	for _, sign := range []float64{1, -1} {
		for _, d := range []int{2, 3, 7} {
			for _, c := range models(2, d) {
				c.Start = PairStart{sign}
				if d == 3 {
					c.Interaction = []float64{1, 2, 0.5, -1, 0.3, 0.2, 0, 1, -0.7}
				}
				follow(t, c, 1_000, func(layer int64, x []float64) {
					for k := range d {
						if x[d+k] != sign*x[k] {
							t.Fatalf("%s: layer %d: tokens %v", name(c), layer, x)
						}
					}
				})
			}
		}
	}
}

func TestCoincidentTokensAmongOthersStaySo(t *testing.T) {
	for _, c := range models(5, 4) {
		c.Start = pairAmongOthers{}
		follow(t, c, 2_000, func(layer int64, x []float64) {
			if !slices.Equal(x[4:8], x[16:20]) {
				t.Fatalf("%s: layer %d: tokens 1 and 4 part", name(c), layer)
			}
		})
	}
}

// pairAmongOthers has tokens 1 and 4 equal and the others uniform.
type pairAmongOthers struct{ UniformStart }

func (s pairAmongOthers) Fill(x []float64, d int, trajectory int64, normal func() float64) error {
	err := s.UniformStart.Fill(x, d, trajectory, normal)
	copy(x[4*d:], x[d:2*d])
	return err
}

// The recursions by their definition, with matrices of gonum.
func TestStepEqualsDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 1))
	for range 20 {
		for _, c := range models(1+r.IntN(5), 1+r.IntN(5)) {
			if r.IntN(2) == 0 {
				c.Interaction = gaussianMatrix(r, c.Dim)
			}
			x := uniformTokens(r, c.Tokens, c.Dim)
			if c.Model.recursion() == nil {
				continue // see TestSchemesEqualTheirDefinition
			}
			stepper := NewStepper(c)
			increment := make([]float64, stepper.IncrementLen())
			for k := range increment {
				increment[k] = r.NormFloat64()
			}
			if stepper.IncrementLen() != c.IncrementLen() {
				t.Fatal("two lengths of an increment")
			}
			field := fieldByMatrices(c, x)
			var update mat.Dense
			depth := float64(c.Depth)
			switch m := c.Model.(type) {
			case Transformer:
				update.Mul(field, mat.NewDense(c.Dim, c.Dim, increment).T())
				update.Scale(1/math.Sqrt(depth), &update)
			case Hybrid:
				update.Scale(1/depth+m.Epsilon*increment[0]/math.Sqrt(depth), field)
			case Flow:
				update.Scale(1/depth, field)
			}
			update.Add(&update, mat.NewDense(c.Tokens, c.Dim, slices.Clone(x)))
			for i := range c.Tokens {
				row := update.RawRowView(i)
				floats.Scale(1/floats.Norm(row, 2), row)
			}
			must.Do(t, stepper.Step(x, increment))
			if !floats.EqualApprox(x, update.RawMatrix().Data, 1e-13) {
				t.Fatalf("%s: %v, want %v", name(c), x, update.RawMatrix().Data)
			}
		}
	}
}

func TestStepRefusesATokenWithoutDirection(t *testing.T) {
	c := Cell{Model: Transformer{Sigma: 1}, Tokens: 1, Dim: 1, Depth: 1, Start: UniformStart{}}
	for _, v := range []float64{-1, math.NaN(), math.Inf(1)} {
		x := []float64{1}
		if err := NewStepper(c).Step(x, []float64{v}); err == nil {
			t.Errorf("value %v: token %v accepted", v, x)
		}
	}
}

func TestStepDoesNotAllocate(t *testing.T) {
	for _, c := range models(4, 5) {
		x := uniformTokens(rand.New(rand.NewPCG(2, 2)), 4, 5)
		stepper, stream := NewStepper(c), c.stream(1)
		increment := make([]float64, stepper.IncrementLen())
		layer := int64(0)
		if n := testing.AllocsPerRun(100, func() {
			c.Model.draw(increment, c.Depth, stream, 0, layer)
			must.Do(t, stepper.Step(x, increment))
			layer++
		}); n != 0 {
			t.Errorf("%s: %v allocations in a step", name(c), n)
		}
	}
}

func BenchmarkStep(b *testing.B) {
	for _, size := range [][2]int{{2, 4}, {2, 10}, {16, 8}, {50, 4}} {
		c := Cell{Model: Transformer{Sigma: 1}, Tokens: size[0], Dim: size[1], Beta: 1.5, Depth: 100,
			Start: UniformStart{}}
		b.Run(fmt.Sprintf("N=%d,d=%d", c.Tokens, c.Dim), func(b *testing.B) {
			x := uniformTokens(rand.New(rand.NewPCG(2, 3)), c.Tokens, c.Dim)
			stepper, stream := NewStepper(c), c.stream(1)
			increment := make([]float64, stepper.IncrementLen())
			b.ReportAllocs()
			for layer := range b.N {
				c.Model.draw(increment, c.Depth, stream, 0, int64(layer))
				must.Do(b, stepper.Step(x, increment))
			}
		})
	}
}
