package sde

import (
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"
)

// exactRetract is Z after a layer from the vectors S' and D' in 400 bits: 1+Z and 1-Z.
func exactRetract(s, d []float64) (above, below float64) {
	number := func(x float64) *big.Float { return new(big.Float).SetPrec(400).SetFloat64(x) }
	var uu, vv, uv = number(0), number(0), number(0)
	for k := range s {
		u := number(0).Add(number(s[k]), number(d[k]))
		v := number(0).Sub(number(s[k]), number(d[k]))
		uu.Add(uu, number(0).Mul(u, u))
		vv.Add(vv, number(0).Mul(v, v))
		uv.Add(uv, number(0).Mul(u, v))
	}
	norms := number(0).Sqrt(number(0).Mul(uu, vv))
	z := number(0).Quo(uv, norms)
	above, _ = number(0).Add(number(1), z).Float64()
	below, _ = number(0).Sub(number(1), z).Float64()
	return above, below
}

// Both squares of the next layer have relative errors of a few roundings, however small
// they are, of equal and of unequal masses: at angles of D' and S' above 0.1, at most 12
// units of 2^-53 were seen, and the loss grows like the inverse sine of the angle.
func TestChainKeepsRelativePrecision(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	c := pairCell()
	c.Depth = 10
	equal := newMassesLayer(c)
	c.Tokens, c.Start = 3, OppositeStart{1, 2}
	unequal := newMassesLayer(c)
	noise := c.Sigma / math.Sqrt(float64(c.Depth))
	worst := 0.0
	for k := range 20_000 {
		small := math.Exp(-60 * r.Float64())
		above, below := small, 4-small
		if k%2 == 0 {
			above, below = below, above
		}
		f := frame{r.NormFloat64(), r.NormFloat64(), r.NormFloat64(), r.NormFloat64(), r.NormFloat64(), r.ExpFloat64(), r.ExpFloat64()}
		gs := []float64{f.g1, f.g2, math.Sqrt(f.rest), 0}
		gd := []float64{f.h1, f.h2, f.h3, math.Sqrt(f.more)}
		layer := equal
		if k%4 < 2 {
			layer = unequal
		}
		a, b, c, e := layer.weights(below)
		a, b, c, e = a*noise, b*noise, c*noise, e*noise
		gotAbove, gotBelow := layer.advance(above, below, noise, &f)
		x, y := math.Sqrt(above), math.Sqrt(below)
		s, d := make([]float64, 4), make([]float64, 4)
		for i := range s {
			s[i], d[i] = a*x*gs[i]+b*y*gd[i], c*x*gs[i]+e*y*gd[i]
		}
		s[0] += x
		d[1] += y
		wantAbove, wantBelow := exactRetract(s, d)
		var ss, dd, sd float64
		for i := range s {
			ss, dd, sd = ss+s[i]*s[i], dd+d[i]*d[i], sd+s[i]*d[i]
		}
		sine := math.Sqrt(1 - sd*sd/(ss*dd))
		for _, pair := range [][2]float64{{gotAbove / 2, wantAbove}, {gotBelow / 2, wantBelow}} {
			loss := math.Abs(pair[0]/pair[1]-1) * 0x1p53 * sine
			worst = max(worst, loss)
			if loss > 40 {
				t.Fatalf("%v, exactly %v: %.0f roundings, sine %.3g, from %v, %v", pair[0], pair[1], loss, sine, above, below)
			}
		}
	}
	t.Logf("largest loss %.1f roundings over the sine of the angle", worst)
}

// Below the range of float64 a pair goes on as above it: the logarithm falls by the same
// steps, and comes back.
func TestChainBeyondUnderflow(t *testing.T) {
	for _, start := range []float64{1e-150, 1e-30} {
		lanes := newChainLanes(chains()[2], 3, 2) // unequal masses near +1
		near, far := &lanes.pairs[0], &lanes.pairs[1]
		*near, *far = pair{4, start, 0}, pair{4, start, 3}
		_, offset := near.logarithms()
		_, other := far.logarithms()
		offset -= other
		for layer := range int64(300) {
			lanes.advance([]lane{{layer: layer}, {layer: layer}}, 1)
			_, one := near.logarithms()
			_, two := far.logarithms()
			if math.Abs(one-two-offset) > 1e-9 {
				t.Fatalf("layer %d: %v and %v, at first %v apart", layer, one, two, offset)
			}
		}
	}
	p := pair{above: 0x1p-600, below: 4, scale: 1}
	before, _ := p.logarithms()
	p.above *= 0x1p550
	p.rescale()
	if after, _ := p.logarithms(); math.Abs(after-before-550*math.Ln2) > 1e-9 || p.scale != 0 {
		t.Errorf("%v after %v: %+v", after, before, p)
	}
}

func TestExactEndsStay(t *testing.T) {
	for _, overlap := range []float64{-1, 1} {
		for _, c := range chains() {
			if c.Tokens != 2 {
				continue
			}
			c.Start = PairStart{overlap}
			lanes := newLanes(c, 1, 1, false)
			if err := lanes.start(0, 0); err != nil {
				t.Fatal(err)
			}
			lanes.advance(make([]lane, 1), 50)
			x := lanes.see(0)
			if k := (1 + int(overlap)) / 2; !math.IsInf(x[k], -1) || math.Abs(x[1-k]-math.Ln2) > 1e-15 {
				t.Errorf("%s: %v", name(c), x)
			}
		}
	}
}

func TestChainIsRefusedWhereThereIsNone(t *testing.T) {
	for want, change := range map[string]func(c *Cell){
		"gaussian law, not uniform":     func(c *Cell) { c.Law = Uniform },
		"identity as interaction":       func(c *Cell) { c.Interaction = make([]float64, 16) },
		"dimension at least 2":          func(c *Cell) { c.Dim = 1 },
		"2 tokens or opposite clusters": func(c *Cell) { c.Tokens = 3 },
		"not for model transformer-sde": func(c *Cell) { c.Model = TransformerSDE },
		"method Method(2)":              func(c *Cell) { c.Method = 2 },
	} {
		c := pairCell()
		c.Method = Chain
		if err := c.Validate(); err != nil {
			t.Fatal(err)
		}
		change(&c)
		if err := c.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	tokens, chain := pairCell(), pairCell()
	chain.Method = Chain
	if tokens.ID() == chain.ID() {
		t.Error("both methods have the same random numbers")
	}
}

func TestLanesDoNotAllocate(t *testing.T) {
	for _, c := range append(models(3, 4), chains()...) {
		lanes, all := newLanes(c, 1, 4, false), make([]lane, 4)
		for k := range all {
			if err := lanes.start(k, int64(k)); err != nil {
				t.Fatal(err)
			}
		}
		if n := testing.AllocsPerRun(10, func() { lanes.advance(all, 2); lanes.see(1) }); n > 0 {
			t.Errorf("%s, %v: %v allocations", name(c), c.Method, n)
		}
	}
}
