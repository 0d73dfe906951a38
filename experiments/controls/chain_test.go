package controls

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"antipode/internal/longtest"
	"antipode/sde"
	"antipode/sphere/must"
)

// The tests of this file compare the overlap chain with simulated tokens, by the distribution of atanh Z
// after some layers, and with a plain implementation of the chain into which defects can be put.

// overlapOf returns atanh Z of the first and the last token in v. It is clipped to ±25, where the tokens are
// 10^-11 apart: beyond that the rounding of tokens gives another law than the rounding of the chain, and
// samples of 10^6 reveal it.
func overlapOf(v *sde.View) float64 {
	const largest = 25
	above, below := v.Logarithms(0, v.Count()-1)
	return max(-largest, min(largest, (above-below)/2))
}

// overlapSample returns, for each of the times in layers, atanh Z of each trajectory of a cell.
func overlapSample(t *testing.T, c sde.Cell, trajectories int64, times []int64, seed uint64) [][]float64 {
	t.Helper()
	sample := make([][]float64, len(times))
	ensemble := &sde.Ensemble[[]float64]{
		Cells: []sde.Cell{c}, Trajectories: trajectories, Layers: times[len(times)-1], Times: times,
		Seed: seed,
		Observer: func(int) func(*[]float64, *sde.View) {
			return func(row *[]float64, v *sde.View) { *row = append(*row, overlapOf(v)) }
		},
		Reduce: func(_ int, _ int64, row []float64) error {
			for k, u := range row {
				sample[k] = append(sample[k], u)
			}
			return nil
		},
	}
	must.Do(t, ensemble.Run(t.Context()))
	return sample
}

// plainChain computes a layer of the overlap chain of two tokens as in its derivation: by plain vectors and
// differences in an orthonormal basis of R^d that begins with the directions of S and D. A field that is not
// 0 is a defect.
type plainChain struct {
	extra   int     // number of superfluous degrees of freedom
	without float64 // replaces the factor of the noise along D if it is not 0
}

func (p plainChain) step(c sde.Cell, z float64, r *rand.Rand) float64 {
	weight := math.Exp(-c.Beta * (1 - z))
	sum, difference := 1.0, (1-weight)/(1+weight)
	if c.Attention == sde.Unnormalized {
		half := math.Exp(c.Beta) / 2
		sum, difference = half*(1+weight), half*(1-weight)
	}
	if p.without != 0 {
		difference = p.without
	}
	scale := c.Model.(sde.Transformer).Sigma / math.Sqrt(float64(c.Depth))
	x, y := math.Sqrt(2*(1+z)), math.Sqrt(2*(1-z))
	var uu, vv, uv float64
	for k := range c.Dim + p.extra {
		s, d := x*scale*sum*r.NormFloat64(), y*scale*difference*r.NormFloat64()
		switch k {
		case 0:
			s += x
		case 1:
			d += y
		}
		uu, vv, uv = uu+(s+d)*(s+d), vv+(s-d)*(s-d), uv+(s+d)*(s-d)
	}
	return uv / math.Sqrt(uu*vv)
}

// sample returns, for each of the times in layers, atanh Z of each trajectory from Z = from.
func (p plainChain) sample(
	c sde.Cell, from float64, trajectories int64, times []int64, seed uint64,
) [][]float64 {
	r := rand.New(rand.NewPCG(seed, 3))
	sample := make([][]float64, len(times))
	for range trajectories {
		z, layer := from, int64(0)
		for k, time := range times {
			for ; layer < time; layer++ {
				z = p.step(c, z, r)
			}
			sample[k] = append(sample[k], math.Atanh(z))
		}
	}
	return sample
}

// chainCell returns a cell of two tokens that start at Z = 0.2, where both coefficients of the noise matter.
func chainCell(d int, beta float64, attention sde.Attention, depth int) sde.Cell {
	c := transformer(2, d, beta, attention, depth)
	c.Start = sde.PairStart{Overlap: 0.2}
	return c
}

func asChain(c sde.Cell) sde.Cell {
	c.Method = sde.Chain
	return c
}

// compareChain compares the law of the overlap by the chain with that of simulated tokens of a cell, after
// each of some numbers of layers.
func compareChain(t *testing.T, c sde.Cell, trajectories int64, times []int64) {
	t.Helper()
	tokens := overlapSample(t, c, trajectories, times, 41)
	chain := overlapSample(t, asChain(c), trajectories, times, 41)
	for k, layers := range times {
		mustPass(t, fmt.Sprintf("chain, d=%d, %v, %v, %d layers", c.Dim, c.Model, c.Start, layers),
			kolmogorovSmirnov(tokens[k], chain[k]))
	}
}

// chainCells returns cells of two tokens and of two clusters in several dimensions, with both kinds of
// attention, and one of the hybrid.
func chainCells() []sde.Cell {
	masses := chainCell(4, 0.7, sde.Softmax, 30)
	masses.Tokens, masses.Start = 3, sde.OppositeStart{First: 1, Second: 2}
	clusters := chainCell(3, 0.5, sde.Unnormalized, 40)
	clusters.Tokens, clusters.Start = 5, sde.OppositeStart{First: 4, Second: 1}
	flat := masses
	flat.Dim = 2
	hybrid := chainCell(4, 0.8, sde.Softmax, 30)
	hybrid.Model = sde.Hybrid{Law: sde.Gaussian, Epsilon: 1.2}
	uniform := chainCell(3, 0.8, sde.Unnormalized, 40)
	uniform.Start = sde.UniformStart{}
	return []sde.Cell{
		chainCell(4, 1.5, sde.Softmax, 20),
		chainCell(2, 1, sde.Softmax, 10),
		chainCell(6, 1.2, sde.Softmax, 1),
		uniform, masses, clusters, flat, hybrid,
	}
}

// The overlap chain has the law of the overlap of simulated tokens: 17 comparisons, each with one false alarm
// in 10^6 seeds.
func TestChainHasTheLawOfTheTokens(t *testing.T) {
	longtest.Only(t)
	notShort(t)
	for _, c := range chainCells() {
		compareChain(t, c, 30_000, []int64{1, 10})
	}
	compareChain(t, chainCells()[0], 20_000, []int64{200})
}

// With a third of the trajectories the comparison notices a χ² number with one degree of freedom too many,
// and noise along D with the coefficient of the noise along S. After ten layers in dimension 4 the
// Kolmogorov-Smirnov distances are about 0.05 and 0.1; from 0.038 on there is an alarm.
func TestDefectsOfTheChainAreNoticed(t *testing.T) {
	notShort(t)
	const trajectories = 10_000
	c := chainCells()[0]
	times := []int64{10}
	chain := overlapSample(t, asChain(c), trajectories, times, 42)[0]
	plain := func(p plainChain) float64 {
		return kolmogorovSmirnov(chain, p.sample(c, 0.2, trajectories, times, 43)[0])
	}
	mustPass(t, "chain against plain chain", plain(plainChain{}))
	mustDetect(t, "one degree of freedom too many", "chain against plain chain", plain(plainChain{extra: 1}))
	mustDetect(t, "no factor p-q in the noise of D", "chain against plain chain",
		plain(plainChain{without: 1}))
}
