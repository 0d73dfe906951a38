package sde

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"antipode/sde/internal/increments"
	"antipode/sphere"
	"antipode/sphere/must"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

var covariances = []Covariance{{}, {A: 1}, {A: 2}, {A: 0.8, B: 0.6, C: 0.3}, {A: 1, B: -0.5, C: 0.2},
	{A: 0.5, B: 0.5}, {A: 0.5, B: -0.5}, {C: 1.3}, {A: 0.6, B: 0.2, C: -0.16}, {A: 1, B: -1, C: 0.4}}

// mixing is a recursion whose increment consists of independent entries, like that of its limit.
type mixing struct {
	Stepper
	covariance Covariance
}

func (s mixing) Step(x, increment []float64) error {
	matrix := slices.Clone(increment)
	increments.Mix(s.covariance, matrix)
	return s.Stepper.Step(x, matrix)
}

// A step of recursion (4) and a step of every scheme of its limit have the same mean and covariance. So the
// drift that a covariance of the entries adds to (6), in the sense of Itô or of Stratonovich, is the effect
// of the normalisation in the recursion. The drift of
// attention is the same for both.
func TestSchemesHaveTheMomentsOfTheRecursion(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 1))
	for k, v := range covariances {
		for _, attention := range []Attention{Softmax, Unnormalized} {
			c := Cell{Attention: attention, Tokens: 3, Dim: 4, Beta: 1.3, Depth: generatorDepth,
				Start: UniformStart{}, Drift: 0.7 * float64(k%3)}
			c.Interaction = gaussianMatrix(r, c.Dim)
			sphere.Normalize(c.Interaction, c.Interaction)
			c.Model = Transformer{Sigma: 0.8, Covariance: v}
			x := uniformTokens(r, c.Tokens, c.Dim)
			mean, covariance := moments(t, c, mixing{NewStepper(c), v}, x)
			for _, scheme := range noisySchemes() {
				c.Model = TransformerSDE{Sigma: 0.8, Covariance: v, Scheme: scheme}
				must.Do(t, c.Validate())
				gotMean, got := moments(t, c, NewStepper(c), x)
				var difference mat.Dense
				difference.Sub(got, covariance)
				inMean := floats.Distance(gotMean, mean, math.Inf(1))
				inCovariance := floats.Norm(difference.RawMatrix().Data, math.Inf(1))
				if !(inMean < generatorTolerance && inCovariance < generatorTolerance) {
					t.Errorf("%v, %v, %v: mean off by %.2g, covariance by %.2g", v, attention, scheme, inMean,
						inCovariance)
				}
			}
		}
	}
}

func TestCovarianceIsValidated(t *testing.T) {
	for want, c := range map[string]Cell{
		"covariance 0.5,0.6,0: no matrix has it; a must be at least |b|": {
			Model: Transformer{Sigma: 1, Covariance: Covariance{A: 0.5, B: 0.6}}},
		"covariance 1,0,-0.4: no matrix of dimension 3 has it; a + b + c·d must be at least 0": {
			Model: TransformerSDE{Sigma: 1, Covariance: Covariance{A: 1, C: -0.4}}},
		"covariance 1,0,0.5: needs the gaussian law, not uniform, unless b and c are 0": {
			Model: Transformer{Law: Uniform, Sigma: 1, Covariance: Covariance{A: 1, C: 0.5}}},
		"covariance NaN,0,0: a, b and c must be from -1e+06 to 1e+06": {
			Model: Transformer{Sigma: 1, Covariance: Covariance{A: math.NaN()}}},
	} {
		c.Tokens, c.Dim, c.Beta, c.Depth, c.Start = 2, 3, 1, 10, UniformStart{}
		if err := c.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
	c := pairCell()
	plain := c.ID()
	c.Model = Transformer{Sigma: 1, Covariance: Covariance{A: 1}}
	if c.ID() != plain {
		t.Error("independent entries written out draw other numbers")
	}
	c.Model = Transformer{Sigma: 1, Covariance: Covariance{A: 0.8, B: 0.6, C: 0.3}}
	seen := map[uint64]string{plain: "independent"}
	for _, v := range []Covariance{{A: 0.8, B: 0.6, C: 0.3}, {A: 0.8, B: 0.3, C: 0.6},
		{A: 0.6, B: 0.3, C: 0.8}} {
		c.Model = Transformer{Sigma: 1, Covariance: v}
		if other, is := seen[c.ID()]; is {
			t.Errorf("%v draws the numbers of %s", v, other)
		}
		seen[c.ID()] = fmt.Sprint(v)
	}
}
