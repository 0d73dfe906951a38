package theory

import (
	"math"
	"testing"

	"antipode/internal/longtest"
	"antipode/overlap"
	"antipode/overlap/finitedepth"
	"antipode/sde"
	"antipode/sphere/activation"
	"antipode/sphere/invariant"
	"antipode/sphere/must"
)

// Independent entries of variance A have the theory of independent entries of variance 1 whose standard
// deviation σ is √A times as large, to the bit if √A is a power of 2.
func TestIndependentEntriesOfAnyVariance(t *testing.T) {
	longtest.Only(t)
	quadruple := sde.Cell{Model: sde.Transformer{Sigma: 0.75, Covariance: invariant.Covariance{A: 4}},
		Method: sde.Chain, Tokens: 2, Dim: 3, Beta: 1.25, Depth: 10, Start: sde.UniformStart{}}
	twice := quadruple
	twice.Model = sde.Transformer{Sigma: 1.5}
	if got, want := AtDepth(quadruple, 40, 1e-3), AtDepth(twice, 40, 1e-3); got != want ||
		math.IsNaN(got.Antipodal) {
		t.Errorf("at a depth %+v, with twice σ %+v", got, want)
	}
	for _, depth := range []int64{1, 7} {
		got, err := CriticalBetaDepth(5, overlap.Softmax, 0.75, invariant.Covariance{A: 4}, depth)
		want, other := CriticalBetaDepth(5, overlap.Softmax, 1.5, overlap.Ginibre, depth)
		if got != want || !(got > 0) || err != nil || other != nil {
			t.Errorf("critical β at depth %d: %v, %v; with twice σ %v, %v", depth, got, err, want, other)
		}
	}
	r := finitedepth.Isotropic{Dim: 6, Beta: 1.25, Attention: overlap.Unnormalized, Sigma: 0.75,
		Covariance: invariant.Covariance{A: 4}, Depth: 3}
	got := must.Get(LyapunovDepth(r))(t)
	r.Sigma, r.Covariance = 1.5, overlap.Ginibre
	if want := must.Get(LyapunovDepth(r))(t); got != want || math.IsNaN(got) {
		t.Errorf("Lyapunov exponent %v, with twice σ %v", got, want)
	}
}

// Beside a linear MLP of strength c one cluster attracts in the hybrid model with softmax attention up to
// ε = √(2+2c), also above 20.
func TestThresholdsAboveTwenty(t *testing.T) {
	for _, strength := range []float64{3, 1000, 400_000} {
		c := sde.Cell{Model: sde.Hybrid{Law: sde.Rademacher}, Tokens: 2, Dim: 4, Beta: 1, Depth: 10,
			Start: sde.UniformStart{}}
		c.MLP = sde.MLP{Activation: activation.Linear, Strength: strength, Variance: 1}
		got := must.Get(new(thresholds).of(c))(t).EpsilonSingle
		if want := math.Sqrt(2 + 2*strength); !(math.Abs(got-want) <= 1e-9*want) {
			t.Errorf("c = %v: a cluster attracts below ε = %v, want %v", strength, got, want)
		}
	}
}
