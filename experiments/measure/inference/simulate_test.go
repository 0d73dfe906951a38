package inference

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
)

// chain describes a simulated chain with known parameters and random layers.
type chain struct {
	tokens, dim, depth, sequences int
	sigma2, beta, c               float64                 // of one layer
	correlation                   func(z float64) float64 // φ̂; nil without an MLP
	// layer, if not nil, draws the value matrix instead of independent Gaussian entries.
	layer  func(random *rand.Rand, layer int) *mat.Dense
	single bool // states are rounded to single precision
}

// data returns the transitions of the chain, which starts from uniform tokens in each sequence.
func (c chain) data(random *rand.Rand) *Data {
	d := &Data{Dim: c.dim}
	for sequence := range c.sequences {
		x := mat.NewDense(c.tokens, c.dim, nil)
		x.Apply(func(int, int, float64) float64 { return random.NormFloat64() }, x)
		normalise(x)
		for layer := range c.depth {
			y := c.step(x, random, layer)
			d.Add(sequence, layer, c.known(x), c.known(y))
			x = y
		}
	}
	return d
}

// known returns the tokens as the inference sees them.
func (c chain) known(x *mat.Dense) *mat.Dense {
	if !c.single {
		return x
	}
	known := mat.DenseCopyOf(x)
	known.Apply(func(_, _ int, v float64) float64 { return float64(float32(v)) }, known)
	return known
}

func normalise(x *mat.Dense) {
	tokens, dim := x.Dims()
	for i := range tokens {
		norm := mat.Norm(x.RowView(i), 2)
		for j := range dim {
			x.Set(i, j, x.At(i, j)/norm)
		}
	}
}

// step passes the tokens through one layer: each token moves by V A_i and by the output of a wide MLP.
func (c chain) step(x *mat.Dense, random *rand.Rand, layer int) *mat.Dense {
	gram := mat.NewSymDense(c.tokens, nil)
	gram.SymOuterK(1, x)
	weights := mat.NewDense(c.tokens, c.tokens, nil)
	for i := range c.tokens {
		softmax(weights.RawRowView(i), gram, i, c.beta)
	}
	v := mat.NewDense(c.dim, c.dim, nil)
	if c.layer != nil {
		v = c.layer(random, layer)
	} else {
		v.Apply(func(int, int, float64) float64 { return math.Sqrt(c.sigma2) * random.NormFloat64() }, v)
	}
	var attended, y mat.Dense
	attended.Mul(weights, x)
	y.Mul(&attended, v)
	y.Add(&y, x)
	if c.correlation != nil {
		covariance := mat.NewSymDense(c.tokens, nil)
		for i := range c.tokens {
			for j := i; j < c.tokens; j++ {
				z := 1.
				if i != j {
					z = c.correlation(max(-1, min(1, gram.At(i, j))))
				}
				covariance.SetSym(i, j, c.c*z)
			}
			covariance.SetSym(i, i, c.c*(1+1e-9))
		}
		var factor mat.Cholesky
		if !factor.Factorize(covariance) {
			panic("no covariance")
		}
		var lower mat.TriDense
		factor.LTo(&lower)
		g := mat.NewDense(c.tokens, c.dim, nil)
		g.Apply(func(int, int, float64) float64 { return random.NormFloat64() }, g)
		var f mat.Dense
		f.Mul(&lower, g)
		y.Add(&y, &f)
	}
	normalise(&y)
	return &y
}
