package sde

import (
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"

	"antipode/internal/domaintest"
	"antipode/sphere/activation"
	"antipode/sphere/must"
)

func TestMemoryIsRefusedBeforeItIsTaken(t *testing.T) {
	for _, change := range []func(c *Cell){
		func(c *Cell) { c.Dim = 1_000_000 },
		func(c *Cell) { c.Tokens, c.Dim, c.Model = 1_000_000, 8, TransformerSDE{Sigma: 1, Scheme: Heun} },
		func(c *Cell) { c.Tokens, c.Dim = largestCount, largestCount },
	} {
		c := pairCell()
		change(&c)
		e := recording([]Cell{pairCell(), c}, 1, 1, new([]record))
		if err := e.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "GiB of memory") {
			t.Errorf("N=%d, d=%d: error %v", c.Tokens, c.Dim, err)
		}
	}
	if bytes := recording([]Cell{pairCell()}, 1, 1, new([]record)).Memory(); bytes > 1e6 {
		t.Errorf("two tokens of dimension 4 need %g bytes", bytes)
	}
}

// The error of a run that needs too much memory gives the memory in GiB.
func TestCheckMemory(t *testing.T) {
	for bytes, want := range map[float64]string{
		0: "<nil>", 17179869184: "<nil>",
		17179869184 + 1: "the run would need 16 GiB of memory; must be at most 16 GiB",
		51539607552:     "the run would need 48 GiB of memory; must be at most 16 GiB",
		2e13:            "the run would need 1.86e+04 GiB of memory; must be at most 16 GiB",
	} {
		if err := CheckMemory(bytes); fmt.Sprint(err) != want {
			t.Errorf("%v bytes: %v, want %s", bytes, err, want)
		}
	}
}

// A prediction is a positive time. The long tests check whether it is right.
func TestSecondsArePositive(t *testing.T) {
	var rows []record
	seconds := recording([]Cell{pairCell()}, 64, 50_000, &rows).Seconds()
	if !(seconds > 0 && seconds < 1e6) {
		t.Errorf("predicted %v s", seconds)
	}
}

// The bytes that a worker needs are counted by hand: for tokens in vectors four times the tokens, a matrix
// and its product with a basis, and for each token a mass, a norm and its coefficients; for tokens one at a
// time the tokens for each trajectory and 13 times more, for each head its matrix and its random scores
// twice, the matrices of the MLP, and for each token its hidden units, three tokens and the products with
// keys.
func TestMemoryIsCounted(t *testing.T) {
	mlp := MLP{Activation: activation.Tanh, Strength: 1, Variance: 1, Width: 6}
	weigh := func(scores []float64) {}
	kernel := func(weights []float64, i int) {}
	for what, c := range map[string]struct {
		change       func(c *Cell)
		trajectories float64
		want         float64
	}{
		"chain":              {func(c *Cell) { c.Method = Chain }, 3, 16*4 + 200*3},
		"vectors":            {func(c *Cell) {}, 1, 8 * 8 * (32 + 16 + 12)},
		"one full vector":    {func(c *Cell) {}, 8, 8 * 8 * (32 + 16 + 12)},
		"two vectors":        {func(c *Cell) {}, 9, 8 * 16 * (32 + 16 + 12)},
		"more tokens":        {func(c *Cell) { c.Tokens = 3 }, 1, 8 * 8 * (48 + 32 + 24)},
		"more tokens than d": {func(c *Cell) { c.Tokens = 5 }, 1, 8 * 8 * (80 + 32 + 40)},
		"hybrid":             {func(c *Cell) { c.Model = Hybrid{} }, 1, 8 * 8 * (32 + 32 + 16)},
		"weights of pairs": {func(c *Cell) {
			c.PairKernel.Weigh = weigh
		}, 1, 8 * 8 * (32 + 16 + 12 + 3)},
		"weights of a row": {func(c *Cell) { c.Kernel = kernel }, 1, 8 * 8 * (32 + 16 + 12 + 2048 + 8)},
		"keys": {func(c *Cell) {
			c.Resampling = Resampling{1, 5}
		}, 1, 8 * (4 + 112 + 16 + 80 + 24 + 20)},
		"three trajectories": {func(c *Cell) {
			c.Resampling = Resampling{1, 5}
		}, 3, 8 * (4 + 128 + 16 + 80 + 24 + 20)},
		"heads and random score": {func(c *Cell) {
			c.Resampling.Spread, c.Heads = 1, 2
		}, 1, 8 * (4 + 112 + 96 + 24 + 16)},
		"heads and an MLP": {func(c *Cell) {
			c.Heads, c.MLP = 2, mlp
		}, 1, 8 * (4 + 112 + 32 + 48 + 36 + 16)},
		"an equation": {func(c *Cell) {
			c.Model = TransformerSDE{Sigma: 1}
		}, 1, 8 * (4 + 112 + 16 + 24 + 16)},
	} {
		cell := pairCell()
		c.change(&cell)
		if got := cell.bytes(c.trajectories, 1); got != c.want {
			t.Errorf("%s: %v bytes, want %v", what, got, c.want)
		}
	}
}

// Only Heun's scheme of an equation needs the derivative of attention, for which the memory of products is
// added: three squares of the number of tokens, and three times the tokens.
func TestMemoryOfADerivative(t *testing.T) {
	for _, schemes := range []func(s Scheme) Model{
		func(s Scheme) Model { return TransformerSDE{Sigma: 1, Scheme: s} },
		func(s Scheme) Model { return HybridSDE{Epsilon: 1, Scheme: s} },
	} {
		bytes := func(s Scheme) float64 {
			c := pairCell()
			c.Model, c.Tokens, c.Dim = schemes(s), 50, 9
			return c.Memory()
		}
		if got := bytes(Heun) - bytes(Euler); got != 8*(3*2500+3*450) {
			t.Errorf("%v: %v bytes for a derivative", schemes(Heun), got)
		}
		if got := bytes(Geodesic) - bytes(Euler); got != 0 {
			t.Errorf("%v: %v bytes more", schemes(Geodesic), got)
		}
	}
}

// Multiplications are counted by hand: 100 for a layer, 28 = 20+2d for each of the pairs, 10 for each
// coordinate, 30 for each random number, and d² for the product of a matrix with each token.
func TestOperationsAreCounted(t *testing.T) {
	const pair = 100 + 4*28 + 10*8 + 30*16 + 2*16
	mlp := MLP{Activation: activation.Tanh, Strength: 1, Variance: 1, Width: 6}
	for what, c := range map[string]struct {
		change func(c *Cell)
		want   float64
	}{
		"pair":            {func(c *Cell) {}, pair},
		"chain":           {func(c *Cell) { c.Method = Chain }, 100 + 8*30 + 20},
		"three tokens":    {func(c *Cell) { c.Tokens = 3 }, 100 + 9*28 + 10*12 + 30*16 + 3*16},
		"hybrid":          {func(c *Cell) { c.Model = Hybrid{} }, 100 + 4*28 + 10*8 + 30},
		"flow":            {func(c *Cell) { c.Model = Flow{} }, 100 + 4*28 + 10*8},
		"interaction":     {func(c *Cell) { c.Interaction = make([]float64, 16) }, pair + 2*16},
		"random scores":   {func(c *Cell) { c.Resampling.Spread = 1 }, pair + 32*16 + 4*4},
		"random keys":     {func(c *Cell) { c.Resampling = Resampling{1, 5} }, pair + 32*40 + 4*5},
		"MLP":             {func(c *Cell) { c.MLP = mlp }, pair + 32*48 + 20*2*6},
		"heads":           {func(c *Cell) { c.Heads = 3 }, pair + 2*32*16},
		"tangent vectors": {func(c *Cell) { c.Tangent = true }, pair + 2*2*(6*8+16)},
		"harmonics, by Heun": {func(c *Cell) {
			c.Model = TransformerSDE{Sigma: 1, Scheme: Heun}
			c.AttentionSum = HarmonicsSum
		}, pair},
	} {
		cell := pairCell()
		c.change(&cell)
		if got := cell.operations(); got != c.want {
			t.Errorf("%s: %v multiplications, want %v", what, got, c.want)
		}
	}
}

// The operations of a run are those of a layer of each cell, for every trajectory and layer, shared by as
// many workers as there are processors.
func TestOperationsOfARun(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	const pair, chain = 100 + 4*28 + 10*8 + 30*16 + 2*16, 100 + 8*30 + 20
	second := pairCell()
	second.Method = Chain
	e := recording([]Cell{pairCell(), second}, 640, 50, new([]record))
	for workers, processors := range map[int]float64{1: 1, 3: 3, 9: 4} {
		e.Workers = workers
		if got, want := e.operations(), (pair+chain)*640*50/processors; !(math.Abs(got/want-1) <= 1e-12) {
			t.Errorf("%d workers: %v multiplications, want %v", workers, got, want)
		}
	}
}

// A brief cell is valid, has the method of the cell, and a layer takes at most 10^6 multiplications, or 10^7
// for tokens that are advanced by matrices, but not many fewer. A cell whose layer takes at most as many
// keeps its sizes.
func TestBriefCells(t *testing.T) {
	mlp := MLP{Activation: activation.Tanh, Strength: 1, Variance: 1, Width: 5000}
	for what, c := range map[string]struct {
		change func(c *Cell)
		most   float64
	}{
		"pair":  {func(c *Cell) {}, 1e6},
		"chain": {func(c *Cell) { c.Method = Chain }, 1e6},
		"MLP":   {func(c *Cell) { c.MLP, c.Tokens, c.Dim = mlp, 60, 300 }, 1e6},
		"heads": {func(c *Cell) { c.Heads, c.Tokens, c.Dim = 60, 50, 70 }, 1e6},
		"keys":  {func(c *Cell) { c.Resampling, c.Tokens, c.Dim = Resampling{1, 600}, 50, 600 }, 1e6},
		"tangent": {func(c *Cell) {
			c.Tangent, c.Tokens, c.Dim, c.Start = true, 40, 30, OppositeStart{20, 20}
		}, 1e6},
		"matrices": {func(c *Cell) { c.Tokens, c.Dim = 2000, 300 }, 1e7},
		"equation": {func(c *Cell) { c.Model, c.Tokens, c.Dim = TransformerSDE{Sigma: 1}, 900, 300 }, 1e6},
	} {
		cell := pairCell()
		c.change(&cell)
		must.Do(t, cell.Validate())
		brief := cell.brief()
		if err := brief.Validate(); err != nil || brief.Method != cell.Method || brief.Tangent {
			t.Errorf("%s: %+v, %v", what, brief, err)
		}
		got := brief.operations()
		small, same := cell.operations() <= c.most, brief.Tokens == cell.Tokens && brief.Dim == cell.Dim
		if small != same || !(got <= c.most) || !small && !(got >= c.most/100) {
			t.Errorf("%s: %v multiplications of %v, for %d tokens of dimension %d", what, got,
				cell.operations(), brief.Tokens, brief.Dim)
		}
	}
}

// A run may need exactly LargestMemory, and no more: here 16 bytes for each dimension of a chain, and 200 for
// its only trajectory. A splitting has room for 16 trajectories more than twice as many.
func TestMemoryUpToTheLimit(t *testing.T) {
	chain := pairCell()
	chain.Method = Chain
	domaintest.Check(t, "dimension", func(dim int) error {
		c := chain
		c.Dim = dim
		e := recording([]Cell{c, c}, 2, 1, new([]record))
		e.Workers = 1
		return e.validate()
	}, []int{1<<30 - 25}, []int{1<<30 - 24}) // 2 lanes of a worker
	domaintest.Check(t, "dimension of a splitting", func(dim int) error {
		c := chain
		c.Dim = dim
		s := splitOpposite(c, 10, 0)
		s.Trajectories, s.Workers = 40, 1
		return s.Validate()
	}, []int{1<<30 - 1200}, []int{1<<30 - 1199})
}

// A matrix is drawn on a basis of the fields if its entries are independent and normal, for two tokens, and
// for at most half as many tokens as dimensions.
func TestRankOfMatrices(t *testing.T) {
	plain := Transformer{Sigma: 1}
	for _, c := range []struct {
		m                 Transformer
		tokens, dim, want int
	}{
		{plain, 2, 1, 1}, {plain, 1, 1, 1}, {plain, 2, 3, 2}, {plain, 3, 5, 5}, {plain, 3, 6, 3},
		{plain, 4, 9, 4}, {plain, 5, 9, 9}, {plain, 5, 10, 5}, {plain, 9, 4, 4},
		{Transformer{Sigma: 1, Law: Uniform}, 2, 8, 8}, {Transformer{Sigma: 1, Law: Rademacher}, 3, 8, 8},
		{Transformer{Sigma: 1, Covariance: Covariance{A: 1, C: 1}}, 2, 8, 8},
		{Transformer{Sigma: 1, Covariance: Covariance{A: 1}}, 2, 8, 2},
	} {
		if got := c.m.rank(c.tokens, c.dim); got != c.want {
			t.Errorf("%+v: rank %d", c, got)
		}
	}
}
